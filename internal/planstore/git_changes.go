package planstore

import (
	"cmp"
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
)

// Comparing files with HEAD may run programs: those that clean files before they
// are compared, which a repository names in its configuration and its attributes.
// There is no switch for them; each that is configured is switched off by name.
// Where such a program changes what is stored (large files, say), a file that was
// touched may be listed as modified although it is not. In a submodule git would
// run what that names, too: so no more is asked of one than which commit it is at, and
// that is shown only of those that are proven to belong to the project.

// Survey lists the files that differ from HEAD.
func (s *gitStore) Survey(ctx context.Context) (State, Changes, error) {
	state, err := s.Load(ctx)
	if err != nil {
		return State{}, Changes{}, err
	}
	c, err := s.compare(ctx)
	if err != nil || c.against == "" {
		return state, Changes{Unknown: c.unknown}, err
	}
	changed, err := s.changed(ctx, &c)
	if err != nil {
		return state, Changes{}, err
	}
	// The second command knows what the first can't tell: conflicts, of which HEAD
	// knows nothing, and files that git doesn't track.
	more, err := s.entries(ctx, &call{
		first: c.first, env: c.env, output: maxOutput,
		args: []string{"ls-files", "--others", "--unmerged", "-z"},
		more: []string{"-t", "--exclude-standard", "--full-name", "--", ":/"},
	})
	if err != nil {
		return state, Changes{}, err
	}
	merged := mergeChanges(listed(changed.list), parseFiles(more.list))
	if !arePaths(merged) {
		return state, Changes{Unknown: oddNames}, nil
	}
	told, hidden := s.options.told(s.found.dir, merged)
	all := newChanges("HEAD", s.shown(told))
	all.Hidden = hidden
	all.Unknown = changed.unknown
	if all.Unknown == "" {
		all.Unknown = more.unknown
	}
	return state, all, nil
}

// shown turns git's names, which may be any bytes, into paths from the root that are text.
func (s *gitStore) shown(changes []Change) []Change {
	below, err := filepath.Rel(s.found.dir, s.options.Root)
	for i := range changes {
		name := &changes[i].Path
		if err == nil && below != "." {
			if path, err := filepath.Rel(below, filepath.FromSlash(*name)); err == nil {
				*name = filepath.ToSlash(path)
			}
		}
		*name = strings.ToValidUTF8(*name, "\uFFFD")
	}
	return changes
}

// Diff compares the files that git tracks with HEAD.
func (s *gitStore) Diff(ctx context.Context, limit int) (Diff, error) {
	if limit <= 0 {
		return Diff{}, nil
	}
	c, err := s.compare(ctx)
	if err != nil || c.against == "" {
		return Diff{Unknown: c.unknown}, err
	}
	changed, err := s.changed(ctx, &c)
	if err != nil {
		return Diff{}, err
	}
	all := listed(changed.list)
	told, hidden := s.options.told(s.found.dir, all)
	switch {
	case !arePaths(all):
		return Diff{Unknown: oddNames}, nil
	case len(told) == 0:
		return Diff{Cut: changed.unknown != "", Unknown: changed.unknown}, nil
	}
	odd, err := s.hasOddSubmodule(ctx, changed.list)
	if err != nil {
		return Diff{}, err
	}
	c.noSubmodules = odd || changed.unknown != ""
	isRemoved := func(c Change) bool { return c.Status == statusOf("D") }
	removed := slices.DeleteFunc(slices.Clone(told), func(c Change) bool { return !isRemoved(c) })
	there := slices.DeleteFunc(told, isRemoved)
	do := c.diff(append(patchForm(), "--diff-filter=ud")...) // the names of unmerged ones aren't quoted
	do.output = limit + 1
	left := 0
	if s.options.Shows != nil && (hidden > 0 || changed.unknown != "") {
		do.last, left = pathspecs(there)
	}
	var r result
	if len(there) > 0 {
		r, err = s.run(ctx, do)
	}
	if err == nil {
		var more int
		more, err = s.addRemoved(ctx, &c, removed, limit+1, &r)
		left += more
	}
	d, err := newDiff(&r, limit, err)
	d = d.lacking(left)
	if err == nil && odd && d.Unknown == "" {
		d.Unknown = "the commits that submodules are at, for one of them isn't proven to belong to the project"
	}
	return s.shownParts(d), err
}

// addRemoved adds to a difference those of files that were removed, until it has so many bytes. They are
// what the commit has: for a folder of theirs there may be a link by now, through which git would follow
// their names. It returns how many it has not asked git for though there was room.
func (s *gitStore) addRemoved(ctx context.Context, c *comparison, files []Change, most int, r *result) (left int, err error) {
	if len(files) == 0 {
		return 0, nil
	}
	nothing, err := s.run(ctx, emptyTree())
	for range maxRemovedRuns {
		if err != nil || len(files) == 0 || len(r.out) >= most {
			return 0, err
		}
		do := patchOfTrees(c.against, strings.TrimSuffix(string(nothing.out), "\n"), c.submodules())
		do.output = most - len(r.out)
		do.last, left = pathspecs(files)
		files = files[len(files)-left:]
		var got result
		got, err = s.run(ctx, do)
		r.out, r.cut = append(r.out, got.out...), r.cut || got.cut
	}
	if len(r.out) >= most {
		return 0, err
	}
	return len(files), err
}

// maxRemovedRuns is how many times git is asked for removed files: of each some lines are told, but of
// submodules that aren't compared, of which there may be any number.
const maxRemovedRuns = 8

// emptyTree returns the command that names the tree without files.
func emptyTree() *call { return &call{args: []string{"hash-object", "-t", "tree", "--stdin"}} }

// patchForm are the arguments for a difference in git's own form.
func patchForm() []string { return []string{"--no-color", "--src-prefix=a/", "--dst-prefix=b/"} }

// patchOfTrees returns the command that compares two commits or trees.
func patchOfTrees(old, now, submodules string) *call {
	return &call{
		first: []string{"-c", "core.quotePath=true"},
		args:  []string{"diff-tree", "-r", "-p"},
		more:  append(patchForm(), "--no-ext-diff", "--no-textconv", "--no-renames", "--submodule=short", submodules, old, now, "--"),
	}
}

// maxPathspecs is the number of bytes of paths that git is given, of which not every system takes
// more on a command line.
const maxPathspecs = 24_000

// pathspecs returns the arguments that stand for the files, by their paths from the top, and the
// number of files that there is no room for.
func pathspecs(files []Change) (list []string, left int) {
	bytes := 0
	for i, file := range files {
		spec := ":(top,literal)" + file.Path
		if bytes += len(spec) + 1; i > 0 && bytes > maxPathspecs {
			return list, len(files) - i
		}
		list = append(list, spec)
	}
	return list, 0
}

// lacking returns a difference that lacks the parts of so many files.
func (d Diff) lacking(files int) Diff {
	if files > 0 {
		d.Cut, d.Unknown = true, cmp.Or(d.Unknown, "git can't be asked for all of the files at once, and some were left out")
	}
	return d
}

// shownParts returns a difference without the parts of files that may not be told of, by their
// headers, "diff --git NAMES": that only such files were asked for says nothing of what came, for
// between two commands files come and go. git quotes names in them.
func (s *gitStore) shownParts(d Diff) Diff {
	if s.options.Shows == nil {
		return d
	}
	var b strings.Builder
	shows := s.options.Shows()
	shown, leftOut := false, false
	for line := range strings.Lines(d.Text) { // those of files begin with other characters
		names, isHeader := strings.CutPrefix(line, "diff --")
		names, whole := strings.CutSuffix(names, "\n")
		switch {
		case d.Cut && !whole && (isHeader || !shown): // the text ends within a header
			continue
		case isHeader:
			names, ok := strings.CutPrefix(names, "git ")
			shown = ok && showsName(names, func(path string) bool { return shows(filepath.Join(s.found.dir, filepath.FromSlash(path))) })
		}
		if shown {
			b.WriteString(line)
		}
		leftOut = leftOut || !shown
	}
	d.Text = b.String()
	if leftOut {
		d.Cut, d.Unknown = true, cmp.Or(d.Unknown, "git compares files that may not be told of, and these were left out")
	}
	return d
}

// showsName reports whether the file of a header "a/NAME b/NAME", or one with both in quotes, may
// be told of, by its path. There are no renames.
func showsName(header string, shows func(path string) bool) bool {
	n := len(header) / 2
	if len(header)%2 == 0 || header[n] != ' ' {
		return false
	}
	old, now := header[:n], header[n+1:]
	if strings.HasPrefix(old, `"`) {
		var errs [2]error
		old, errs[0] = strconv.Unquote(old)
		now, errs[1] = strconv.Unquote(now)
		if errors.Join(errs[:]...) != nil {
			return false
		}
	}
	old, wasOld := strings.CutPrefix(old, "a/")
	now, isNew := strings.CutPrefix(now, "b/")
	return wasOld && isNew && old == now && shows(now)
}

// hasOddSubmodule reports whether at one of the changed names, in a list of letters and
// names, lies a repository that isn't proven to belong there: of that git would show as
// a commit what any file of the user begins with. The error is the context's alone.
func (s *gitStore) hasOddSubmodule(ctx context.Context, changed []string) (bool, error) {
	for pair := range slices.Chunk(changed, 2) {
		dir := filepath.Join(s.found.dir, filepath.FromSlash(pair[len(pair)-1]))
		if !exists(filepath.Join(dir, ".git")) {
			continue
		}
		if _, err := newGitStore(s.options, &repository{kind: Git, dir: dir}).place(ctx); err != nil {
			return true, ctx.Err()
		}
	}
	return false, ctx.Err()
}

// arePaths reports whether all names are paths below the repository's folder, as git
// makes them. An index that was made by hand may have others, and git would compare what
// lies there.
func arePaths(changes []Change) bool {
	return !slices.ContainsFunc(changes, func(c Change) bool {
		name := c.Path
		if c.Status == "untracked" { // a repository of its own among the files is listed as a folder
			name = strings.TrimSuffix(name, "/")
		}
		return path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name))
	})
}

const oddNames = "the repository's index has names that lead out of its folder"

// comparison is how files are compared.
type comparison struct {
	against string   // the commit or tree; "" if there is nothing to compare
	unknown string   // why that can't be told, or ""
	first   []string // arguments that switch off the programs that it would run
	env     []string // variables for the same
	// noSubmodules leaves out the commits that submodules are at.
	noSubmodules bool
}

// diff returns the command that compares the files that git tracks, without any
// program that a repository names and in a form that its configuration can't change.
func (c *comparison) diff(form ...string) *call {
	return &call{
		first: append([]string{"-c", "diff.relative=false", "-c", "diff.submodule=short", "-c", "diff.autoRefreshIndex=false", "-c", "core.quotePath=true"}, c.first...), env: c.env, output: maxOutput,
		args: []string{"diff"},
		more: append(form, "--no-ext-diff", "--no-textconv", "--no-renames", "--submodule=short", c.submodules(), c.against, "--"),
	}
}

// submodules returns the argument for the submodules that a difference has.
func (c *comparison) submodules() string {
	if c.noSubmodules {
		return "--ignore-submodules=all"
	}
	return committedSubmodules
}

// committedSubmodules has git compare the commits of submodules, and no files in them.
const committedSubmodules = "--ignore-submodules=dirty"

// compare finds out what can be compared. A repository that says that its files lie
// elsewhere is not believed. The error is the context's alone.
func (s *gitStore) compare(ctx context.Context) (comparison, error) {
	c, err := s.comparison(ctx)
	if failed, ok := errors.AsType[*Error](err); ok {
		return comparison{unknown: failed.Message}, nil
	}
	return c, err
}

func (s *gitStore) comparison(ctx context.Context) (c comparison, err error) {
	r, err := s.try(ctx, &call{args: []string{"rev-parse", "--show-toplevel"}})
	switch {
	case err != nil:
		return c, err
	case r.exit != 0:
		return comparison{unknown: "the repository is bare and has no files"}, nil
	}
	top := strings.TrimSuffix(string(r.out), "\n")
	if !fileinfo.IsSame(filepath.FromSlash(top), s.found.dir) {
		return comparison{unknown: "the repository says that its files lie elsewhere (`core.worktree`), and they were not read"}, nil
	}
	if c.first, c.env, err = s.filtersOff(ctx); err != nil {
		return c, err
	}
	r, err = s.try(ctx, &call{args: []string{"rev-parse", "-q", "--verify", "HEAD"}})
	if err == nil && r.exit != 0 { // nothing was committed
		r, err = s.run(ctx, emptyTree())
	}
	c.against = strings.TrimSuffix(string(r.out), "\n")
	return c, err
}

// entries is what a command has listed.
type entries struct {
	list    []string
	unknown string // why there may be more, or ""
}

// entries runs a command that ends each entry with a NUL. If it fails or prints too
// much, what it has listed before counts. The error is the context's alone.
func (s *gitStore) entries(ctx context.Context, c *call) (entries, error) {
	r, err := s.run(ctx, c)
	var e entries
	if failed, ok := errors.AsType[*Error](err); ok {
		e.unknown, err = failed.Message, nil
	} else if r.cut {
		e.unknown = s.program.tooMuch(c)
	}
	e.list = strings.Split(string(r.out), "\x00")
	e.list = e.list[:len(e.list)-1] // what follows the last NUL is not whole
	return e, err
}

// changed lists the files that differ, in letters and paths by turns. The index isn't written,
// so git names files too that only seem to differ by their line endings: they have no lines.
func (s *gitStore) changed(ctx context.Context, c *comparison) (entries, error) {
	e, err := s.entries(ctx, c.diff("--raw", "-z"))
	pairs, doubtful := parseRaw(e.list, nil)
	if err == nil && doubtful > 0 && e.unknown == "" {
		lines, ended := s.entries(ctx, c.diff("--numstat", "-z", "--diff-filter=M"))
		if err, e.unknown = ended, lines.unknown; e.unknown == "" {
			pairs, _ = parseRaw(e.list, lines.list)
		}
	}
	e.list = pairs
	return e, err
}

// parseRaw reads what `git diff --raw -z` lists, ":MODE MODE OBJECT OBJECT LETTER" and a path
// for each file, and leaves out those of which `git diff --numstat -z` lists no numbers of lines
// and path, with tabs between, though they have other bytes. Without this list it counts them.
func parseRaw(list, numstat []string) (pairs []string, doubtful int) {
	differ := map[string]bool{}
	for _, entry := range numstat {
		_, path, _ := strings.Cut(entry, "\t")
		_, path, _ = strings.Cut(path, "\t")
		differ[path] = true
	}
	for pair := range slices.Chunk(list, 2) {
		is := strings.Fields(pair[0])
		if len(pair) != 2 || len(is) != 5 {
			continue
		}
		if is[4] == "M" && is[0][1:] == is[1] && !differ[pair[1]] {
			if doubtful++; numstat != nil {
				continue
			}
		}
		pairs = append(pairs, is[4], pair[1])
	}
	return pairs, doubtful
}

// listed returns the changes of a list of letters and paths.
func listed(pairs []string) []Change {
	var changes []Change
	for pair := range slices.Chunk(pairs, 2) {
		if len(pair) == 2 {
			changes = append(changes, Change{Status: statusOf(pair[0]), Path: pair[1]})
		}
	}
	return changes
}

// parseFiles reads what `git ls-files -t --others --unmerged -z` lists: "? PATH", and
// "M MODE OBJECT STAGE<tab>PATH" for each side of a conflict.
func parseFiles(list []string) []Change {
	var changes []Change
	for _, entry := range list {
		kind, rest, ok := strings.Cut(entry, " ")
		c := Change{Status: "untracked", Path: rest}
		if kind == "M" {
			c.Status = "unmerged"
			_, c.Path, ok = strings.Cut(rest, "\t")
		}
		if ok && (kind == "M" || kind == "?") && !slices.Contains(changes[max(0, len(changes)-1):], c) {
			changes = append(changes, c)
		}
	}
	return changes
}

// mergeChanges adds what the second list knows to the first. A file with a conflict
// is that, and one that was taken out of the index is gone from there, though the
// folder has it still.
func mergeChanges(changed, more []Change) []Change {
	at := make(map[string]int, len(changed))
	for i, c := range changed {
		at[c.Path] = i
	}
	for _, c := range more {
		i, ok := at[c.Path]
		switch {
		case !ok:
			changed = append(changed, c)
		case c.Status == "unmerged":
			changed[i] = c
		}
	}
	return changed
}
