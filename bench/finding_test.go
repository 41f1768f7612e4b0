package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestLeftOut reads what a reply of sectile names, also of a line that is cut, and
// nothing from the text below the head.
func TestLeftOut(t *testing.T) {
	read := func(first, last, char int) call {
		arguments := map[string]any{"path": "a.md", "start_line": first, "end_line": last}
		if char > 0 {
			arguments["start_char"] = char
		}
		return call{"read_file", arguments}
	}
	for name, c := range map[string]struct {
		reply string
		want  []call
	}{
		"ranges":       {"path: a.md\nleft_out: 9 of 20 lines: 7-12, 15, 17-18\ncontinue: x\n\n# A\n", []call{read(7, 12, 0), read(15, 15, 0), read(17, 18, 0)}},
		"a line's end": {"path: a.md\nleft_out: 2 of 6 lines: 3 (from character 9642), 4\n\n# A\n", []call{read(3, 3, 9642), read(4, 4, 0)}},
		"nothing":      {"path: a.md\n\n# A\n", nil},
		"in the text":  {"path: a.md\n\n# A\n\nleft_out: 1 of 2 lines: 1\n", nil},
	} {
		if diff := cmp.Diff(c.want, leftOut("a.md", c.reply)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestArrived(t *testing.T) {
	for name, c := range map[string]struct {
		replies []string
		text    string
		missing string
	}{
		"all":                {[]string{"path: a\n\n# A\n\none\n"}, "# A\n\none\n", ""},
		"in two replies":     {[]string{"x\n\n# A\n", "x\n\none\n"}, "# A\n\none\n", ""},
		"a line in pieces":   {[]string{"x\n\n# A\none tw\n[left out]", "x\n\no three\n"}, "# A\none two three\n", ""},
		"not all":            {[]string{"x\n\n# A\n"}, "# A\n\none\n", "one"},
		"not all of a line":  {[]string{"# A\none tw\n"}, "# A\none two\n", "one two"},
		"one of two of them": {[]string{"# A\none\n"}, "# A\none\none\n", "one"},
		"nothing":            {nil, "# A\n", "# A"},
	} {
		if missing, ok := arrived(c.replies, c.text); missing != c.missing || ok != (c.missing == "") {
			t.Errorf("%s: missing is %q, want %q", name, missing, c.missing)
		}
	}
}

// TestFindLong finds sections that do not come in one reply, for a line of theirs is
// too long or their subsections are too many.
func TestFindLong(t *testing.T) {
	m := here(t)
	ourselves := sectile(m)
	if err := ourselves.find(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	texts := map[string]string{
		"line.md":  "## Big\n\n" + strings.Repeat("word and more. ", 1700) + "\n\nThis is the last line.\n\n",
		"parts.md": "## Big\n\n" + strings.Repeat("### Part\n\n"+strings.Repeat("A line of text.\n", 60)+"\n", 40),
	}
	for name, text := range texts {
		doc := document{name, []byte("# T\n\n" + text + "## End\n\n" + strings.Repeat("x\n\n", 20_000))}
		if err := writeAll(folder, []document{doc}); err != nil {
			t.Fatal(err)
		}
		for _, kind := range ourselves.servers {
			s, err := startServer(t.Context(), kind.command(folder))
			if err != nil {
				t.Fatal(err)
			}
			n, err := kind.find(s, filepath.Join(folder, name), target{3, text})
			if err != nil || n < len(text) || n > 2*len(text) {
				t.Errorf("%s, %s: %d characters of %d, %v", kind.name, name, n, len(text), err)
			}
			if _, err := kind.find(s, filepath.Join(folder, name), target{3, text + "what is not there\n"}); err == nil {
				t.Errorf("%s, %s: a line that did not arrive is not missed", kind.name, name)
			}
			s.close()
		}
	}
}

// TestFoundByAll compares tools only over what all of them have found.
func TestFoundByAll(t *testing.T) {
	all := []measured{{tool: "a", values: sample{1, math.NaN(), 3, 4}}, {tool: "b", values: sample{1, 2, 3, math.NaN()}}, {tool: "c", values: sample{5, 6, 7, 8}}}
	foundByAll(all)
	want := []measured{{"a", sample{1, 3}, 1}, {"b", sample{1, 3}, 1}, {"c", sample{5, 7}, 0}}
	if diff := cmp.Diff(want, all, cmp.AllowUnexported(measured{}), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

// TestAllRead takes no error for a read.
func TestAllRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"result": {"content": [{"text": "a"}]}}`:                        "",
		`{"result": {"content": [{"text": "no file"}], "isError": true}}`: "a read among many: no file",
		`{"error": {"message": "busy"}}`:                                  "a read among many: busy",
	} {
		one := &reply{}
		if err := json.Unmarshal([]byte(text), one); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := allRead([]*reply{one}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
