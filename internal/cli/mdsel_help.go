package cli

// Help as mdsel gives it, for programs that read it. What is ours alone is added
// where its options are listed.

const mdselHelp = `Usage: mdsel [options] [command]

Declarative Markdown semantic selection CLI for LLM agents

Options:
  -V, --version                           output the version number
  --json                                  Output JSON instead of minimal text
  -h, --help                              display help for command

Commands:
  index <files...>                        Parse documents and emit selector inventory
  select [options] <selector> [files...]  Retrieve content via selectors
  format [options] [command]              Output format specification for tool descriptions
  help [command]                          display help for command
`

const mdselIndexHelp = `Usage: mdsel index [options] <files...>

Parse documents and emit selector inventory

Arguments:
  files       Markdown files to index

Options:
  --lines     Show the lines of each section
  --words     Show the number of words of each section
  -h, --help  display help for command
`

const mdselSelectHelp = `Usage: mdsel select [options] <selector> [files...]

Retrieve content via selectors

Arguments:
  selector    Selector string
  files       Markdown files to search

Options:
  --full      Bypass truncation and return full content
  -h, --help  display help for command
`

const mdselFormatHelp = `Usage: mdsel format [options] [command]

Output format specification for tool descriptions

Arguments:
  command     Command to describe (index, select, or omit for all)

Options:
  --example   Show example output instead of terse spec
  -h, --help  display help for command
`

// mdselHelpOf returns the help for a command of mdsel.
func mdselHelpOf(command string) string {
	switch command {
	case "index":
		return mdselIndexHelp
	case "select":
		return mdselSelectHelp
	case "format":
		return mdselFormatHelp
	}
	return mdselHelp
}
