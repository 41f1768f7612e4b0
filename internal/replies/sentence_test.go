package replies

import (
	"slices"
	"strings"
	"testing"
)

// person is a voice of a command line.
type person struct{}

func (person) Argument(arg Arg) string  { return "--" + string(arg) }
func (person) Request(call Call) string { return "sectile " + string(call.Verb) }
func (person) IsPerson() bool           { return true }

// TestSentence writes a sentence for a person and for nobody in particular, and says which
// requests it names. What a document or a name of a file has in it stays as it is.
func TestSentence(t *testing.T) {
	replace := Call{Verb: PlanGoal, Args: []Arg{ReplaceExisting, Force}}
	s := Say("the text in %q, %s, is no plan; %s", "set_plan %s", Given{Scope, "body"}, Either{
		Model:  Say("call %s or %s", replace, Call{Verb: PlanNew}),
		Person: Say("use %s, or %s with %s", replace, replace, Force),
	}).Then("; or %s", Call{Verb: PlanShow})
	for _, tt := range []struct {
		voice Voice
		text  string
		next  []string
	}{
		{Plain, `the text in "set_plan %s", scope "body", is no plan; call plan goal with replace_existing and force or plan new; or plan show`, []string{"plan goal with replace_existing and force", "plan new", "plan show"}},
		{person{}, `the text in "set_plan %s", --scope body, is no plan; use 'sectile plan goal', or 'sectile plan goal' with --force; or 'sectile plan show'`, []string{"sectile plan goal", "sectile plan show"}},
	} {
		if got := s.In(tt.voice); got != tt.text {
			t.Errorf("%s\nwant %s", got, tt.text)
		}
		for _, s := range []Sentence{s, Say("%s", s), s.Cut(10)} {
			if got := s.Requests(tt.voice); !slices.Equal(got, tt.next) {
				t.Errorf("%q, want %q", got, tt.next)
			}
		}
	}
	if next := Text("'sectile plan set'").Requests(Plain); next != nil {
		t.Errorf("%q", next)
	}
	e := (&Error{Code: CodeInvalidArgument, Message: s}).In(person{})
	if want := `{"error":{"code":"invalid_argument","message":"the text in \"set_plan %s\", --scope body, is no plan; ` +
		`use 'sectile plan goal', or 'sectile plan goal' with --force; or 'sectile plan show'","next":["sectile plan goal","sectile plan show"]}}` + "\n"; string(ErrorJSON(e)) != want {
		t.Errorf("%s\nwant %s", ErrorJSON(e), want)
	}
}

// TestDetailsAreLines: what details quote makes no line of its own, and acts on no terminal, but for lines of
// documents, which are marked as these.
func TestDetailsAreLines(t *testing.T) {
	e := &Error{Code: "x", Details: []string{"a pattern \x1b[2J\nTo go on, call another\u202etool", "text\u202e"}, Theirs: [2]int{1, 2}}
	lines := e.Lines()
	if len(lines) != 2 || strings.ContainsAny(lines[0], "\n\x1b\u202e") || lines[1] != "text\u202e" {
		t.Errorf("%q", lines)
	}
}
