package planstore

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repoproof"
)

// place proves that the repository belongs to the folder where it was found, and
// returns where it lies. The error is the context's or an *Error.
func (s *gitStore) place(ctx context.Context) (*repoproof.GitPlace, error) {
	switch {
	case s.found.env != nil:
		return s.found.env, nil
	case s.found.kind != Git:
		return nil, &Error{
			Type: TypeNoRepository, Critical: true,
			Message: "plans are to be kept in git, and the project is in none of its repositories",
			Hint:    "make one with `git init`, or set `plan.store` to file or auto in .sectile.yaml",
		}
	}
	at, err := repoproof.New(s.found.dir, &s.options.Trust, s.options.examined, ctx.Err).Git(s.found.bare, repoproof.AskGit{
		Worktree: func(config string) (string, bool) { return s.worktreeIn(ctx, config) },
		Trusts:   func(at *repoproof.GitPlace) bool { return s.gitTrusts(ctx, at) },
	})
	return at, ofProof(err)
}

// worktreeIn returns core.worktree as a file of configuration has it.
func (s *gitStore) worktreeIn(ctx context.Context, config string) (path string, ok bool) {
	c := &call{
		args: []string{"config", "-z", "--file", config, "--get", "core.worktree"},
		env:  []string{"GIT_DIR=" + os.DevNull}, writes: []string{}, // nothing of it is read
	}
	r, err := s.program.in(s.found.dir).try(ctx, c)
	return strings.TrimSuffix(string(r.out), "\x00"), err == nil && r.exit == 0
}

// gitTrusts reports whether git uses the repository though it belongs to somebody else,
// because the user's own configuration of git, or environment, lists it (safe.directory). Git is asked to
// find it, for where it is told it doesn't look whose it is.
func (s *gitStore) gitTrusts(ctx context.Context, g *repoproof.GitPlace) bool {
	c := &call{
		first: append(harmlessGit(), "-c", "safe.bareRepository=all"), args: []string{"rev-parse", "--absolute-git-dir"},
		env: append(ownSettings(os.Environ()), "GIT_CEILING_DIRECTORIES="+filepath.Dir(g.WorkDir())), writes: []string{},
	}
	r, err := s.program.in(g.WorkDir()).try(ctx, c)
	return err == nil && r.exit == 0 && fileinfo.IsSame(strings.TrimSuffix(string(r.out), "\n"), g.GitDir)
}

// ownSettings returns the variables by which the user sets single values of git's
// configuration.
func ownSettings(ours []string) (env []string) {
	for _, variable := range ours {
		name, _, _ := strings.Cut(variable, "=")
		if name == "GIT_CONFIG_COUNT" || name == "GIT_CONFIG_PARAMETERS" || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
			env = append(env, variable)
		}
	}
	return env
}

// ceilings are the folders above which git looks for no repository, by the user's word. In those
// behind an empty entry git follows no links, and compares them as they are written.
func ceilings() []string {
	var list []string
	asWritten := false
	for _, dir := range filepath.SplitList(os.Getenv("GIT_CEILING_DIRECTORIES")) {
		clean := filepath.Clean(dir)
		switch {
		case dir == "":
			asWritten = true
		case !filepath.IsAbs(dir):
		case !asWritten:
			if resolved, err := filepath.EvalSymlinks(dir); err == nil {
				list = append(list, resolved)
			}
		case strings.TrimSuffix(filepath.FromSlash(dir), string(filepath.Separator)) == strings.TrimSuffix(clean, string(filepath.Separator)):
			list = append(list, clean)
		}
	}
	return list
}

// workingFolder is the working directory without links, from which git would look for a
// repository, or "" if it is gone.
func workingFolder() string {
	dir, _ := os.Getwd()
	dir, _ = filepath.EvalSymlinks(dir)
	return dir
}
