package app

// Offered reports whether whoever asks has a tool of this name. Replies that say
// how to go on name no other tools. Nil offers none.
type Offered func(tool string) bool

// has reports whether the tool is offered.
func (o Offered) has(tool string) bool { return o != nil && o(tool) }

// The tools that replies name.
const (
	toolSections    = "markdown_list_sections"
	toolReadSection = "markdown_read_section"
	toolSelect      = "mdsel_select"
)
