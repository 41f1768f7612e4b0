package plan

import "slices"

// A Config is a form of plan documents as data. The zero value is no form: begin
// with a preset. Patterns are regular expressions of package regexp for one line;
// they give what they find in groups with these names: type, scope, bang, title,
// indent, mark, text, key, value. All words of a line must be in groups or in the
// format of the same name: where a pattern leaves one out, the line is no match, so
// that nothing can be lost. Titles, texts, keys and values are trimmed.
//
// Formats say how a line is written: literal text with names of groups in braces,
// as in "- [{mark}]: {text}". What a format writes its pattern must read.
//
// The names in parentheses are those of [Override].
type Config struct {
	Name string // (name) for messages

	// Header (header) are patterns for the first line, tried in this order, with the
	// groups type, scope, bang and title. They needn't match to the end: text after it
	// is the ignored title.
	Header []string
	// HeaderFormat (header_format): the first format is taken all of whose groups
	// but bang are there.
	HeaderFormat []string

	Task       string // (task) groups indent, mark and text
	TaskLax    string // (task_lax) the same; taken as a task, with a diagnostic. May be empty.
	TaskLike   string // (task_like) a line that was meant as a task and is none. May be empty.
	TaskBare   string // (task_bare) one whose dash is missing. May be empty.
	TaskFormat string // (task_format)

	Constraint       string // (constraint) groups key and value
	ConstraintLike   string // (constraint_like) a line to skip among the constraints. May be empty.
	ConstraintFormat string // (constraint_format)

	Open string // (open) the mark of an open task, one space
	Done string // (done) the mark of a task that is done; read in both cases
	Bang string // (bang) what a header has for a breaking change

	Indent         int // (indent) spaces for a level when written; a tab counts as many
	MaxTitle       int // (max_title) code points
	MaxDepth       int // (max_depth) levels of tasks below the first
	MaxTasks       int // (max_tasks)
	MaxInput       int // (max_input) code points, without blank lines at the end
	DirectionLimit int // (direction_halt) a direction whose first line is as short as this is incomplete

	CompactDescription bool // (compact_description) a blank line within it is an error

	Types    []string // (types) that a header may have; none: any
	Scope    string   // (scope) pattern that a valid scope matches
	Prefixes []string // (prefixes) keys of constraints
}

// patterns returns all patterns, of which some may be empty.
func (c *Config) patterns() []string {
	return append(slices.Clone(c.Header), c.Task, c.TaskLax, c.TaskLike, c.TaskBare, c.Constraint, c.ConstraintLike, c.Scope)
}

// Limits of the limits.
const (
	maxIndent  = 16
	maxTasks   = 10_000
	maxInput   = 1_000_000
	maxPattern = 1000 // bytes of a pattern or a format
	maxList    = 100  // entries
)

// Check returns what is wrong with the configuration, field by field and under the
// names of [Override], or nil.
func (c *Config) Check() FieldErrors {
	_, errs := compile(c)
	return errs
}

// field is a field of a Config with the name that it has in a configuration file.
type field struct {
	name string
	at   any // *string, *int, *bool or *[]string
}

// fields returns the fields of c in the order of their declaration.
func (c *Config) fields() []field {
	return []field{
		{"name", &c.Name},
		{"header", &c.Header},
		{"header_format", &c.HeaderFormat},
		{"task", &c.Task},
		{"task_lax", &c.TaskLax},
		{"task_like", &c.TaskLike},
		{"task_bare", &c.TaskBare},
		{"task_format", &c.TaskFormat},
		{"constraint", &c.Constraint},
		{"constraint_like", &c.ConstraintLike},
		{"constraint_format", &c.ConstraintFormat},
		{"open", &c.Open},
		{"done", &c.Done},
		{"bang", &c.Bang},
		{"indent", &c.Indent},
		{"max_title", &c.MaxTitle},
		{"max_depth", &c.MaxDepth},
		{"max_tasks", &c.MaxTasks},
		{"max_input", &c.MaxInput},
		{"direction_halt", &c.DirectionLimit},
		{"compact_description", &c.CompactDescription},
		{"types", &c.Types},
		{"scope", &c.Scope},
		{"prefixes", &c.Prefixes},
	}
}

// equal reports whether two configurations are the same.
func (c *Config) equal(d *Config) bool {
	return c.Name == d.Name && slices.Equal(c.Header, d.Header) && slices.Equal(c.HeaderFormat, d.HeaderFormat) &&
		c.Task == d.Task && c.TaskLax == d.TaskLax && c.TaskLike == d.TaskLike && c.TaskBare == d.TaskBare && c.TaskFormat == d.TaskFormat &&
		c.Constraint == d.Constraint && c.ConstraintLike == d.ConstraintLike && c.ConstraintFormat == d.ConstraintFormat &&
		c.Open == d.Open && c.Done == d.Done && c.Bang == d.Bang && c.Indent == d.Indent && c.MaxTitle == d.MaxTitle &&
		c.MaxDepth == d.MaxDepth && c.MaxTasks == d.MaxTasks && c.MaxInput == d.MaxInput && c.DirectionLimit == d.DirectionLimit &&
		c.CompactDescription == d.CompactDescription && slices.Equal(c.Types, d.Types) && c.Scope == d.Scope && slices.Equal(c.Prefixes, d.Prefixes)
}
