package planstore

import (
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

func FuzzScrub(f *testing.F) {
	f.Add("at '/a/b c' /d/e: x (/f)")
	f.Fuzz(func(t *testing.T, text string) {
		s := newScrubber("/root/of/it")
		got := s.scrub(text)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxErrors {
			t.Errorf("%q", got)
		}
	})
}

func FuzzWholeRunes(f *testing.F) {
	f.Add([]byte("aü漢🎉\xff\xc3"), 3)
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

func TestParseStatus(t *testing.T) {
	out := strings.Join([]string{
		"1 .M N... 100644 100644 100644 aa bb a b.txt", "1 A. N... 000000 100644 100644 aa bb c", "1 .T N... 1 1 1 a b d", "1 MD N... 1 1 1 a b m",
		"u UU N... 1 2 3 4 a b c e f", "? g", "# branch.oid x", "! ignored", "1 short", "",
	}, "\x00")
	want := []Change{{"modified", "a b.txt"}, {"added", "c"}, {"typechanged", "d"}, {"removed", "m"}, {"unmerged", "e f"}, {"untracked", "g"}}
	if diff := cmp.Diff(want, parseStatus(out)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("1 .M N... 1 1 1 a b c\x00? x\x00", `["a","b","c",true,"",false,false,false,true,"text",[["added","x"]]]`+"\n")
	f.Add("1 .. N... 1 1 1 a b c\x001  a b c d e f g", strings.Repeat("x\x00", 11))
	f.Fuzz(func(t *testing.T, status, log string) {
		parseStatus(status)
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
