package edit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// spliced returns the result of splices, each an offset, a length and a text.
func spliced(t testing.TB, before string, splices ...Splice) *Result {
	t.Helper()
	var after []byte
	at := 0
	for _, s := range splices {
		after = append(append(after, before[at:s.Start]...), s.Text...)
		at = s.End
	}
	doc, err := markdown.Parse(append(after, before[at:]...))
	if err != nil {
		t.Fatal(err)
	}
	return &Result{Doc: doc, Splices: splices, before: []byte(before)}
}

// splice is a splice of a text at a range.
func splice(start, end int, text string) Splice {
	return Splice{markdown.Span{Start: start, End: end}, []byte(text)}
}

// rewritten is the result of a splice of all that stands between the equal ends.
func rewritten(t testing.TB, before, after string) *Result {
	t.Helper()
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	if len(before) == len(after) && head == len(before) {
		return spliced(t, before)
	}
	return spliced(t, before, splice(head, len(before)-tail, after[head:len(after)-tail]))
}

func TestDiff(t *testing.T) {
	seven := "1\n2\n3\n4\n5\n6\n7\n"
	for _, test := range []struct {
		name   string
		result *Result
		want   string
	}{
		{"nothing", spliced(t, "a\n"), ""},
		{"a splice of the same", spliced(t, "a\nb\n", splice(0, 2, "a\n")), ""},
		{"a line", spliced(t, seven, splice(6, 7, "x")), "@@ -1,7 +1,7 @@\n 1\n 2\n 3\n-4\n+x\n 5\n 6\n 7\n"},
		{"an inserted line", spliced(t, seven, splice(6, 6, "x\n")), "@@ -1,6 +1,7 @@\n 1\n 2\n 3\n+x\n 4\n 5\n 6\n"},
		{"a line that goes", spliced(t, seven, splice(0, 2, "")), "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n"},
		{"a line ending that goes", spliced(t, "a\nb\nc\n", splice(1, 2, "")), "@@ -1,3 +1,2 @@\n-a\n-b\n+ab\n c\n"},
		{
			"the start of a line joined to the one before", spliced(t, "a\nb\nc\n", splice(0, 2, "x")),
			"@@ -1,3 +1,2 @@\n-a\n-b\n+xb\n c\n",
		},
		{"all of one line", spliced(t, "a\n", splice(0, 1, "b")), "@@ -1 +1 @@\n-a\n+b\n"},
		{"of nothing", spliced(t, "", splice(0, 0, "a\nb\n")), "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"of nothing, one line", spliced(t, "", splice(0, 0, "a")), "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"},
		{"to nothing", spliced(t, "a\nb\n", splice(0, 4, "")), "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"at the end without newline", spliced(t, "a\nb", splice(3, 3, "\nc")), "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n"},
		{"a final newline", spliced(t, "a", splice(1, 1, "\n")), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"no final newline", spliced(t, "a\n", splice(1, 2, "")), "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"context without newline", spliced(t, "a\nb", splice(0, 1, "x")), "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n"},
		{"CRLF", spliced(t, "a\r\nb\r\n", splice(3, 4, "c")), "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"lone CR is no line", spliced(t, "a\rb\rc", splice(2, 3, "x")), "@@ -1 +1 @@\n-a\rb\rc\n\\ No newline at end of file\n+a\rx\rc\n\\ No newline at end of file\n"},
		{"two in a line", spliced(t, "a b c\nd\n", splice(0, 1, "x"), splice(4, 5, "y")), "@@ -1,2 +1,2 @@\n-a b c\n+x b y\n d\n"},
		{"two that touch in lines", spliced(t, "a\nb\n", splice(0, 1, "x"), splice(2, 3, "y")), "@@ -1,2 +1,2 @@\n-a\n-b\n+x\n+y\n"},
		{
			"six lines between", spliced(t, "a\n"+seven[:12]+"b\n", splice(0, 1, "x"), splice(14, 15, "y")),
			"@@ -1,8 +1,8 @@\n-a\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+y\n",
		},
		{
			"seven lines between", spliced(t, "a\n"+seven+"b\n", splice(0, 1, "x\nz"), splice(16, 17, "y")),
			"@@ -1,4 +1,5 @@\n-a\n+x\n+z\n 1\n 2\n 3\n@@ -6,4 +7,4 @@\n 5\n 6\n 7\n-b\n+y\n",
		},
		{
			"narrowed", spliced(t, "# A\n\none\ntwo\n\n# B\n", splice(5, 13, "one\nnew\ntwo\n")),
			"@@ -1,6 +1,7 @@\n # A\n \n one\n+new\n two\n \n # B\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if want != "" {
				want = "--- a/f.md\n+++ b/f.md\n" + want
			}
			if diff := cmp.Diff(want, string(test.result.Diff("f.md"))); diff != "" {
				t.Error(diff)
			}
			checkDiff(t, test.result)
		})
	}
}

func TestDiffName(t *testing.T) {
	for name, want := range map[string]string{
		"a.md":       "a/a.md",
		"x y/a b.md": "a/x y/a b.md\t",
		"ä/é.md":     "a/ä/é.md",
		"a\nb.md":    `"a/a\012b.md"`,
		"a\tb.md":    `"a/a\011b.md"`,
		`a"b\c.md`:   `"a/a\"b\\c.md"`,
		"a\xffb.md":  `"a/a\377b.md"`,
		"a\u202eb":   `"a/a\342\200\256b"`,
		"a\u00a0b":   `"a/a\302\240b"`,
		"a\uFFFDb":   "a/a\uFFFDb",
		"a\u2028b":   `"a/a\342\200\250b"`,
	} {
		head, _, _ := strings.Cut(string(spliced(t, "a\n", splice(0, 1, "b")).Diff(name)), "\n")
		if got := strings.TrimPrefix(head, "--- "); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	diff := string(spliced(t, "a\n", splice(0, 1, "b")).Diff("x\n@@ -1 +1 @@\r"))
	if n := strings.Count(diff, "\n"); n != 5 {
		t.Errorf("%d lines:\n%s", n, diff)
	}
}

func TestLineCounts(t *testing.T) {
	for _, test := range []struct {
		before, after  string
		added, removed int
	}{
		{"a\n", "a\n", 0, 0},
		{"a\nb\nc\n", "a\nx\ny\nc\n", 2, 1},
		{"a\nb\nc\n", "a\nc\n", 0, 1},
		{"", "a\nb", 2, 0},
		{"a", "a\n", 1, 1},
		{"a\r\nb\r\n", "a\r\nc\r\nb\r\n", 1, 0},
	} {
		added, removed := rewritten(t, test.before, test.after).LineCounts()
		if added != test.added || removed != test.removed {
			t.Errorf("%q to %q: got %d added, %d removed", test.before, test.after, added, removed)
		}
	}
}

// TestDiffOfMany checks that a section that was rewritten at a hundred places
// shows these alone, and one that is too long for that is still right.
func TestDiffOfMany(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf("line %d\n\n", i) }
	var before, after strings.Builder
	for i := range 1000 {
		before.WriteString(line(i))
		if i%5 == 0 {
			after.WriteString("new " + line(i))
		} else {
			after.WriteString(line(i))
		}
	}
	r := spliced(t, before.String(), splice(0, before.Len(), after.String()))
	if added, removed := r.LineCounts(); added != 200 || removed != 200 {
		t.Errorf("%d added, %d removed", added, removed)
	}
	checkDiff(t, r)

	same := strings.Repeat("x\n", linediff.MaxLines/2)
	r = spliced(t, "a\n"+same+"b\n", splice(0, len(same)+4, "c\n"+same+"d\n"))
	if added, removed := r.LineCounts(); added != linediff.MaxLines/2+2 || removed != added {
		t.Errorf("%d added, %d removed", added, removed)
	}
	checkDiff(t, r)
}

// checkDiff checks that the diff makes the new source of the old one, that its
// counts are those of LineCounts, and that no line stands in it as both removed
// and added at one place.
func checkDiff(t *testing.T, r *Result) {
	t.Helper()
	diff := r.Diff("f.md")
	added, removed := r.LineCounts()
	got, plus, minus, err := applyDiff(string(r.before), string(diff))
	switch {
	case err != nil:
		t.Fatalf("%v: %q to %q:\n%s", err, short(r.before), short(r.Doc.Source), short(diff))
	case got != string(r.Doc.Source):
		t.Fatalf("%q to %q: the diff makes %q:\n%s", short(r.before), short(r.Doc.Source), short([]byte(got)), short(diff))
	case plus != added || minus != removed:
		t.Fatalf("%d and %d lines in the diff, LineCounts %d and %d", plus, minus, added, removed)
	case bytes.Equal(r.before, r.Doc.Source) != (len(diff) == 0):
		t.Fatalf("%q to %q: %q", short(r.before), short(r.Doc.Source), short(diff))
	}
}

func short(text []byte) []byte { return text[:min(len(text), 500)] }

// applyDiff applies a unified diff as the format is defined, to the letter: no
// offset, no fuzz.
func applyDiff(before, diff string) (after string, added, removed int, err error) {
	if diff == "" {
		return before, 0, 0, nil
	}
	lines := strings.SplitAfter(diff, "\n")
	if lines[len(lines)-1] != "" {
		return "", 0, 0, fmt.Errorf("the last line does not end: %q", lines[len(lines)-1])
	}
	if !strings.HasPrefix(lines[0], "--- ") || !strings.HasPrefix(lines[1], "+++ ") {
		return "", 0, 0, fmt.Errorf("no head: %q", lines[:2])
	}
	lines = lines[2 : len(lines)-1]
	old := strings.SplitAfter(before, "\n")
	if old[len(old)-1] == "" {
		old = old[:len(old)-1]
	}
	at, written := 0, 0 // lines of the old and new document
	var out strings.Builder
	for len(lines) > 0 {
		var h [4]int
		if h, err = hunkHead(lines[0]); err != nil {
			return "", 0, 0, err
		}
		for ; at < h[0]; at++ {
			out.WriteString(old[at])
			written++
		}
		if at != h[0] || written != h[2] {
			return "", 0, 0, fmt.Errorf("%q at lines %d and %d", lines[0], at, written)
		}
		endOld, endNew := at+h[1], written+h[3]
		for lines = lines[1:]; at < endOld || written < endNew; {
			mark, text := lines[0][0], lines[0][1:]
			if lines = lines[1:]; len(lines) > 0 && lines[0] == "\\ No newline at end of file\n" {
				text, lines = text[:len(text)-1], lines[1:]
			}
			if mark != '+' {
				if at == len(old) || old[at] != text {
					return "", 0, 0, fmt.Errorf("line %d is not %q", at+1, text)
				}
				at++
			}
			if mark != '-' {
				out.WriteString(text)
				written++
			}
			switch mark {
			case '+':
				added++
			case '-':
				removed++
			case ' ':
			default:
				return "", 0, 0, fmt.Errorf("%q is no line of a hunk", text)
			}
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String(), added, removed, nil
}

// hunkHead returns how many lines stand before the hunk and in it, in the old and
// the new document.
func hunkHead(line string) (h [4]int, err error) {
	ranges := strings.Fields(line)
	if len(ranges) != 4 || ranges[0] != "@@" || ranges[3] != "@@" || ranges[1][0] != '-' || ranges[2][0] != '+' {
		return h, fmt.Errorf("%q is no head of a hunk", line)
	}
	for i, r := range ranges[1:3] {
		first, n, found := strings.Cut(r[1:], ",")
		if !found {
			n = "1"
		}
		if h[2*i], err = strconv.Atoi(first); err != nil {
			return h, err
		}
		if h[2*i+1], err = strconv.Atoi(n); err != nil {
			return h, err
		}
		if h[2*i+1] > 0 {
			h[2*i]--
		}
	}
	return h, nil
}

// FuzzDiff takes the first text as old source and splices parts of the second in.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "x\ny\n", uint64(1))
	f.Add("a\r\nb\r\rc", "\r\n\n", uint64(2))
	f.Add("", "a", uint64(3))
	f.Add(strings.Repeat("a\n\n", 20), "a\n\na\n", uint64(4))
	f.Fuzz(func(t *testing.T, before, text string, seed uint64) {
		checkDiff(t, randomSplices(t, before, text, rand.New(rand.NewPCG(seed, 0))))
	})
}

// randomSplices returns the result of a few splices with parts of a text.
func randomSplices(t testing.TB, before, text string, r *rand.Rand) *Result {
	t.Helper()
	var list []Splice
	for at := 0; at <= len(before) && len(list) < 8; {
		start := at + r.IntN(len(before)-at+1)
		end := start + r.IntN(min(len(before)-start, 40)+1)
		i := r.IntN(len(text) + 1)
		s := splice(start, end, text[i:i+r.IntN(len(text)-i+1)])
		if start == end && len(s.Text) == 0 {
			break
		}
		list = append(list, s)
		at = end + 1
	}
	return spliced(t, before, list...)
}

// TestDiffOfRandomSplices does what FuzzDiff does on texts of few different lines,
// which are the hard ones.
func TestDiffOfRandomSplices(t *testing.T) {
	testkit.OneGoroutine(t)
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString([]string{"a", "b", "\n", "\n", "\r\n", "\r", "\\ No newline at end of file\n", "-- a\n", "@@ -1 +1 @@\n", "\x00"}[r.IntN(10)])
		}
		return b.String()
	}
	for range 5_000 {
		checkDiff(t, randomSplices(t, pick(60), pick(20), r))
	}
}

// patchProgram returns the path of the program patch.
func patchProgram(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("patch")
	if err != nil {
		testkit.Missing(t, "patch is not installed: scripts/install-tools does it")
	}
	return path
}

// patches are changes of files, each with another name.
type patches map[string]*Result

// add adds a change under a name of its own.
func (p patches) add(r *Result) { p[fmt.Sprintf("f%d.md", len(p))] = r }

// check applies all diffs with the program patch, which is to find the files by
// the names in the diffs.
func (p patches) check(t *testing.T, program string) {
	t.Helper()
	dir := t.TempDir()
	var all []byte
	for name, r := range p {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, r.before, 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Diff(name)...)
	}
	cmd := exec.Command(program, "-p1", "-f", "-s", "-F0")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(all)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	for name, r := range p {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, r.Doc.Source) {
			t.Errorf("%q: %v: got %q, want %q\n%s", name, err, short(got), short(r.Doc.Source), short(r.Diff(name)))
		}
	}
}

func TestPatchProgram(t *testing.T) {
	program := patchProgram(t)
	texts := []string{
		"", "a", "a\n", "\n", "\n\n", "a\nb", "a\nb\n", "b\na\n", "a\r\nb\r\n", "a\r\nb", "a\nb\r\n", "a\rb\rc", "a\rb\rc\n", "\r", "\r\n",
		"\uFEFF# A\n\ntext\n", "\uFEFF# B\n", "\uFEFF", "-- a\n++ b\n", "--- a/f.md\n+++ b/f.md\n@@ -1 +1 @@\n", "\\ No newline at end of file",
		"\\ No newline at end of file\n", " a\n", "\ta\n", "a\x00b\n", "\xff\xfe\n", "ä\n", "*** 1,2 ****\n", "Index: x\n", "1c1\n< a\n", "Prereq: 1.2\n",
		strings.Repeat("a\n", 20), strings.Repeat("a\n", 21) + "b", strings.Repeat("a\r\n", 20),
	}
	all := patches{}
	for _, before := range texts {
		for _, after := range texts {
			all.add(spliced(t, before, splice(0, len(before), after)))
		}
	}
	for _, name := range []string{
		"a b.md", " a.md", "a .md", "x y/z.md", "ä ö.md", "a\tb.md", "a\nb.md", "a\n--- c\n+++ d.md", `a"b.md`, `a\b.md`, `a\012b.md`, "a\rb.md", "a\u202eb.md", "a\u00a0b.md",
		"-a.md", "'a'.md", "a\xff.md", "+++ b.md", "a 2001-01-01 00:00:00.md", "a\v\f\x01.md",
	} {
		all[name] = spliced(t, "a\n", splice(0, 1, "b"))
	}
	all.check(t, program)
}

func TestPatchProgramOnDocuments(t *testing.T) {
	program := patchProgram(t)
	documents := []string{}
	for _, f := range testkit.Fixtures() {
		documents = append(documents, string(f.Source))
	}
	if os.Getenv("SECTILE_CORPUS") != "" {
		for i, f := range testkit.CorpusFiles(t) {
			if i%20 == 0 {
				documents = append(documents, string(f.Data))
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	all := patches{}
	for _, text := range documents {
		lf := strings.ReplaceAll(text, "\r\n", "\n")
		for _, before := range []string{lf, strings.ReplaceAll(lf, "\n", "\r\n"), strings.TrimRight(lf, "\n")} {
			all.add(randomSplices(t, before, "## New\n\n- a\n- b\n\n\n", r))
			i := r.IntN(len(before))
			all.add(randomSplices(t, before, before[i:min(i+200, len(before))], r))
		}
	}
	all.check(t, program)
}

func BenchmarkDiff(b *testing.B) {
	large := strings.Repeat(string(testkit.LargeFixture().Source), 50)
	lines := strings.SplitAfter(large, "\n")
	r := rand.New(rand.NewPCG(5, 6))
	shuffled := append([]string(nil), lines...)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	blank := strings.Repeat("\n", 200_000)
	var distinct, edited strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&distinct, "a line of text and its number, %d\n", i)
		fmt.Fprintf(&edited, "a line of text and its number, %d\n", i+r.IntN(2))
	}
	all := strings.ReplaceAll(large, "the", "THE")
	for _, bench := range []struct {
		name   string
		result *Result
	}{
		{"line", spliced(b, large, splice(len(large)/2, len(large)/2+1, "x"))},
		{"shuffled", spliced(b, large, splice(0, len(large), strings.Join(shuffled, "")))},
		{"replaced", spliced(b, large, splice(0, len(large), all))},
		{"distinct", spliced(b, distinct.String(), splice(0, distinct.Len(), edited.String()))},
		{"blank", spliced(b, "a"+blank+"b", splice(0, len(blank)+2, "c"+blank[1000:]+"d"))},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.result.before)))
			for b.Loop() {
				bench.result.Diff("f.md")
			}
		})
	}
}
