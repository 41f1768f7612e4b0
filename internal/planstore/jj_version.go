package planstore

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/runes"
)

// Versions of Jujutsu, and what each is told so that nothing of a repository's runs.

// jjVersion is major and minor version.
type jjVersion struct{ major, minor int }

var (
	oldestJJ   = jjVersion{0, 25} // has --config
	jsonJJ     = jjVersion{0, 32} // has strings in JSON and lists of workspaces in templates
	behaviorJJ = jjVersion{0, 27} // has signing.behavior instead of signing.sign-all
	monitorJJ  = jjVersion{0, 32} // has fsmonitor.backend instead of core.fsmonitor
	headsJJ    = jjVersion{0, 45} // keeps git's HEAD by the workspace
)

func (v jjVersion) before(w jjVersion) bool {
	return v.major < w.major || v.major == w.major && v.minor < w.minor
}

// ask returns the version of the program. Those that come before it was told ask each
// by itself, for one that hangs must not keep the others waiting one after another.
func (s *jjStore) ask(ctx context.Context) (jjVersion, error) {
	if v := s.version.Load(); v != nil {
		return *v, nil
	}
	c := &call{args: []string{"--version"}, writes: []string{}}
	// Even for that jj looks for a repository, and may move the configuration of one that
	// wasn't proven yet. At the root of the file system there is none of a stranger's.
	r, err := s.program.in(filepath.VolumeName(s.options.Root)+string(filepath.Separator)).run(ctx, c)
	if err != nil {
		return jjVersion{}, err
	}
	said, _, _ := strings.Cut(strings.TrimSpace(string(r.out)), "\n")
	v, ok := parseJJVersion(said)
	if !ok || v.before(oldestJJ) {
		return v, &Error{
			Type: TypeVersion, Command: s.program.show(c), Critical: true,
			Message: fmt.Sprintf("plans need jj %d.%d or newer, and this one says %q", oldestJJ.major, oldestJJ.minor, runes.Clip(said, 100)),
			Hint:    "install a newer jj, or set `plan.store` to git or file in .sectile.yaml",
		}
	}
	s.version.Store(&v)
	return v, nil
}

// parseJJVersion reads what `jj --version` prints: "jj 0.46.0-2f4e".
func parseJJVersion(said string) (v jjVersion, ok bool) {
	number, ok := strings.CutPrefix(said, "jj ")
	parts := strings.SplitN(number, ".", 3)
	if !ok || len(parts) < 2 {
		return v, false
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	return jjVersion{major, minor}, errMajor == nil && errMinor == nil
}

// seed returns a number that no other command of Jujutsu begins to draw with, as its configuration has it.
func seed() string {
	var drawn [8]byte
	_, _ = rand.Read(drawn[:])                                          // which has no error
	return strconv.FormatUint(binary.BigEndian.Uint64(drawn[:])>>1, 10) // TOML has no larger number
}

// harmless are the arguments that keep configuration out of a command: what would
// run another program, or change what is printed or stored. What is asked for here
// counts more than any file, the tables for single commands included.
func (v jjVersion) harmless() []string {
	args := []string{
		"--color", "never", "--no-pager",
		"--config=ui.progress-indicator=false",
		"--config=ui.log-word-wrap=false",
		"--config=ui.diff-formatter=:git",
		"--config=signing.backend=none",
		// Or a look at a working copy that another workspace has made stale writes its files anew.
		"--config=snapshot.auto-update-stale=false",
		// Or what git has moved or deleted a branch away from is given up, and files are written anew.
		"--config=git.abandon-unreachable-commits=false",
		// Or identifiers of changes are drawn from a number that the repository names: each is that of the one before.
		"--config=debug.randomness-seed=" + seed(),
		// These four are read by every command, whether it prints them or not.
		`--config=templates.log_node=""`,
		`--config=template-aliases."format_short_change_id_with_change_offset(commit)"='""'`,
		`--config=templates.commit_summary=""`,
		`--config=templates.op_summary=""`,
		`--config=templates.commit_trailers=""`,
		`--config=templates.new_description=""`,
		`--config=templates.draft_commit_description=""`,
	}
	// A template that asks whether a signature is good runs one of these, whatever
	// signs commits, and each word of a template may be an alias that asks.
	for _, program := range [...]string{
		"signing.backends.gpg.program", "signing.backends.gpgsm.program", "signing.backends.ssh.program", "git.executable-path",
	} {
		args = append(args, fmt.Sprintf("--config=%s='%s'", program, os.DevNull))
	}
	if v.before(behaviorJJ) {
		args = append(args, "--config=signing.sign-all=false")
	} else {
		args = append(args, "--config=signing.behavior=drop")
	}
	if v.before(monitorJJ) {
		return append(args, "--config=core.fsmonitor=none")
	}
	return append(args, "--config=fsmonitor.backend=none")
}
