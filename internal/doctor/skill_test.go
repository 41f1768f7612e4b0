package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkill returns the file as it is, and what its front matter says.
func TestSkill(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("skill", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	s := Skill()
	if s.Text != string(text) {
		t.Error("the text is not that of the file")
	}
	if want := "---\nname: " + s.Name + "\ndescription: " + s.Description + "\n---\n\n# "; !strings.HasPrefix(s.Text, want) {
		t.Errorf("the file begins with\n%.400s\nwant\n%s", s.Text, want)
	}
	if s.Name != "sectile" || !strings.Contains(s.Description, "Markdown") {
		t.Errorf("name %q, description %q", s.Name, s.Description)
	}
}
