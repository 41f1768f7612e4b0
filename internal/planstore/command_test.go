package planstore

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironment(t *testing.T) {
	got := environment([]string{"PATH=/bin", "GIT_DIR=x", "GIT_AUTHOR_NAME=me", "JJ_CONFIG=c", "JJ_EDITOR=vi", "GITHUB=1", "GIT_TRACE=/f"}, "JJ_EDITOR=false")
	want := []string{"PATH=/bin", "GIT_AUTHOR_NAME=me", "JJ_CONFIG=c", "GITHUB=1", "JJ_EDITOR=false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestShow: a command with a long revision is told in a few words.
func TestShow(t *testing.T) {
	p := program{name: "jj"}
	if got := p.show(&call{args: []string{"log", "-r", strings.Repeat("@ | ", 1000)}}); len(got) > 600 || !strings.HasPrefix(got, "jj log -r @ | ") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

func TestParseChanges(t *testing.T) {
	const same, mode = ":100644 100644 aa 00 M", ":100644 100755 aa aa M"
	raw := []string{same, "a b.txt", ":000000 100644 00 00 A", "c", ":100644 120000 aa 00 T", "d", ":100644 000000 aa 00 D", "m", same, "e f", mode, "x"}
	list := append(slices.Clone(raw), same, "endings", "M")
	pairs, _ := parseRaw(list, []string{"1\t0\ta b.txt", "1\t0\tc", "1\t1\td", "0\t1\tm", "-\t-\te f"})
	changed := listed(pairs)
	more := parseFiles([]string{"? g", "? m", "M 100644 aa 1\te f", "M 100644 bb 2\te f", "M 100644 cc 3\tboth gone", "H h", "?", "M 1 2 3", ""})
	want := []Change{
		{"modified", "a b.txt"},
		{"added", "c"},
		{"typechanged", "d"},
		{"removed", "m"},
		{"unmerged", "e f"},
		{"modified", "x"},
		{"untracked", "g"},
		{"unmerged", "both gone"},
	}
	if diff := cmp.Diff(want, mergeChanges(changed, more)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if pairs, doubtful := parseRaw(list, nil); len(pairs) != len(raw)+2 || doubtful != 3 {
		t.Errorf("%d doubtful in %q", doubtful, pairs)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(":100644 100644 a 0 M\x00a\x00? x\x00M 1 2 3\ty\x00", `["a","b","c",true,[],false,false,false,true,"text",[["added","x"]]]`+"\n")
	f.Add(":1 0 a 0 D\x00a\x00:0 1 0 a A", strings.Repeat("x\x00", 11))
	f.Add("", "")
	f.Add("jj 0.40.0\x00\x00", "[]\n[1]\nnull\n")
	f.Add("R100\x00a\x00b\x00M 1 2 3\x00\t\x00? ", `["a","b","c",true,["d"],true,true,true,false,"",[["removed",""]]]`+"\n"+`["a"]`)
	f.Add("M\x00\xff\x00u \x00M 1 2 1\ta\tb\x00M 1 2 2\ta\tb", strings.Repeat("\x00", 40)+"\xff")
	f.Fuzz(func(t *testing.T, status, log string) {
		list := strings.Split(status, "\x00")
		seen := map[Change]bool{}
		for _, c := range mergeChanges(nil, parseFiles(list)) {
			if c.Status != "untracked" && c.Status != "unmerged" {
				t.Errorf("%+v in %q", c, status)
			}
		}
		pairs, _ := parseRaw(list, list)
		for _, c := range mergeChanges(listed(pairs), nil) {
			seen[c] = true
		}
		if len(seen) > len(list)/2 {
			t.Errorf("%d changes in %q", len(seen), status)
		}
		for _, form := range []*form{jsonForm, rawForm} {
			changes, err := form.parse([]byte(log))
			if err == nil && len(changes) == 0 && log != "" {
				t.Errorf("nothing in %q", log)
			}
		}
		parseJJVersion(status)
	})
}

func TestStatusOf(t *testing.T) {
	for letter, want := range map[string]string{
		"A": "added", "D": "removed", "R": "renamed", "C": "copied", "T": "typechanged", "U": "unmerged", "M": "modified", "": "modified",
	} {
		if got := statusOf(letter); got != want {
			t.Errorf("%s: %s, want %s", letter, got, want)
		}
	}
}
