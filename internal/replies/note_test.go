package replies

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestNotes writes each form of a note and expects that it is known again, with and
// without a mark, and as text it is nothing else.
func TestNotes(t *testing.T) {
	one, some := markdown.Lines{First: 9, Last: 9}, markdown.Lines{First: 9, Last: 12}
	read, shown, plan, unseen := "read those lines too", "did not show", "left out of a plan", "below a text"
	u := Unseen{Count: 4, First: []string{"U+202E at line 3", "U+200B at line 4 of a.md"}}
	for note, want := range map[string]string{
		LeftOutLines(one, 0):                 read + " (lines 9)",
		LeftOutLines(some, 0):                read + " (lines 9-12)",
		LeftOutLines(one, 21):                read + " (lines 9 (from character 21))",
		LeftOutLines(some, 21):               read + " (lines 9 (from character 21), 10-12)",
		LeftOutEnd(one, some, "h1.0?tail=1"): read + " (line 9)",
		LeftOutEnd(some, markdown.Lines{First: 1, Last: 12}, "~a b"):           read + " (lines 9-12)",
		LeftOutAfter(0, some, "select h1.0 alone"):                             read + " (lines 9-12)",
		LeftOutAfter(30, one, "rest: with max_chars=9"):                        read + " (line 9 behind 30 characters)",
		LeftOutAfter(30, some, "rest of line 9: a", "b"):                       read + " (line 9 behind 30 characters and lines 10-12)",
		LeftOutOfPlan(1, "line", "x"):                                          plan,
		LeftOutOfPlan(2, "task", "x"):                                          plan,
		LeftOutBelowDone(1, "x"):                                               plan,
		CutTasks(2, "x"):                                                       plan,
		"[left out: 3 tasks below those that are done]\n":                      plan, // of older versions
		LeftOutBelowDone(3, "x"):                                               plan,
		LeftOutDifference(CutDifference(7, ", within a.md", "read the files")): plan,
		LeftOutDifference(CutDifference(1, "", "raise it")):                    plan,
		LeftOutRest(889, 905, "read the section"):                              shown,
		LeftOutRest(1, 1, "read the section"):                                  shown,
		NotShownMatches(1, 2, ""):                                              shown,
		NotShownMatches(2, 9, ": h1.0 and so on; select fewer at a time"):      shown,
		PutOffHeadings(1, ": lines 9-12"):                                      shown,
		PutOffHeadings(3, "; ask for them again"):                              shown,
		WarningNote(u.Number()):                                                unseen,
		WarningNote(u.Warning()):                                               unseen,
	} {
		line, ended := strings.CutSuffix(note, "\n")
		if !ended {
			t.Errorf("%q has no line ending", note)
		}
		for _, mark := range []string{"", "abcdef "} {
			if got := MeaningOfForm(mark + line); !strings.Contains(got, want) {
				t.Errorf("%q means %q, want %q", mark+line, got, want)
			}
		}
		for _, other := range []string{line + ".", "See " + line, strings.Trim(line, "[]")} {
			if got := MeaningOfForm(other); got != "" {
				t.Errorf("%q means %q, but is none of ours", other, got)
			}
		}
	}
}
