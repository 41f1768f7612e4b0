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

// maxHooks is the number of hooks that a configuration may name: git looks each setting up among all
// variables, in time that grows as their square.
const maxHooks = 1000

// overrides returns the variables that switch off each hook that the configuration names, which
// since git 2.54 run beside those of core.hooksPath, and that keep other users from writing to
// what git makes. Variables can have names that a command line can't.
func (s *gitStore) overrides(ctx context.Context, at *repoproof.GitPlace) ([]string, error) {
	c := &call{first: harmlessGit(), env: at.Env(), writes: []string{}, reads: at.Reads, args: []string{"config", "-z", "--get-regexp", `^(hook\..*|core\.sharedrepository)$`}}
	r, err := s.program.in(at.WorkDir()).try(ctx, c)
	if err == nil && r.exit > 1 { // 1 says that there are none
		err = s.explain(c, &r)
	}
	if err != nil {
		return nil, err
	}
	const shared = "core.sharedrepository"
	settings := map[string]string{shared: ""}
	for entry := range strings.SplitSeq(string(r.out), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		if key == shared { // the last one counts
			settings[shared] = sharing(value)
		} else if last := strings.LastIndexByte(key, '.'); last > len("hook.") { // else it names no hook
			settings[key[:last]+".enabled"] = "false"
		}
	}
	if len(settings) > maxHooks+1 {
		return nil, &Error{
			Type: TypeUntrusted, Critical: true, Told: true,
			Message: "git's configuration, such as the repository's `config`, names more than 1,000 hooks, too many to switch off; nothing was written",
			Hint:    "take out those that nobody needs: `git config --show-origin --name-only --get-regexp ^hook` names them and their files",
		}
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
