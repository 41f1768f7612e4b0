package replies

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What is told to whoever asked names arguments and requests, and those are called another
// way on the command line than by a tool. So a sentence keeps its names as values, and an
// adapter writes it out with a Voice of its own. Nothing looks for names in a sentence that
// is written out.

// Arg is an argument of a request, by the name that the rooms give it: occurrence.
type Arg string

// The arguments that sentences name.
const (
	Heading      Arg = "heading"
	Headings     Arg = "headings"
	Occurrence   Arg = "occurrence"
	Lines        Arg = "start_line/end_line"
	OneLine      Arg = "line" // StartLine, where it names the only line
	StartLine    Arg = "start_line"
	EndLine      Arg = "end_line"
	StartChar    Arg = "start_char"
	MaxChars     Arg = "max_chars"
	MaxLevels    Arg = "max_subsection_levels"
	Subsections  Arg = "include_subsections"
	CompleteMode Arg = "mode=complete"
	Map          Arg = "map"

	SearchedPart     Arg = "part" // Heading, where a text is looked for in it
	Action           Arg = "action"
	Content          Arg = "content"
	Rows             Arg = "rows"
	Scope            Arg = "scope"
	ExpectedHash     Arg = "expected_hash"
	ExpectedVersion  Arg = "expected_version"
	ExpectedCount    Arg = "expected_count"
	AllowRestructure Arg = "allow_restructure"
	Links            Arg = "links"
	CreateMissing    Arg = "create_missing"
	To               Arg = "to"
	Where            Arg = "where"
	ToPath           Arg = "to_path"
	Create           Arg = "create"
	LeaveLink        Arg = "leave_link"
	Order            Arg = "order"
	OldString        Arg = "old_string"
	NewString        Arg = "new_string"
	ReplaceAll       Arg = "replace_all"
	Edits            Arg = "edits"

	ReplaceExisting Arg = "replace_existing"
	Force           Arg = "force"
	Clear           Arg = "clear"
	PlanLines       Arg = "lines"
	PlanSection     Arg = "section"
	Description     Arg = "description"
	Constraints     Arg = "constraints"
	Cursor          Arg = "cursor"
	Limit           Arg = "limit"
)

// Given is an argument with a value.
type Given struct {
	Arg   Arg
	Value string // a word
}

// Call is a request that leads on: its verb, and the arguments that matter.
type Call struct {
	Verb Verb
	Args []Arg // those that are given, in their order; flags, for what else has a value is up to whoever asks
}

// Verb is something that can be asked for.
type Verb string

// The verbs that sentences name.
const (
	Tree Verb = "tree"

	PlanShow   Verb = "plan show"
	PlanList   Verb = "plan list"
	PlanGoal   Verb = "plan goal"
	PlanDetail Verb = "plan detail"
	PlanSet    Verb = "plan set"
	PlanMark   Verb = "plan mark"
	PlanFinish Verb = "plan finish"
	PlanNew    Verb = "plan new"
)

// Either is a part of a sentence that is another one for a model, which works for somebody
// whom it asks, than for a person.
type Either struct{ Model, Person Sentence }

// For returns the part for whoever the voice speaks to.
func (e Either) For(v Voice) Sentence {
	if v.IsPerson() {
		return e.Person
	}
	return e.Model
}

// Voice is how an adapter writes what a sentence names.
type Voice interface {
	// Argument returns how an argument is called.
	Argument(arg Arg) string
	// Request returns how a request is made. A sentence has it in quotes for a person.
	Request(call Call) string
	// IsPerson reports whether a person is spoken to.
	IsPerson() bool
}

// Sentence is a sentence of ours, without a full stop. The zero value is empty.
type Sentence struct {
	format string
	values []any
}

// Say returns a sentence that is written as by fmt.Sprintf. Values of the types Arg, Given,
// Call, Either and Sentence are written by %s as the voice does.
func Say(format string, values ...any) Sentence { return Sentence{format, values} }

// Text returns a sentence that names nothing.
func Text(text string) Sentence {
	if text == "" {
		return Sentence{}
	}
	return Say("%s", text)
}

// Then returns the sentence with more after it.
func (s Sentence) Then(format string, values ...any) Sentence {
	return Sentence{s.format + format, slices.Concat(s.values, values)}
}

// Cut returns the sentence in at most so many characters, the last of which is an ellipsis
// then.
func (s Sentence) Cut(chars int) Sentence { return Say("%s", cut{s, chars}) }

// cut is a sentence of which no more is written out than some characters.
type cut struct {
	sentence Sentence
	chars    int
}

// Join returns arguments with something between each two.
func Join(args []Arg, between string) Sentence {
	var s Sentence
	for i, arg := range args {
		if i > 0 {
			s = s.Then("%s", between)
		}
		s = s.Then("%s", arg)
	}
	return s
}

// IsEmpty reports whether nothing is said.
func (s Sentence) IsEmpty() bool { return s.format == "" }

// In writes the sentence out.
func (s Sentence) In(v Voice) string {
	written := make([]any, len(s.values))
	for i, value := range s.values {
		switch value := value.(type) {
		case Arg:
			written[i] = v.Argument(value)
		case Given:
			if v.IsPerson() {
				written[i] = v.Argument(value.Arg) + " " + value.Value
			} else {
				written[i] = v.Argument(value.Arg) + " " + strconv.Quote(value.Value)
			}
		case Call:
			if written[i] = v.Request(value); v.IsPerson() {
				written[i] = "'" + v.Request(value) + "'"
			}
		case Sentence:
			written[i] = value.In(v)
		case cut:
			written[i] = Clip(value.sentence.In(v), value.chars)
		case Either:
			written[i] = value.For(v).In(v)
		default:
			written[i] = value
		}
	}
	return fmt.Sprintf(s.format, written...)
}

// Requests returns the requests that the sentence names, each once, as the voice makes them.
func (s Sentence) Requests(v Voice) []string {
	var all []string
	for _, value := range s.values {
		var found []string
		switch value := value.(type) {
		case Call:
			found = []string{v.Request(value)}
		case Sentence:
			found = value.Requests(v)
		case cut:
			found = value.sentence.Requests(v)
		case Either:
			found = value.For(v).Requests(v)
		}
		for _, request := range found {
			if !slices.Contains(all, request) {
				all = append(all, request)
			}
		}
	}
	return all
}

// String writes the sentence out for nobody in particular: with the rooms' own names.
func (s Sentence) String() string { return s.In(Plain) }

// MarshalJSON writes the sentence out as String does.
func (s Sentence) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Equal reports whether both are written out alike.
func (s Sentence) Equal(other Sentence) bool { return s.String() == other.String() }

// Plain is the voice of nobody in particular, which has the rooms' own names.
var Plain Voice = plain{}

type plain struct{}

// Argument returns the room's own name.
func (plain) Argument(arg Arg) string { return string(arg) }

// Request returns the verb with its arguments.
func (plain) Request(call Call) string {
	if len(call.Args) == 0 {
		return string(call.Verb)
	}
	names := make([]string, len(call.Args))
	for i, arg := range call.Args {
		names[i] = string(arg)
	}
	return string(call.Verb) + " with " + strings.Join(names, " and ")
}

// IsPerson reports false.
func (plain) IsPerson() bool { return false }
