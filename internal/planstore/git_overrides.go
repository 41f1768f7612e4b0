package planstore

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/repoproof"
)

// mayObey reports whether a command obeys settings that overrides takes away: it may run hooks, for
// it moves a ref or may write the index, or it makes files.
func mayObey(c *call) bool {
	return slices.Contains([]string{"update-ref", "diff", "ls-files", "mktree", "commit-tree"}, c.args[0])
}

// maxOff is the number of hooks, or of settings of filters, that a configuration may have: git looks
// each that is switched off up among all others, in time that grows as their square.
const maxOff = 1000

// tooManyOff returns the error for more settings than are switched off, which the configuration has in
// sections of a name.
func tooManyOff(has, section, so string) error {
	return &Error{
		Type: TypeUntrusted, Critical: true, Told: true,
		Message: "git's configuration, such as the repository's `config`, " + has + ", too many to switch off; " + so,
		Hint:    "take out those that nobody needs: `git config --show-origin --name-only --get-regexp ^" + section + "` names them and their files",
	}
}

// configured returns what git's configuration has by keys that match, each as "KEY\nVALUE" and in the
// order in which it counts.
func (s *gitStore) configured(ctx context.Context, at *repoproof.GitPlace, keys string) ([]string, error) {
	c := &call{writes: []string{}, args: []string{"config", "-z", "--get-regexp", keys}}
	r, err := s.tryAt(ctx, at, c)
	if err == nil && r.exit > 1 { // 1 says that there are none
		err = s.explain(c, &r)
	}
	if err != nil || len(r.out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(r.out), "\x00"), "\x00"), nil
}

// offVariable holds the empty value for filters whose names can't be written on a
// command line. A git that is too old to take it from there fails, and runs none.
const offVariable = "SECTILE_OFF"

// filtersOff returns the arguments and variables that switch off each filter that is configured.
func (s *gitStore) filtersOff(ctx context.Context) (first, env []string, err error) {
	at, err := s.place(ctx)
	if err != nil {
		return nil, nil, err
	}
	settings, err := s.configured(ctx, at, `^filter\..*\.(clean|process|smudge|required)$`)
	if err != nil {
		return nil, nil, err
	}
	for i := range settings {
		settings[i], _, _ = strings.Cut(settings[i], "\n")
	}
	slices.Sort(settings)
	if settings = slices.Compact(settings); len(settings) > maxOff {
		return nil, nil, tooManyOff("has more than 1,000 settings of filters", "filter", "no files were compared")
	}
	for _, key := range settings {
		required := strings.HasSuffix(key, ".required")
		switch {
		case strings.Contains(key, "=") && required:
			first = append(first, "--config-env="+key+"="+offVariable+"_NOT")
		case strings.Contains(key, "="):
			first = append(first, "--config-env="+key+"="+offVariable)
		case required:
			first = append(first, "-c", key+"=false")
		default:
			first = append(first, "-c", key+"=")
		}
	}
	return first, []string{offVariable + "=", offVariable + "_NOT=false"}, nil
}

// overrides returns the variables that switch off each hook that the configuration names, which
// since git 2.54 run beside those of core.hooksPath, and that keep other users from writing to
// what git makes. Variables can have names that a command line can't.
func (s *gitStore) overrides(ctx context.Context, at *repoproof.GitPlace) ([]string, error) {
	entries, err := s.configured(ctx, at, `^(hook\..*|core\.sharedrepository)$`)
	if err != nil {
		return nil, err
	}
	const shared = "core.sharedrepository"
	settings := map[string]string{shared: ""}
	for _, entry := range entries {
		key, value, _ := strings.Cut(entry, "\n")
		if key == shared { // the last one counts
			settings[shared] = sharing(value)
		} else if last := strings.LastIndexByte(key, '.'); last > len("hook.") { // else it names no hook
			settings[key[:last]+".enabled"] = "false"
		}
	}
	if len(settings) > maxOff+1 {
		return nil, tooManyOff("names more than 1,000 hooks", "hook", "nothing was written")
	}
	if settings[shared] == "" {
		delete(settings, shared)
	}
	env := []string{fmt.Sprint("GIT_CONFIG_COUNT=", len(settings))}
	for key, value := range settings {
		n := len(env) / 2
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
	}
	return env, nil
}

// ignoredOfUser returns the file of ignored names that the user's own configuration of git has for a
// repository, or git's usual one. What applies there git alone can tell (`includeIf`).
func (s *gitStore) ignoredOfUser(ctx context.Context, at *repoproof.GitPlace) string {
	c := &call{first: harmlessGit(), env: at.Env(), writes: []string{}, reads: at.Reads, args: []string{"config", "-z", "--show-scope", "--get-all", "core.excludesFile"}}
	r, err := s.program.in(at.WorkDir()).try(ctx, c)
	if err != nil || r.exit > 1 { // 1 says that there are none
		return os.DevNull
	}
	of := strings.Split(string(r.out), "\x00") // a scope, a value, and so on
	for i := len(of) - 2; i > 0; i -= 2 {
		if scope := of[i-1]; scope != "local" && scope != "worktree" {
			return cmp.Or(repofiles.OfHome(of[i]), os.DevNull)
		}
	}
	place := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), repofiles.OfHome("~/.config"))
	if !filepath.IsAbs(place) {
		return os.DevNull
	}
	return filepath.Join(place, "git", "ignore")
}

// sharing returns what is to count in the place of a value of core.sharedRepository, "" for the
// value itself. A team may share a repository, and anybody may read it, which the words of git
// stand for and modes can; that all users of the machine may write to it is left out. What is no
// plain mode, but a number to git, shares nothing.
func sharing(value string) string {
	const (
		words       = 2 // 0, 1 and 2 are some
		modes       = 0o777
		othersWrite = 0o002
	)
	mode, err := strconv.ParseUint(value, 8, 64)
	switch {
	case err != nil && strings.Trim(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz") == "", err == nil && (mode <= words || mode <= modes && mode&othersWrite == 0):
		return ""
	case err == nil && mode <= modes:
		return fmt.Sprintf("%#o", mode&^othersWrite)
	}
	return "umask"
}
