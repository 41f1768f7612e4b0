package replies

import "fmt"

// Offered reports whether whoever asks has a tool of this name. Replies that say
// how to go on name no other tools. Nil offers none.
type Offered func(tool string) bool

// Has reports whether the tool is offered.
func (o Offered) Has(tool string) bool { return o != nil && o(tool) }

// The tools that replies name.
const (
	ToolSections    = "markdown_list_sections"
	ToolReadSection = "markdown_read_section"
	ToolReadFile    = "read_file"
	ToolSelect      = "mdsel_select"
)

// ReadLine spells the call that reads a line from a character on, in as many
// characters as a reply can have; it is empty if no tool is offered that can.
func (o Offered) ReadLine(path string, line, char int) string {
	call, argument := ToolReadSection, "file_path"
	if !o.Has(call) {
		call, argument = ToolReadFile, "path"
	}
	if !o.Has(call) {
		return ""
	}
	return fmt.Sprintf("%s(%s=%s, start_line=%d, start_char=%d, max_chars=%d)",
		call, argument, JSON(path), line, char, FullChars)
}
