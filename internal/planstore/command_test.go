package planstore

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestScrub(t *testing.T) {
	s := scrubber{}
	s.add("/home/me/project")
	for in, want := range map[string]string{
		"":                                      "",
		"  plain \n":                            "plain",
		"in /home/me/project/sub: no":           "in ./sub: no",
		"fatal: '/other/place/x y.txt' is bad":  "fatal: '…/x y.txt' is bad",
		`open("/etc/passwd"): denied`:           `open("…/passwd"): denied`,
		"error:/etc/a, {/b/c},/d/e;/f/g|/h/i":   "error:…/a, {…/c},…/e;…/i",
		"file:///etc/passwd":                    "file://…/passwd",
		"at /etc/passwd: denied, /tmp/a and/or": "at …/passwd: denied, …/a and/or",
		"see https://example.com/a/b":           "see https://example.com/a/b",
		"a / b // c":                            "a / b // c",
		"/":                                     "/",
		"/tmp/dir/":                             "…/dir/",
		"\xff":                                  "\uFFFD",
		strings.Repeat("ü", 3000):               strings.Repeat("ü", 1999) + "…",
		"refs/sectile/plans/main and a/b":       "refs/sectile/plans/main and a/b",
	} {
		if got := s.scrub(in); got != want {
			t.Errorf("%.60q: %.60q, want %.60q", in, got, want)
		}
	}
}

// hostPath finds what could be a path of the host: one that begins with a slash, in the
// places where such a one can be told from other text.
var hostPath = regexp.MustCompile("(?:^|[ \\t\\n\"'`(=\\[<{:,;|>])/[\\pL\\pN_~-]|file:///[\\pL\\pN_~-]")

// FuzzScrub takes any text for what a program says. Neither the root nor another path of
// the host is left in it.
func FuzzScrub(f *testing.F) {
	const root = "/root/of/it"
	for _, text := range []string{
		"at '/a/b c' /d/e: x (/f)", "", "in " + root + "/sub: no", root + root, "//" + root + "//", "…/(/\"", "\"/a b/(/\" /c", "see https://example.com/a/b and file:///etc/passwd",
		"/etc/passwd:12: /usr/bin/env: '/no/such", "PATH=/a/b:/c/d,/e", "{/a} </b> [/c] `/d`", "\xff/etc\xff/x", strings.Repeat("/a/b ", 1000), "a / b // c /", "error:/etc/passwd", "/tmp/dir/:. /x", "/a\t/b\n/c\r/d", "\r/0", "x\u00a0/etc/a\u2028/b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := newScrubber(root)
		got := s.scrub(text)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxErrors || strings.Contains(got, root) {
			t.Errorf("%q", got)
		}
		if left := hostPath.FindString(got); left != "" {
			t.Errorf("%q is left in %q of %q", left, got, text)
		}
	})
}

func FuzzWholeRunes(f *testing.F) {
	for _, text := range []string{"aü漢🎉\xff\xc3", "", "plain", "\xff\xff\xff", "🎉🎉", "a\uFFFDb", "\xf0\x9f\x8e"} {
		for _, limit := range []int{0, 1, 3, 100, -1} {
			f.Add([]byte(text), limit)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, limit int) {
		limit = max(0, min(limit, 100))
		got, cut := wholeRunes(text, limit)
		if !utf8.ValidString(got) || len(got) > limit {
			t.Errorf("%q of %q", got, text)
		}
		if !cut && got != strings.ToValidUTF8(string(text), "\uFFFD") {
			t.Errorf("%q of %q is not all", got, text)
		}
		if utf8.Valid(text) && (!strings.HasPrefix(string(text), got) || cut && len(got) < limit-3) {
			t.Errorf("%q of %q", got, text)
		}
	})
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{"PATH=/bin", "GIT_DIR=x", "GIT_AUTHOR_NAME=me", "JJ_CONFIG=c", "JJ_EDITOR=vi", "GITHUB=1", "GIT_TRACE=/f"}, "JJ_EDITOR=false")
	want := []string{"PATH=/bin", "GIT_AUTHOR_NAME=me", "JJ_CONFIG=c", "GITHUB=1", "JJ_EDITOR=false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseChanges(t *testing.T) {
	changed := parseNameStatus([]string{"M", "a b.txt", "A", "c", "T", "d", "D", "m", "M", "e f", "M"})
	more := parseFiles([]string{"? g", "? m", "M 100644 aa 1\te f", "M 100644 bb 2\te f", "M 100644 cc 3\tboth gone", "H h", "?", "M 1 2 3", ""})
	want := []Change{
		{"modified", "a b.txt"},
		{"added", "c"},
		{"typechanged", "d"},
		{"removed", "m"},
		{"unmerged", "e f"},
		{"untracked", "g"},
		{"unmerged", "both gone"},
	}
	if diff := cmp.Diff(want, mergeChanges(changed, more)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("M\x00a\x00? x\x00M 1 2 3\ty\x00", `["a","b","c",true,[],false,false,false,true,"text",[["added","x"]]]`+"\n")
	f.Add("D\x00a\x00A", strings.Repeat("x\x00", 11))
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
		for _, c := range mergeChanges(parseNameStatus(list), nil) {
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

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"feature/x-1.2@y": "feature/x-1.2@y", "": "''", "$(x)": "'$(x)'", "a'b": `'a'\''b'`, "a b": "'a b'", "a$b": "'a$b'", "ü": "'ü'",
	} {
		if got := quote(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
