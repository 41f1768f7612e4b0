package plan_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

// The cases in testdata were recorded from the programs that plan documents come
// from, and changed where the specification decides otherwise. Where this package
// differs, testdata/differences.json has the file and the case, with a reason; a
// difference that isn't one any more fails.

type difference struct{ File, Case, Reason string }

// recorded returns a reporter for the cases of a file: it is given each case with
// what is wrong with it.
func recorded(t *testing.T, file string) func(t *testing.T, id, problem string) {
	t.Helper()
	var all []difference
	readJSON(t, "differences.json", &all)
	return func(t *testing.T, id, problem string) {
		t.Helper()
		i := slices.IndexFunc(all, func(d difference) bool { return d.File == file && d.Case == id })
		switch {
		case i < 0 && problem != "":
			t.Error(problem)
		case i >= 0 && problem == "":
			t.Error("agrees, take it out of differences.json")
		case i >= 0 && all[i].Reason == "":
			t.Error("differences.json has no reason")
		}
	}
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestDifferencesNameCases checks that no entry is about a case that is gone.
func TestDifferencesNameCases(t *testing.T) {
	var all []difference
	readJSON(t, "differences.json", &all)
	for _, d := range all {
		data, err := os.ReadFile(filepath.Join("testdata", d.File))
		if err != nil || !strings.Contains(string(data), `"`+d.Case+`"`) {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

type parseCase struct {
	ID        string
	Input     string
	InputRLE  [][2]any `json:"input_rle"`
	Expected  map[string]any
	Canonical *string
}

func (c *parseCase) input() string {
	text := c.Input
	for _, part := range c.InputRLE {
		text += strings.Repeat(part[0].(string), int(part[1].(float64)))
	}
	return text
}

// parseCases returns all cases of parse.json.
func parseCases(t *testing.T) []parseCase {
	t.Helper()
	var file struct {
		Cases     []parseCase
		EdgeCases []parseCase `json:"edge_cases"`
	}
	readJSON(t, "parse.json", &file)
	all := slices.Concat(file.Cases, file.EdgeCases)
	if len(all) != 90 {
		t.Fatalf("%d cases", len(all))
	}
	return all
}

// anyOf returns a value as its JSON decodes.
func anyOf(t *testing.T, v any) (decoded map[string]any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

func TestParseCorpus(t *testing.T) {
	report := recorded(t, "parse.json")
	for _, c := range parseCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			r := plan.Parse(c.input(), nil)
			report(t, c.ID, c.compare(t, &r))
		})
	}
}

// compare returns what is wrong with the result of a case.
func (c *parseCase) compare(t *testing.T, r *plan.Result) string {
	t.Helper()
	got := anyOf(t, r)
	if _, ok := c.Expected["ignored_title"]; !ok { // the cases may leave it out
		delete(got, "ignored_title")
	}
	if _, ok := c.Expected["stage"]; ok {
		got["stage"] = float64(plan.Stages().Of(r.Document).Number)
	}
	if diff := cmp.Diff(c.Expected, got); diff != "" {
		return "(-want +got)\n" + diff
	}
	text, err := plan.FormatResult(r, nil)
	if r.State != plan.Parsed {
		if err == nil {
			return "formatted although it is " + string(r.State)
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	if c.Canonical != nil && text != *c.Canonical {
		return "canonical (-want +got)\n" + cmp.Diff(*c.Canonical, text)
	}
	return ""
}

func TestFormatCorpus(t *testing.T) {
	var cases []struct {
		ID       string
		Doc      plan.Document
		Expected struct {
			Text          string
			Accept        bool
			RefuseBecause []string `json:"refuse_because"`
			ReparseState  string   `json:"reparse_state"`
		}
	}
	readJSON(t, "format.json", &cases)
	if len(cases) != 22 {
		t.Fatalf("%d cases", len(cases))
	}
	report := recorded(t, "format.json")
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			text, err := plan.Format(c.Doc, nil)
			problem := ""
			var refused *plan.FormatError
			switch {
			case c.Expected.Accept && (err != nil || text != c.Expected.Text):
				problem = cmp.Diff(c.Expected.Text, text) + "error: " + errorText(err)
			case !c.Expected.Accept && !errors.As(err, &refused):
				problem = "not refused: " + text + errorText(err)
			case !c.Expected.Accept:
				field, _, _ := strings.Cut(refused.Field, ".")
				if !slices.Contains(c.Expected.RefuseBecause, field) || string(plan.Parse(c.Expected.Text, nil).State) != c.Expected.ReparseState {
					problem = "refused because of " + refused.Field
				}
			}
			report(t, c.ID, problem)
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

func TestValidateCorpus(t *testing.T) {
	var cases []struct {
		ID       *string
		Name     string
		Input    json.RawMessage
		Expected map[string]any
	}
	readJSON(t, "validate.json", &cases)
	if len(cases) != 29 {
		t.Fatalf("%d cases", len(cases))
	}
	report := recorded(t, "validate.json")
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			report(t, c.Name, cmp.Diff(c.Expected, anyOf(t, plan.ValidateJSON(c.Input, nil))))
			// What can be a document has the same report when it is one. A title that
			// is empty can't: documents have none.
			var r plan.Result
			if json.Unmarshal(c.Input, &r) == nil && c.Name != "empty title" && c.Name != "breaking missing" {
				report(t, c.Name, cmp.Diff(c.Expected, anyOf(t, plan.ValidateResult(&r, nil))))
			}
		})
	}
}
