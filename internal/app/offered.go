package app

import "fmt"

// Offered reports whether whoever asks has a tool of this name. Replies that say
// how to go on name no other tools. Nil offers none.
type Offered func(tool string) bool

// has reports whether the tool is offered.
func (o Offered) has(tool string) bool { return o != nil && o(tool) }

// The tools that replies name.
const (
	toolSections    = "markdown_list_sections"
	toolReadSection = "markdown_read_section"
	toolReadFile    = "read_file"
	toolSelect      = "mdsel_select"
)

// readLine spells the call that reads a line from a character on, in as many
// characters as a reply can have; it is empty if no tool is offered that can.
func (o Offered) readLine(path string, line, char int) string {
	call, argument := toolReadSection, "file_path"
	if !o.has(call) {
		call, argument = toolReadFile, "path"
	}
	if !o.has(call) {
		return ""
	}
	return fmt.Sprintf("%s(%s=%s, start_line=%d, start_char=%d, max_chars=%d)",
		call, argument, quotedArgument(path), line, char, fullChars)
}
