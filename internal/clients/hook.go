package clients

import (
	"runtime"

	"github.com/sectile/sectile/internal/runes"
)

// hookSeconds is how long a client waits for the hook. It takes milliseconds.
const hookSeconds = 10

// Hook returns the settings that make Claude Code start the hook. The error is an
// *replies.Error.
func Hook() (Config, error) {
	program, err := command(false)
	if err != nil {
		return Config{}, err
	}
	text, err := hookConfig(runes.ShellQuoted(program) + " hook claude")
	if err != nil {
		return Config{}, err
	}
	return Config{text, []string{"add this to .claude/settings.json in the folder of the project, or to " +
		inHome(runtime.GOOS, ".claude/settings.json") +
		"; for the skill run: sectile hook claude --print-skill > .claude/skills/sectile/SKILL.md"}}, nil
}

// hookConfig renders settings of Claude Code with the command after every read.
func hookConfig(command string) ([]byte, error) {
	type hook struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"` // in seconds
	}
	type matcher struct {
		Matcher string `json:"matcher"`
		Hooks   []hook `json:"hooks"`
	}
	return indented(map[string]map[string][]matcher{
		"hooks": {"PostToolUse": {{"Read", []hook{{"command", command, hookSeconds}}}}},
	})
}
