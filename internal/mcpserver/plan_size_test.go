package mcpserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/planning"
)

// TestGatherFits answers within what is announced, however long the plan is and
// however much was changed.
func TestGatherFits(t *testing.T) {
	dir := planned(t, "git")
	session := process(t, dir)
	do(t, session, toolGoal, storyGoal)
	do(t, session, toolDetail, object{"description": strings.Repeat("A line of the description.\n", 57_000/27)})
	for i := range 1200 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("untracked-%04d.txt", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "guide.md"), []byte(strings.Repeat("another line\n", 4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args object
		most int
	}{
		{nil, defaultMaxChars},
		{object{"include_diff": true}, defaultMaxChars + planning.DefaultDiffBytes},
		{object{"include_diff": true, "max_diff_bytes": 1}, defaultMaxChars + 1},
		{object{"include_diff": true, "max_diff_bytes": 1000}, defaultMaxChars + 1000},
		{object{"include_diff": true, "max_diff_bytes": planning.MaxDiffBytes}, capMaxChars},
	} {
		text := do(t, session, toolGather, tt.args)
		n := utf8.RuneCountInString(text)
		if n > tt.most || n < tt.most-2000 {
			t.Errorf("%v: %d characters, want at most %d and not much less", tt.args, n, tt.most)
		}
		shows(t, text, "A line of the description.\n[left out: ", "- untracked untracked-0000.txt\n", " more\n")
		if tt.args != nil {
			shows(t, text, "\n[left out: from line ")
		}
	}
	// What is blank is no description.
	for _, blank := range []string{" \n", "\t", "\r\n\r\n"} {
		m, _ := refusedPlan(t, session, "incorrect input format", toolDetail, object{"description": blank})
		shows(t, fmt.Sprint(m), "field:description")
	}
	m, _ := refusedPlan(t, session, "incorrect input format", toolDetail, object{"description": "x", "expected_version": "zzz"})
	shows(t, fmt.Sprint(m), "field:expected_version")
}
