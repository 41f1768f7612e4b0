package planstore

import (
	"context"
	"path/filepath"
	"strings"
)

// Comparing files with HEAD may run programs: those that clean files before they
// are compared, which a repository names in its configuration and its attributes.
// There is no switch for them; each that is configured is switched off by name.
// Where such a program changes what is stored (large files, say), a file that was
// touched may be listed as modified although it is not.

// Survey lists the files that differ from HEAD.
func (s *gitStore) Survey(ctx context.Context) (State, Changes, error) {
	state, err := s.Load(ctx)
	if err != nil {
		return State{}, Changes{}, err
	}
	first, ok, err := s.compare(ctx)
	if err != nil || !ok {
		return state, Changes{}, err
	}
	r, err := s.run(ctx, &call{first: first, args: []string{
		"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty",
	}})
	if err != nil {
		return state, Changes{}, err
	}
	return state, newChanges("HEAD", s.relative(parseStatus(string(r.out)))), nil
}

// relative turns paths below the repository's folder into paths from the root.
func (s *gitStore) relative(changes []Change) []Change {
	below, err := filepath.Rel(s.folder, s.options.Root)
	if err != nil || below == "." {
		return changes
	}
	for i := range changes {
		if path, err := filepath.Rel(below, filepath.FromSlash(changes[i].Path)); err == nil {
			changes[i].Path = filepath.ToSlash(path)
		}
	}
	return changes
}

// Diff compares the files that git tracks with HEAD.
func (s *gitStore) Diff(ctx context.Context, limit int) (Diff, error) {
	first, ok, err := s.compare(ctx)
	if err != nil || !ok || limit <= 0 {
		return Diff{}, err
	}
	against := "HEAD"
	r, err := s.try(ctx, &call{args: []string{"rev-parse", "-q", "--verify", "HEAD"}})
	if err != nil {
		return Diff{}, err
	}
	if r.exit != 0 { // nothing was committed
		if r, err = s.run(ctx, &call{args: []string{"hash-object", "-t", "tree", "--stdin"}}); err != nil {
			return Diff{}, err
		}
		against = strings.TrimSuffix(string(r.out), "\n")
	}
	r, err = s.run(ctx, &call{first: first, output: limit + 1, args: []string{
		"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty",
		"--src-prefix=a/", "--dst-prefix=b/", against, "--",
	}})
	if err != nil {
		return Diff{}, err
	}
	return newDiff(&r, limit), nil
}

// compare returns the arguments that switch off the programs that a comparison
// would run, and whether there are files to compare: a repository that says that
// its files lie elsewhere is not believed.
func (s *gitStore) compare(ctx context.Context) (first []string, ok bool, err error) {
	r, err := s.try(ctx, &call{args: []string{"rev-parse", "--show-toplevel"}})
	if err != nil || r.exit != 0 { // it is bare
		return nil, false, err
	}
	top := strings.TrimSuffix(string(r.out), "\n")
	if s.folder == "" || !sameFolder(filepath.FromSlash(top), s.folder) {
		return nil, false, nil
	}
	r, err = s.try(ctx, &call{args: []string{"config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process|smudge|required)$`}})
	if err != nil {
		return nil, false, err
	}
	for key := range strings.SplitSeq(strings.TrimSuffix(string(r.out), "\x00"), "\x00") {
		switch {
		case key == "":
		case strings.Contains(key, "="): // can't be switched off on a command line
			return nil, false, nil
		case strings.HasSuffix(key, ".required"):
			first = append(first, "-c", key+"=false")
		default:
			first = append(first, "-c", key+"=")
		}
	}
	return first, true, nil
}

// parseStatus reads what `git status --porcelain=v2 -z` prints.
func parseStatus(out string) []Change {
	var changes []Change
	for entry := range strings.SplitSeq(out, "\x00") {
		fields := map[string]int{"1": 9, "u": 11, "?": 2}
		kind, _, _ := strings.Cut(entry, " ")
		parts := strings.SplitN(entry, " ", fields[kind])
		if fields[kind] == 0 || len(parts) != fields[kind] {
			continue
		}
		c := Change{Path: strings.ToValidUTF8(parts[len(parts)-1], "\uFFFD")}
		switch kind {
		case "?":
			c.Status = "untracked"
		case "u":
			c.Status = "unmerged"
		default:
			c.Status = statusOf(letterOf(parts[1]))
		}
		changes = append(changes, c)
	}
	return changes
}

// letterOf returns the letter for what happened to a file since HEAD, of those for
// what happened up to the index and after it.
func letterOf(letters string) string {
	switch {
	case strings.HasSuffix(letters, "D"):
		return "D"
	case strings.HasPrefix(letters, "."):
		return strings.TrimPrefix(letters, ".")
	}
	return letters[:min(1, len(letters))]
}
