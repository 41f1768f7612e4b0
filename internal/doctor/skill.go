package doctor

import (
	_ "embed"
	"strings"
)

// skillText is the skill file. Its front matter is kept to plain lines "key: value",
// which need no YAML.
//
//go:embed skill/SKILL.md
var skillText string

// SkillFile tells an agent how to work with this program's tools, in the form of
// agentskills.io.
type SkillFile struct {
	Name        string // of the skill, and of the folder that it is put into
	Description string // when to use it
	Text        string // of the whole file, front matter included
}

// Skill returns the skill file.
func Skill() SkillFile {
	s := SkillFile{Text: skillText}
	rest, _ := strings.CutPrefix(skillText, "---\n")
	head, _, _ := strings.Cut(rest, "\n---\n")
	for line := range strings.SplitSeq(head, "\n") {
		switch key, value, _ := strings.Cut(line, ": "); key {
		case "name":
			s.Name = value
		case "description":
			s.Description = value
		}
	}
	return s
}
