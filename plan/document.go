package plan

// A Document is the content of a plan. It is a value: the functions of this package
// return new documents and change none. An empty string is a part that is absent.
type Document struct {
	Header *Header // nil if there is none
	// Description has lines that end with "\n" but for the last.
	Description string
	// Constraints and Tasks are nil where there is no such section. They are empty
	// where a later section stands in the text and this one has nothing.
	Constraints []Constraint
	Tasks       []Task
	Direction   string // free text after the tasks
	Directive   string // such as "COMPLETE"
	// Skipped are lines among the constraints that are none, as they were written.
	Skipped []string
	// IgnoredTitle is text after a header that takes no title.
	IgnoredTitle string
}

// A Header is the first line.
type Header struct {
	Type     string `json:"type"`            // such as "feat"; empty in presets without types
	Scope    string `json:"scope,omitempty"` // such as "parser"
	Breaking bool   `json:"breaking"`        // it announces a breaking change
	Title    string `json:"title,omitempty"` // what the plan is for
}

// A Constraint says what the work must not do. Its JSON is [key, value].
type Constraint struct{ Key, Value string }

// A Task is something to do. Its JSON is [done, text, [children]]. Done of a task
// with children says nothing: it follows from theirs, see [Normalise].
type Task struct {
	Done     bool
	Text     string // one line
	Children []Task // its subtasks, nil if there are none
}

// Complete is the directive of a finished plan.
const Complete = "COMPLETE"

// State says what a text is.
type State string

// The states of a Result.
const (
	Empty   State = "empty"   // nothing but white space
	Unknown State = "unknown" // the first line is no header
	Parsed  State = "parsed"  // a plan
	Halted  State = "halted"  // the beginning of a plan; see Result.Halt
)

// A Result is what Parse makes of a text.
type Result struct {
	State State
	// Document is complete if State is Parsed, and what was read up to the halt if
	// it is Halted.
	Document
	Halt        *Diagnostic  // nil unless State is Halted
	Diagnostics []Diagnostic // of lines that were left out, or read with leniency
}

// A Diagnostic says something about a line of the text that was parsed.
type Diagnostic struct {
	Line int    `json:"line"` // from 1; 0 if it is about no line
	Code Code   `json:"code"`
	Text string `json:"text,omitempty"` // the line, or what of it is meant
	// Length is the number of code points of a text that is too long, for
	// INPUT_TOO_LONG; else 0.
	Length int `json:"-"`
	// Begin is the line with which the text begins that a task or constraint stands
	// behind, for SECTION_ORDER where it is such text; else 0. Mostly that line is the one
	// to mend: the rest of a task that was broken into two.
	Begin int `json:"-"`
}

// A Code names what is wrong, in the spelling of replies and of JSON.
type Code string

// Codes of a halt.
const (
	ConfigInvalid       Code = "CONFIG_INVALID"
	LeadingBlankLine    Code = "LEADING_BLANK_LINE"
	InputTooLong        Code = "INPUT_TOO_LONG"
	UnsafeCharacter     Code = "UNSAFE_CHARACTER" // NUL, or bytes that are no UTF-8
	TitleTooLong        Code = "TITLE_TOO_LONG"
	MissingBlankLine    Code = "MISSING_BLANK_LINE"
	BlankLineInDesc     Code = "BLANK_LINE_IN_DESCRIPTION" // see Config.CompactDescription
	InvalidConstraint   Code = "INVALID_CONSTRAINT"
	InvalidTask         Code = "INVALID_TASK"
	NestingTooDeep      Code = "NESTING_TOO_DEEP"
	TooManyTasks        Code = "TOO_MANY_TASKS"
	SectionOrder        Code = "SECTION_ORDER"
	DirectionIncomplete Code = "DIRECTION_INCOMPLETE"
	TextAfterDirective  Code = "TEXT_AFTER_DIRECTIVE"
	TitleIgnored        Code = "TITLE_IGNORED"      // of a diagnostic
	TaskColonMissing    Code = "TASK_COLON_MISSING" // of a diagnostic
	ConstraintSkipped   Code = "CONSTRAINT_SKIPPED" // of a diagnostic
)

// Codes of a FieldError.
const (
	InvalidType       Code = "INVALID_TYPE"
	InvalidValue      Code = "INVALID_VALUE"
	TooBig            Code = "TOO_BIG"
	TooSmall          Code = "TOO_SMALL"
	InvalidFormat     Code = "INVALID_FORMAT"
	Custom            Code = "CUSTOM"
	Required          Code = "REQUIRED"
	InvalidParseState Code = "INVALID_PARSE_STATE"
	MissingHeader     Code = "MISSING_HEADER"
)
