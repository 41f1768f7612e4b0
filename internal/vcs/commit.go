package vcs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/repoproof"
)

// Options say where a repository is looked for and what is allowed.
type Options struct {
	Folder   string          // an absolute path, from which upwards the nearest repository counts
	Trust    repoproof.Trust // what the user allows
	ReadOnly bool            // nothing at all may be written: Jujutsu makes no index and merges no operations
	// Shows returns what reports whether who asks may be told of the file at a path, an absolute one of
	// the host; nil for all of them. With it no revision of Jujutsu finds commits by their files.
	Shows func() func(path string) bool
}

// Commit is a commit of a repository. It is for one request.
type Commit struct {
	// ID is its identifier in git, in full.
	ID string
	// Top is the folder of the repository's files, an absolute path without links.
	Top string

	reader *planstore.Reader
}

// ErrUnknown is what errors wrap about a revision that names no commit, or several.
var ErrUnknown = errors.New("it names no commit")

// errBare is about a repository that has no files.
var errBare = &planstore.Error{Type: planstore.TypeNoRepository, Message: "it lies in a bare repository, which has no files", Hint: "name a document of a working copy"}

// errForm is about a revision that git and Jujutsu aren't asked about.
var errForm = fmt.Errorf("it has a control character, as a line ending is, or more than %d bytes; write it in one line, or give the identifier of the commit", maxRevision)

// maxRevision is the number of bytes of a revision: the name of a branch is a path, which has no more.
const maxRevision = 4096

// Open finds the commit that a revision names, in the words of git, or of Jujutsu where the
// repository is one of its own. No name is looked up in both: git's may be an old one that
// Jujutsu has moved or deleted since. The error is an *planstore.Error, that of the context, or wraps
// ErrUnknown.
func Open(ctx context.Context, o Options, revision string) (*Commit, error) {
	switch {
	case revision == "":
		return nil, fmt.Errorf("%w; give a tag, a branch, or the identifier of a commit", ErrUnknown)
	case len(revision) > maxRevision, strings.ContainsFunc(revision, func(r rune) bool { return r < ' ' || r == 0x7F }):
		return nil, errForm
	}
	reader, err := planstore.OpenReader(planstore.Options{Root: o.Folder, Trust: o.Trust, ReadOnly: o.ReadOnly, Shows: o.Shows})
	if err != nil {
		return nil, err
	}
	c := &Commit{reader: reader}
	if c.Top, err = reader.Top(ctx); err != nil {
		return nil, err
	}
	if c.Top == "" {
		return nil, errBare
	}
	if err := c.filesAtTop(ctx); err != nil {
		return nil, err
	}
	if reader.Kind() == planstore.JJ {
		if o.ReadOnly && strings.Contains(revision, "at_operation") {
			return nil, fmt.Errorf("%w, for Jujutsu writes an index of the operation that at_operation looks at, and nothing may be written; give the identifier of the commit", ErrUnknown)
		}
		if ofGit, err := c.isOfGit(ctx, revision); err != nil || !ofGit {
			if err == nil {
				c.ID, err = c.named(ctx, revision)
			}
			return c, err
		}
	}
	if err := c.resolve(ctx, revision); err != nil {
		return nil, err
	}
	return c, nil
}

// filesAtTop returns an error if git, by its configuration, has the repository's files be those of
// another folder, or has none: the paths of a commit are no paths from the top then.
func (c *Commit) filesAtTop(ctx context.Context) error {
	if c.reader.Kind() == planstore.JJ {
		return nil
	}
	out, exit, err := c.reader.Git(ctx, "", 0, "rev-parse", "--is-bare-repository", "--show-toplevel")
	isBare, top, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\n")
	switch {
	case err != nil:
		return err
	case isBare == "true":
		return errBare
	case exit != 0 || fileinfo.IsSame(filepath.FromSlash(top), c.Top):
		return nil // where git fails there are no files of another folder
	}
	return &planstore.Error{Type: planstore.TypeNoRepository, Message: "the repository says that its files lie elsewhere (`core.worktree`)", Hint: "see what `git rev-parse --show-toplevel` says"}
}

// isOfGit reports whether a revision is git's to resolve, in a repository of Jujutsu: the whole
// identifier of a commit, which stands for nothing else, or HEAD, where the folder has one.
func (c *Commit) isOfGit(ctx context.Context, revision string) (bool, error) {
	if isID(revision) {
		return strings.Trim(revision, "0") != "", nil // that of the root is known to Jujutsu alone
	}
	after, ok := strings.CutPrefix(revision, "HEAD")
	isSuffix := after == "" || after[0] == '~' || after[0] == '^' // HEAD2 is another name
	if !ok || !isSuffix || strings.Trim(after, "~^0123456789") != "" {
		return false, nil
	}
	return c.reader.IsColocated(ctx)
}

// named returns the commit that a revision of Jujutsu names.
func (c *Commit) named(ctx context.Context, revision string) (string, error) {
	// Words of a template may be aliases, but not methods; what else is printed than an
	// identifier is refused.
	out, err := c.reader.Log(ctx, revision, 2, `self.commit_id() ++ "\n"`)
	switch {
	case errors.Is(err, planstore.ErrNoRevision):
		return "", fmt.Errorf("%w that Jujutsu knows; give a bookmark, a tag, the identifier of a change or commit, or a revset such as @-; what git alone has is taken up by: jj git import", ErrUnknown)
	case errors.Is(err, planstore.ErrNoRevset):
		return "", fmt.Errorf("%w, for Jujutsu can't parse it as a revset, or an alias that it needs; how one is written is told by: jj help -k revsets", ErrUnknown)
	case errors.Is(err, planstore.ErrSeveralRevisions):
		return "", severalCommits()
	case err != nil:
		return "", err
	}
	id, rest, _ := strings.Cut(string(out), "\n")
	switch {
	case rest != "":
		return "", severalCommits()
	case id == "":
		return "", fmt.Errorf("%w, for the revset is empty", ErrUnknown)
	case !isID(id):
		return "", &planstore.Error{
			Type: planstore.TypeFailed, Critical: true, Message: "Jujutsu did not print the identifier that it was asked for",
			Hint: "see whether `template-aliases` in its configuration change the word self",
		}
	}
	return id, nil
}

// severalCommits returns the error for a revision that names several commits.
func severalCommits() error { return fmt.Errorf("%w but several; name one of them", errSeveral) }

// errSeveral says that a revision names several commits.
var errSeveral = errors.New("it names not one commit")

// errMarks says that a revision has several marks, or one behind more than a name.
var errMarks = errors.New("of marks such as @{u} it may have one, right behind a name; give the name of the branch that is meant")

// errColon says that a revision with a colon isn't read.
var errColon = errors.New("git reads one with a colon as a file, or as a text to look for in all messages; leave the file out, for the documents are named beside it, or write HEAD^{/text}")

// IsUnknown reports whether an error says that a revision names no commit, or several, or isn't
// one that is read here.
func IsUnknown(err error) bool {
	return errors.Is(err, ErrUnknown) || errors.Is(err, errSeveral) || errors.Is(err, errMarks) || errors.Is(err, errForm) || errors.Is(err, errColon)
}

// resolve finds the commit that a revision of git names. One with a colon names a file, or looks
// through all messages.
func (c *Commit) resolve(ctx context.Context, revision string) error {
	if hasColon(revision) {
		return errColon
	}
	names, err := c.checkRefs(ctx, revision)
	if err != nil {
		return err
	}
	out, exit, err := c.reader.Git(ctx, "", 0, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return err
	}
	if c.ID = strings.TrimSpace(string(out)); exit == 0 && isID(c.ID) {
		return nil
	}
	return c.unresolved(ctx, revision, names)
}

// hasColon reports whether a revision has a colon that isn't in braces, as that of a time or of a message is:
// "HEAD^{/feat: x}".
func hasColon(revision string) bool {
	depth := 0
	for _, r := range revision {
		switch {
		case r == '{':
			depth++
		case r == '}' && depth > 0:
			depth--
		case r == ':' && depth == 0:
			return true
		}
	}
	return false
}

// unresolved returns why git resolves a revision to no commit: it fails, whatever it is asked; the
// commit is lost; one of the refs by these names is damaged; or there is none.
func (c *Commit) unresolved(ctx context.Context, revision string, names []string) error {
	if err := c.reader.GitWorks(ctx); err != nil {
		return err
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(revision, "~", "^"), "^")
	if name == "" || name == "@" {
		name = "HEAD"
	}
	for _, asked := range []string{revision + "^{commit}", name + "^{}"} { // and what a tag is about
		lacks, err := c.reader.GitLacks(ctx, "rev-parse", "--verify", "--end-of-options", asked)
		if err != nil {
			return err
		}
		if !lacks {
			continue
		}
		kind, _, err := c.reader.Git(ctx, "", 0, "cat-file", "-t", name) // which a damaged object may still have
		if is := strings.TrimSpace(string(kind)); err != nil || is == "blob" || is == "tree" {
			return cmp.Or(err, c.noCommit(ctx))
		}
		return unreadable("it is missing or damaged")
	}
	if err := c.lostOnTheWay(ctx, revision); err != nil {
		return err
	}
	if isID(revision) { // which may be any: that one isn't there says nothing
		return c.noCommit(ctx)
	}
	return cmp.Or(c.reader.GitBroken(ctx, names), c.noCommit(ctx))
}

// lostOnTheWay returns the error for a revision that leads to or through a commit that is lost, of which
// git says no word where a mark follows it, or where its identifier is given: the object by the longest
// beginning that git finds isn't there, or that of the identifier, to which a ref points.
func (c *Commit) lostOnTheWay(ctx context.Context, revision string) error {
	steps := beginnings(revision)
	var id string // of the last step that git has found
	var failed error
	sort.Search(len(steps), func(i int) bool {
		if failed != nil {
			return true
		}
		out, exit, err := c.reader.Git(ctx, "", 0, "rev-parse", "--verify", "--quiet", "--end-of-options", steps[i])
		found := strings.TrimSpace(string(out))
		if failed = err; err != nil || exit != 0 || !isID(found) {
			return true
		}
		if id = found; strings.EqualFold(id, steps[i]) { // a whole identifier may be any
			id = ""
		}
		return false
	})
	if failed == nil && id == "" {
		id, failed = c.atRef(ctx, steps[0])
	}
	if failed != nil || id == "" {
		return failed
	}
	_, exit, err := c.reader.Git(ctx, "", 0, "cat-file", "-t", id)
	if err == nil && exit != 0 {
		err = unreadable("it is missing or damaged")
	}
	return err
}

// atRef returns the identifier, given in full or by its beginning, of an object to which a ref of git
// points; "" if none does.
func (c *Commit) atRef(ctx context.Context, id string) (string, error) {
	const shortest = 4 // that git takes
	id = strings.ToLower(id)
	if len(id) < shortest || strings.Trim(id, "0123456789abcdef") != "" {
		return "", nil
	}
	out, _, err := c.reader.Git(ctx, "", maxTree, "for-each-ref", "--format=%(objectname)")
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, id) {
			return strings.TrimSuffix(line, "\n"), err
		}
	}
	return "", err
}

// beginnings returns what stands before each mark of a revision, ^ and ~ with what follows, and the
// revision itself.
func beginnings(revision string) []string {
	var list []string
	braced := false
	for i, r := range revision {
		switch {
		case r == '{', r == '}':
			braced = r == '{'
		case (r == '^' || r == '~') && !braced:
			list = append(list, cmp.Or(revision[:i], "HEAD"))
		}
	}
	return append(list, revision)
}

// noCommit returns the error for a revision that names no commit, be it for a clone ends before it.
func (c *Commit) noCommit(ctx context.Context) error {
	out, _, err := c.reader.Git(ctx, "", 0, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(out)) == "true" {
		return fmt.Errorf("%w that is here, and the clone is shallow; give a tag, a branch, or the identifier of a commit, or get what it lacks with: git fetch --unshallow", ErrUnknown)
	}
	return fmt.Errorf("%w; give a tag, a branch, or the identifier of a commit", ErrUnknown)
}

// checkRefs sees that the refs by which git reads a revision are the repository's own: where git
// looks for their names there may be links to refs of another one. It returns the names.
func (c *Commit) checkRefs(ctx context.Context, revision string) ([]string, error) {
	if max(strings.LastIndex(revision, "@{"), strings.LastIndex(revision, "^{")) > strings.LastIndexByte(revision, '}') { // that of what is asked behind it would close it
		return nil, c.noCommit(ctx)
	}
	name, behind, _ := strings.Cut(strings.ReplaceAll(revision, "~", "^"), "^")
	if strings.Contains(behind, "@{") { // to git all before it may be the name of a branch
		return nil, errMarks
	}
	name, of, isMarked := strings.Cut(name, "@{")
	if name == "" || name == "@" {
		name = "HEAD"
	}
	names := []string{name}
	ask := func(args ...string) ([]string, error) { // a name may have any blank but a line ending
		out, _, err := c.reader.Git(ctx, "", 0, args...)
		return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), err
	}
	switch of = strings.ToLower(of); {
	case strings.Contains(of, "@{"):
		return nil, errMarks
	case isMarked && strings.Index(of, "}") != len(of)-1: // so would it close a mark with more behind it
		return nil, c.noCommit(ctx)
	}
	switch of = strings.TrimSuffix(of, "}"); {
	case strings.HasPrefix(of, "-"): // a branch that the log of HEAD names
		branch, err := ask("check-ref-format", "--branch", "@{"+of+"}")
		if err != nil {
			return nil, err
		}
		names = append(names, branch...)
	case of == "u" || of == "upstream" || of == "push": // one that the configuration names
		branch := "refs/heads/" + name
		if name == "HEAD" {
			current, err := ask("symbolic-ref", "--quiet", "HEAD")
			if err != nil {
				return nil, err
			}
			branch = current[0]
		}
		told, err := c.reader.GitOrFail(ctx, "for-each-ref", "--format=%(refname)%00%(upstream)%00%(push)", "--", branch)
		if err != nil {
			return nil, err
		}
		known := strings.Split(strings.TrimSuffix(string(told), "\n"), "\n")
		i := slices.IndexFunc(known, func(line string) bool { return strings.HasPrefix(line, branch+"\x00") })
		if i < 0 { // of which nothing is told but to git itself
			return nil, cmp.Or(c.reader.GitBroken(ctx, names), fmt.Errorf("%w, for there is no such branch", ErrUnknown))
		}
		merged, err := ask("config", "--get-all", "branch."+strings.TrimPrefix(branch, "refs/heads/")+".merge")
		if err != nil {
			return nil, err
		}
		names = append(append(names, strings.Split(known[i], "\x00")...), merged...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > maxRefs {
		return nil, fmt.Errorf("%w, for the configuration of the branch names too many", ErrUnknown)
	}
	for _, name := range names {
		if err := c.reader.OwnRef(ctx, name); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// maxRefs is the number of refs by which a revision is read: git's configuration may name any
// number that a branch is merged with.
const maxRefs = 100

// isID reports whether a text is the identifier of an object, by SHA-1 or SHA-256.
func isID(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}
