package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/testkit"
)

// What mdsel 1.0.0 printed, and where we answer otherwise; see
// testdata/mdsel/README.md.

// answer is what a run prints and ends with.
type answer struct {
	Exit   int    `json:"exit"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

// recording is a recorded run.
type recording struct {
	ID    string   `json:"id"`
	Note  string   `json:"note"`
	Args  []string `json:"args"`
	Stdin *string  `json:"stdin"`
	answer
}

// differences says why cases differ.
type differences struct {
	Reasons map[string]string   `json:"reasons"`
	Cases   map[string][]string `json:"cases"`
}

// newKeys are the keys that JSON has more than mdsel's, by the reason that says
// so, and otherValues those whose values differ. For cases that have no other
// reason, nothing else may differ.
var (
	newKeys = map[string][]string{
		"additions": {
			"level_path", "start_line", "end_line", "start_byte", "end_byte", "hash",
			"word_count", "section_word_count",
		},
	}
	otherValues = map[string][]string{
		"additions": nil,
		"words":     {"section_word_count"},
	}
)

func TestMdsel(t *testing.T) {
	var (
		cases []recording
		diffs differences
		old   map[string]answer
		ours  = map[string]answer{}
		used  = map[string]bool{}
	)
	readJSON(t, "cases.json", &cases)
	readJSON(t, "differences.json", &diffs)
	if !*update {
		readJSON(t, "ours.json", &old)
	}
	t.Chdir(filepath.Join("testdata", "mdsel", "files"))
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			got := c.run(t)
			reasons, listed := diffs.Cases[c.ID]
			delete(diffs.Cases, c.ID)
			if !listed {
				if diff := cmp.Diff(c.answer, got); diff != "" {
					t.Errorf("mdsel %q (%s) is to be equal, but (-mdsel +ours):\n%s", c.Args, c.Note, diff)
				}
				return
			}
			if got == c.answer {
				t.Errorf("mdsel %q (%s) is listed as different but is equal", c.Args, c.Note)
			}
			for _, reason := range reasons {
				used[reason] = true
				if diffs.Reasons[reason] == "" {
					t.Errorf("there is no reason %q", reason)
				}
			}
			ours[c.ID] = got
			if want, ok := old[c.ID]; !*update && (!ok || want != got) {
				t.Errorf("mdsel %q (%s) answers other than ours.json says (-want +got):\n%s", c.Args, c.Note, cmp.Diff(want, got))
			}
			c.onlyJSON(t, got, reasons)
		})
	}
	for id := range diffs.Cases {
		t.Errorf("there is no case %s", id)
	}
	for reason := range diffs.Reasons {
		if !used[reason] {
			t.Errorf("no case has the reason %q", reason)
		}
	}
	for id := range old {
		if _, ok := ours[id]; !ok {
			t.Errorf("ours.json has the case %s, which is not listed as different", id)
		}
	}
	if len(cases) != 163 {
		t.Errorf("%d cases, want 163", len(cases))
	}
	if *update {
		writeJSON(t, filepath.Join("..", "ours.json"), ours)
	}
}

// TestMdselInputs guards the documents against an editor or git that changes
// line endings.
func TestMdselInputs(t *testing.T) {
	for name, want := range map[string]string{
		"d006.md": "", "d010.md": "\r\n", "d011.md": "\uFEFF#", "d012.md": "\xff\xfe", "d014.md": "N\x00ul",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "mdsel", "files", name))
		if err != nil || !strings.Contains(string(text), want) || want == "" && len(text) > 0 {
			t.Errorf("%s has changed: %q, %v", name, text, err)
		}
	}
}

// linked returns the path of a link named mdsel to the program.
func linked(t testing.TB) string {
	t.Helper()
	target := testkit.BuildProgram(t)
	link := filepath.Join(t.TempDir(), "mdsel"+filepath.Ext(target))
	if err := os.Symlink(target, link); err != nil {
		testkit.Missing(t, "there are no symbolic links here: "+err.Error())
	}
	return link
}

var (
	timestamp  = regexp.MustCompile(`"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`)
	ownVersion = regexp.MustCompile(`(?m)^sectile \S+$`)
)

// run runs the case in the working directory, and returns its answer with blank
// timestamp and version.
func (c *recording) run(t *testing.T) answer {
	t.Helper()
	var out, errs bytes.Buffer
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer nothing.Close()
	streams := cli.Streams{In: nothing, Out: &out, Err: &errs}
	if c.Stdin != nil {
		streams.In = strings.NewReader(*c.Stdin)
	}
	code := cli.RunProgram(t.Context(), "/usr/bin/mdsel", c.Args, streams, cli.Servers{})
	text := timestamp.ReplaceAllString(out.String(), `"timestamp":""`)
	return answer{
		Exit:   code,
		Stdout: ownVersion.ReplaceAllString(text, "sectile VERSION"),
		Stderr: errs.String(),
	}
}

// onlyJSON checks that nothing but the keys of its reasons differs, if all of
// them are about keys.
func (c *recording) onlyJSON(t *testing.T, got answer, reasons []string) {
	t.Helper()
	var added, changed []string
	for _, reason := range reasons {
		keys, ok := otherValues[reason]
		if !ok {
			return
		}
		changed = append(changed, keys...)
		added = append(added, newKeys[reason]...)
	}
	var theirs, ours any
	if err := errors.Join(json.Unmarshal([]byte(c.Stdout), &theirs), json.Unmarshal([]byte(got.Stdout), &ours)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(theirs, withoutKeys(theirs, ours, added, changed)); diff != "" || c.Exit != got.Exit {
		t.Errorf("more differs than %q say (-mdsel +ours):\n%s", reasons, diff)
	}
}

// withoutKeys returns ours without the added keys that theirs has not, and with
// their values of the changed keys.
func withoutKeys(theirs, ours any, added, changed []string) any {
	switch ours := ours.(type) {
	case map[string]any:
		theirs, ok := theirs.(map[string]any)
		if !ok {
			return ours
		}
		rest := map[string]any{}
		for key, value := range ours {
			before, known := theirs[key]
			switch {
			case !known && slices.Contains(added, key):
			case known && slices.Contains(changed, key):
				rest[key] = before
			default:
				rest[key] = withoutKeys(before, value, added, changed)
			}
		}
		return rest
	case []any:
		theirs, ok := theirs.([]any)
		if !ok || len(theirs) != len(ours) {
			return ours
		}
		rest := []any{}
		for i := range ours {
			rest = append(rest, withoutKeys(theirs[i], ours[i], added, changed))
		}
		return rest
	}
	return ours
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "mdsel", name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestMdselScripts runs the stories through a link to the program.
func TestMdselScripts(t *testing.T) {
	link := linked(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "mdsel"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"bytes": writeBytes},
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(link)+string(os.PathListSeparator)+e.Getenv("PATH"))
			return nil
		},
	})
}
