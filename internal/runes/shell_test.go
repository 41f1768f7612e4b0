package runes

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/testkit"
)

// TestShellQuoted: a real bash reads back each argument, and nothing else, whatever it has beside
// characters that must stay on one line.
func TestShellQuoted(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		testkit.Missing(t, "there is no bash here")
	}
	pieces := []string{`"`, `'`, `\`, "\a", "\n", "\t", "\x7f", "\u0085", "$(touch x)", "`", ";", "#", " ", "é", "\u2028", "\u202e", "\xff", "a", "!", "U0001f600"}
	random := rand.New(rand.NewPCG(7, 8))
	arguments := []string{"notes\a.md\"", "\"", "\"\a\"", "'\n'", `\` + "\n"}
	for range 500 {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		arguments = append(arguments, b.String())
	}
	line := "printf '%s\\0'"
	for _, a := range arguments {
		quoted := ShellQuoted(a)
		if !utf8.ValidString(quoted) || strings.ContainsFunc(quoted, Acts) {
			t.Errorf("%q is quoted as %q", a, quoted)
		}
		line += " " + quoted
	}
	cmd := exec.Command(bash, "--norc", "-c", line)
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if i >= len(arguments) || got != arguments[i] {
			t.Fatalf("%q is read as %q, quoted %s", arguments[min(i, len(arguments)-1)], got, ShellQuoted(arguments[min(i, len(arguments)-1)]))
		}
	}
}

func TestShellQuotedForm(t *testing.T) {
	for name, want := range map[string]string{
		"feature/x-1.2@y": "feature/x-1.2@y", "": "''", "$(x)": "'$(x)'", "a'b": `'a'\''b'`, "a b": "'a b'", "a$b": "'a$b'", "ü": "'ü'",
		"gr\xfcn": `$'gr\xfcn'`,
	} {
		if got := ShellQuoted(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
