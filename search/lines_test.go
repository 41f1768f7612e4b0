package search

import (
	"errors"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

func parseBytes(src []byte) (*markdown.Document, error) { return markdown.Parse(src) }

func TestLines(t *testing.T) {
	const src = "Proxy here\n\n# A proxy\r\n\r\nno\n\n```\nproxy code\n```\n\n## B\nlast PROXY line"
	tests := []struct {
		text  string
		regex bool
		by    Case
		in    Place
		want  string
	}{
		{"proxy", false, SmartCase, Everywhere, "-:Proxy here A proxy:# A proxy A proxy:proxy code B:last PROXY line"},
		{"Proxy", false, SmartCase, Everywhere, "-:Proxy here"},
		{"Proxy", false, IgnoreCase, InHeadings, "A proxy:# A proxy"},
		{"proxy", false, ExactCase, InBody, "A proxy:proxy code"},
		{"proxy", false, SmartCase, InCode, "A proxy:proxy code"},
		{"pro.y$", true, SmartCase, Everywhere, "A proxy:# A proxy"},
		{"^(last|no)", true, SmartCase, Everywhere, "A proxy:no B:last PROXY line"},
		{`\bhere|line\b`, true, SmartCase, Everywhere, "-:Proxy here B:last PROXY line"},
		{"x*", true, SmartCase, InHeadings, "A proxy:# A proxy B:## B"},
		{"nothing", false, SmartCase, Everywhere, ""},
		{`^\Qlast proxy`, true, SmartCase, Everywhere, "B:last PROXY line"},
		{`here|\Qlast`, true, SmartCase, Everywhere, "-:Proxy here B:last PROXY line"},
		{`\Q## B\E$`, true, ExactCase, Everywhere, "B:## B"},
		{"[A-Z]{3}", true, SmartCase, Everywhere, "B:last PROXY line"},
		{"[A-Z]{3}", true, IgnoreCase, InHeadings, "A proxy:# A proxy"},
	}
	doc := parsed(t, []byte(src))
	for _, test := range tests {
		l, err := ParseLines(test.text, test.regex, test.by)
		if err != nil {
			t.Fatal(err)
		}
		l.Place = test.in
		var got []string
		for section, line := range l.Sections(doc) {
			title := "-"
			if section >= 0 {
				title = doc.SectionTitle(section)
			}
			got = append(got, title+":"+src[line.Start:line.End])
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q:\n%s", test.text, diff)
		}
	}
}

// TestByteOrderMark finds the first line of a document that begins with a byte order mark as that
// of one without it.
func TestByteOrderMark(t *testing.T) {
	const text = "# A proxy\n\nno\n"
	for _, l := range []struct {
		text  string
		regex bool
		by    Case
	}{{"proxy", false, SmartCase}, {"A proxy", false, SmartCase}, {"^# a", true, IgnoreCase}, {"^.*y$", true, SmartCase}, {"^#", true, SmartCase}, {"\\A[^n]+$", true, SmartCase}} {
		lines, err := ParseLines(l.text, l.regex, l.by)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []Place{Everywhere, InHeadings} {
			lines.Place = in
			found := 0
			doc := parsed(t, []byte("\ufeff"+text))
			for section, line := range lines.Sections(doc) {
				if found++; section != 0 || string(doc.Source[line.Start:line.End]) != "# A proxy" {
					t.Errorf("%q: %q in section %d", l.text, doc.Source[line.Start:line.End], section)
				}
			}
			if found != 1 {
				t.Errorf("%q: %d lines", l.text, found)
			}
		}
	}
}

// TestSmartCase asks which expressions tell capital letters from small ones.
func TestSmartCase(t *testing.T) {
	for pattern, want := range map[string]bool{
		"a": false, "A": true, "A|B": true, "[A-Z]{3}": true, "[^B]": true, "[a-z]": false, `\W\S\D\B\Aa\z`: false, `\pL\PN\p{Lu}\P{Greek}a`: false,
		`\x4a\x{4A}\x4A4b`: false, `\x4AB`: true, `\QB`: true, `\Qa\EB`: true, `\Qa\\E\W`: false, "[[:alpha:]]": false, "(?P<Name>a)": false, "(?<Name>a|Bc)": true,
		"(?U)a": false, "(?U:a)B": true, `\\B`: true, `\(?B`: true, "(?:a)É": true, "[(?]": false, "[(?A:]": true, "(?i)a": false, `\pLA`: true, "é": false, "[[:^upper:]É]": true, `(a)\)?`: false,
	} {
		if got := writesUpper(pattern); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
		if _, err := ParseLines(pattern, true, SmartCase); err != nil {
			t.Error(err)
		}
	}
}

func TestLinesErrors(t *testing.T) {
	for _, test := range []struct {
		text  string
		regex bool
		want  error
	}{
		{"", false, ErrEmpty},
		{"", true, ErrEmpty},
		{"a\nb", false, ErrPattern},
		{"(", true, ErrPattern},
		{"a{1,1001}", true, ErrPattern},
		{"((a{100}){100}){100}", true, ErrPattern},
		{strings.Repeat("a", MaxPattern+1), false, ErrPattern},
		{`(?<n>a)\k<n>`, true, ErrPattern},
	} {
		if _, err := ParseLines(test.text, test.regex, SmartCase); !errors.Is(err, test.want) {
			t.Errorf("%.30q: %v", test.text, err)
		}
	}
}

// FuzzLines compares what is found with the expression tried on each line.
func FuzzLines(f *testing.F) {
	for _, pattern := range []string{"proxy", "a|b", "^a+$", "(?i)Foo.*bar", `\bx\b`, "k", "ſ", "[[:alpha:]]{2,}", "", "(ab|cd)ef", "a*", "é"} {
		f.Add(pattern, "# Foo bar\nproxy A b\n\u212a K ſ s é É\r\nabef\rcdEF", true)
		f.Add(pattern, "", false)
	}
	f.Fuzz(func(t *testing.T, pattern, src string, regex bool) {
		l, err := ParseLines(pattern, regex, IgnoreCase)
		if err != nil {
			return
		}
		expression := pattern
		if !regex {
			expression = regexp.QuoteMeta(pattern)
		}
		re := regexp.MustCompile("(?im:" + expression + ")")
		var want, got []Line
		for at := 0; at < len(src); {
			line := lineAround([]byte(src), at, at)
			if re.MatchString(src[line.Start:line.End]) {
				want = append(want, line)
			}
			at = afterLine([]byte(src), line.End)
		}
		got = slices.Collect(l.In([]byte(src)))
		if !slices.Equal(want, got) {
			t.Errorf("%q in %q: %v, not %v", pattern, src, got, want)
		}
		if len(got) > 0 && !l.Has([]byte(src)) {
			t.Errorf("%q in %q: it hasn't", pattern, src)
		}
		for _, line := range got {
			part, before, after := l.Clip([]byte(src), line, 10)
			if part.Start < line.Start || part.End > line.End || part.End-part.Start > 10 || before != (part.Start > line.Start) || after != (part.End < line.End) {
				t.Errorf("%q in %q: part %v of %v", pattern, src, part, line)
			}
		}
	})
}

// TestLinesOfRipgrep counts the lines of documents beside ripgrep.
func TestLinesOfRipgrep(t *testing.T) {
	if _, err := exec.LookPath("rg"); err != nil {
		testkit.Missing(t, "rg is not in the PATH")
	}
	dir := t.TempDir()
	var files []testkit.CorpusFile
	for i, f := range testkit.Fixtures() {
		files = append(files, testkit.CorpusFile{Name: strconv.Itoa(i) + ".md", Data: f.Source})
	}
	testkit.WriteDocuments(t, dir, files)
	for _, pattern := range []string{"section", "the", "# S", "[0-9]{2,}", "^#+ ", "(alpha|beta)", "S", "xyzzy"} {
		l, err := ParseLines(pattern, true, SmartCase)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, f := range files {
			got += len(slices.Collect(l.In(f.Data)))
		}
		out, _ := exec.Command("rg", "-S", "--no-filename", "-c", "-e", pattern, dir).Output()
		want := 0
		for n := range strings.FieldsSeq(string(out)) {
			k, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			want += k
		}
		if got != want {
			t.Errorf("%q: %d lines in %s, ripgrep %d", pattern, got, filepath.Base(dir), want)
		}
	}
}

// TestLinesOfManyStates looks for what takes more states than are kept, as package regexp does.
func TestLinesOfManyStates(t *testing.T) {
	const pattern = `a(a|b|c|é){18}b`
	random := rand.New(rand.NewPCG(1, 2))
	var src []byte
	for range 4000 {
		for range 30 {
			src = append(src, "aabbc"[random.IntN(5)])
		}
		src = append(src, '\n')
	}
	l, err := ParseLines(pattern, true, ExactCase)
	if err != nil {
		t.Fatal(err)
	}
	re := regexp.MustCompile(pattern)
	var want []Line
	for at := 0; at < len(src); at += 31 {
		if re.Match(src[at : at+30]) {
			want = append(want, Line{at, at + 30})
		}
	}
	if got := slices.Collect(l.In(src)); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
	a, err := newAutomaton(l.tree, l.re) // for one that was used may be gone
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(src); at += 31 {
		if hit := a.find(src, at); hit < 0 {
			break
		}
	}
	if a.remade == 0 || len(a.next) > 2*maxTable {
		t.Errorf("tables of %d entries were made anew %d times", len(a.next), a.remade)
	}
}
