//go:build unix

package planstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// What the aliases and templates of a repository may do to what is read.

// words are those that a template can have, but self, of a type that fits.
var words = map[string]string{
	"description": `if(%s, "", "")`, "change_id": `if(%s, "", "")`, "commit_id": `if(%s, "", "")`,
	"current_working_copy": "%s", "working_copies": `if(%s, "", "")`, "conflict": "%s", "immutable": "%s", "divergent": "%s", "empty": "%s",
	"diff": `if(%s, "", "")`, "f": `if(%s, "", "")`, "each": `if(%s, "", "")`, "EACH": `if(%s, "", "")`,
	`"json(x)"`: `if(%s, "", "")`, `"stringify(x)"`: `if(%s, "", "")`, `"if(x, y, z)"`: "x",
}

// asksSigner is true, after a signer was asked, with words that are no aliases.
const asksSigner = `(self.signature().status() == "good" || true)`

// TestJJAliases has a repository give every word another meaning, one that runs the
// program that it names for signatures. What is read is what there is, and nothing runs.
func TestJJAliases(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	var aliases, templates strings.Builder
	for word, meaning := range words {
		fmt.Fprintf(&aliases, "%s = '''%s'''\n", word, strings.ReplaceAll(meaning, "%s", asksSigner))
	}
	for _, name := range []string{"commit_summary", "log", "log_node", "op_log", "show", "draft_commit_description", "new_description", "commit_trailers"} {
		fmt.Fprintf(&templates, "%s = '''\"x: \" ++ %s'''\n", name, asksSigner)
	}
	templates.WriteString("op_summary = 'no_such_word'\n")
	for name, c := range map[string]struct {
		config string
		signed string // what a signature begins with
	}{
		"words":     {"[template-aliases]\n" + aliases.String() + "[templates]\n" + templates.String(), "-----BEGIN PGP SIGNATURE-----"},
		"of log":    {"[[--scope]]\n--when.commands = [\"log\", \"describe\"]\n[--scope.template-aliases]\n" + aliases.String(), "-----BEGIN SSH SIGNATURE-----"},
		"templates": {"[templates]\n" + templates.String(), "-----BEGIN SIGNED MESSAGE-----"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, h := newHostileJJ(t, c.config, c.signed)
			if now := load(t, s); now.Text != "Words of mine\n" {
				t.Errorf("%+v", now)
			}
			write(t, filepath.Join(h.dir, "a.txt"), "one\n")
			now, changes, err := s.Survey(t.Context())
			if err != nil || now.Text != "Words of mine\n" || len(changes.Files) != 1 || changes.Files[0] != (Change{"added", "a.txt"}) || changes.Unknown != "" {
				t.Errorf("%+v %+v %v", now, changes, err)
			}
			if plans, err := s.List(t.Context()); err != nil || len(plans) != 1 {
				t.Errorf("%+v %v", plans, err)
			}
			h.nothingRan(t)
			save(t, s, plan)
			if next, old, err := s.New(t.Context(), never); err != nil || next.Text != "" || old.Name != now.Name {
				t.Errorf("%+v %+v %v", next, old, err)
			}
			h.nothingRan(t)
		})
	}
}

// TestJJSelf has a repository give the one word that is needed another meaning: it is
// found out, and nothing is written.
func TestJJSelf(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for name, meaning := range map[string]string{
		"another change": "parents.filter(|p| signature.status() == \"good\" || true).first()",
		"the parent":     "parents.first()",
		"a text":         `description ++ "divergent ` + "\nError: Change ID `x` is divergent" + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := "[template-aliases]\nself = '''" + meaning + "'''\n"
			s, h := newHostileJJ(t, config, "-----BEGIN PGP SIGNATURE-----")
			_, err := s.Load(t.Context())
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Hint != aliasHint || !e.Critical || e.Type != TypeFailed && e.Type != TypeExit {
				t.Errorf("%s", detail(err))
			}
			if _, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil }); err == nil {
				t.Error("it was written")
			}
			_, _ = s.List(t.Context()) // may know others, or fail
			h.nothingRan(t)
			write(t, h.config, "")
			if now := load(t, s); now.Text != "Words of mine\n" {
				t.Errorf("%+v", now)
			}
		})
	}
}

// hostileJJ is a repository that is not to be trusted.
type hostileJJ struct{ dir, jj, config, mark string }

// newHostileJJ makes a repository whose change is signed, with a configuration as it
// lies in one that was copied from somewhere.
func newHostileJJ(t *testing.T, config, signed string) (Store, *hostileJJ) {
	t.Helper()
	h := &hostileJJ{mark: filepath.Join(t.TempDir(), "mark")}
	h.dir, h.jj = newJJ(t)
	h.config = filepath.Join(h.dir, ".jj", "repo", "config.toml")
	signer := script(t, filepath.Join(t.TempDir(), "signer"), fmt.Sprintf("cat >/dev/null; touch '%s'; echo '%s'; echo; echo x", h.mark, signed))
	runWith(t, h.dir, "Words of mine\n", h.jj, "describe", "--stdin", "--config=signing.backend=gpg", "--config=signing.behavior=own",
		"--config=signing.key=me", "--config=signing.backends.gpg.program="+signer)
	h.ran(t, "the change is not signed")
	program := fmt.Sprintf("program = %q\n", signer)
	write(t, h.config, "[signing.backends.gpg]\n"+program+"[signing.backends.gpgsm]\n"+program+"[signing.backends.ssh]\n"+program+
		"allowed-signers = \"/dev/null\"\n"+config)
	// Without the name of a safe copy jj takes up what lies there.
	if err := os.Remove(filepath.Join(h.dir, ".jj", "repo", "config-id")); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	out, _ := tryRun(t, h.dir, "", h.jj, "log", "-r@", "--no-graph", "--ignore-working-copy", "-T", `signature.status()`,
		`--config=templates.op_summary=""`, `--config=templates.commit_summary=""`, `--config=templates.log_node=""`,
		`--config=template-aliases."format_short_change_id_with_change_offset(commit)"='""'`)
	h.ran(t, "the configuration has no effect: "+out)
	h.config = strings.TrimSpace(run(t, h.dir, h.jj, "config", "path", "--repo")) // jj has put it elsewhere
	return jjStoreIn(t, h.dir, h.jj), h
}

// ran sees that the program was run, and forgets it.
func (h *hostileJJ) ran(t *testing.T, otherwise string) {
	t.Helper()
	if err := os.Remove(h.mark); err != nil {
		t.Fatalf("%s: %v", otherwise, err)
	}
}

func (h *hostileJJ) nothingRan(t *testing.T) {
	t.Helper()
	if os.Remove(h.mark) == nil {
		t.Error("a program of the repository was run")
	}
}

// TestJJNames has the names of a repository say that the change is another one.
func TestJJNames(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for name, trick := range map[string]func(t *testing.T, dir, jj, id string){
		"alias": func(t *testing.T, dir, jj, id string) {
			run(t, dir, jj, "config", "set", "--repo", "revset-aliases."+id, `description(substring:"Other")`)
		},
		"bookmark": func(t *testing.T, dir, jj, id string) {
			run(t, dir, jj, "bookmark", "create", id, "-r", `description(substring:"Other")`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, jj := newJJ(t)
			run(t, dir, jj, "commit", "-m", "Other")
			s := jjStoreIn(t, dir, jj)
			before := save(t, s, plan)
			trick(t, dir, jj, strings.TrimSpace(run(t, dir, jj, "log", "--no-graph", "-r@", "-Tchange_id")))
			_, err := Save(t.Context(), s, plan+"- [ ]: three\n", before.Version)
			if now := load(t, s); (err == nil) != (now.Text == plan+"- [ ]: three\n") {
				t.Errorf("%+v %v", now, err)
			}
			if got := run(t, dir, jj, "log", "--no-graph", "-r@-", "-Tdescription"); got != "Other\n" {
				t.Errorf("another change was written to: %s", got)
			}
		})
	}
}

// TestJJListsTooMuch has jj list more files than are read, and fail to tell any.
func TestJJListsTooMuch(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for body, want := range map[string]string{
		"yes":                          "8 MiB",
		"echo Error: no files; exit 1": "exit code 1",
	} {
		dir, jj := newJJ(t)
		saved := save(t, jjStoreIn(t, dir, jj), plan)
		fake := script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf(`case "$*" in *'.diff()'*) { %s; } >&%d;; *) exec '%s' "$@";; esac`, body, 1+strings.Count(body, "exit"), jj))
		s := jjStoreIn(t, dir, fake)
		state, changes, err := s.Survey(t.Context())
		if err != nil || state != saved || !strings.Contains(changes.Unknown, want) || len(changes.Files) != 0 {
			t.Errorf("%s: %+v %+v %v", body, state, changes, err)
		}
	}
}

// TestJJExplains has jj fail in the ways that are known.
func TestJJExplains(t *testing.T) {
	t.Parallel()
	dir, _ := newJJ(t)
	for said, want := range map[string]Type{
		`Error: There is no jj repo in "."`:                                            TypeNoRepository,
		"Error: The working copy is stale (not updated since operation x)":             TypeStale,
		"Internal error: Failed to check out commit abc":                               TypeStale,
		"Error: Commit abc is immutable":                                               TypeImmutable,
		"Error: Change ID `x` is divergent":                                            TypeDivergent,
		"Warning: a\nError: Change ID `x` is divergent\nHint: b":                       TypeDivergent,
		"Error: Revset `x` resolved to more than one revision":                         TypeDivergent,
		"Error: Something else":                                                        TypeExit,
		"Error: Failed to parse template: no\nCaused by:\n1 | self.divergent()\n":      TypeExit,
		"Warning: x is divergent\nError: Something else\nHint: the change is stale":    TypeExit,
		"Internal error: Unexpected\nCaused by: Error: Change ID `x` is divergent, so": TypeExit,
	} {
		body := `case $1 in --version) echo jj 0.46.0; exit;; esac; cat >&2 <<'END'` + "\n" + said + "\nEND\nexit 1"
		_, err := jjStoreIn(t, dir, script(t, filepath.Join(t.TempDir(), "jj"), body)).Load(t.Context())
		e := typed(t, err, want)
		if e.Exit != 1 || e.Critical != (want == TypeExit || want == TypeNoRepository) ||
			!strings.Contains(e.Message, "ended with exit code 1") || strings.Contains(e.Message, "rror: ") || strings.Contains(e.Message, "Change ID") {
			t.Errorf("%s: %s", said, detail(err))
		}
		if (e.Hint == aliasHint) != strings.Contains(said, "template") {
			t.Errorf("%s: hint %s", said, e.Hint)
		}
	}
}
