package documents

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/glob"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// Some requests look at the bytes of many documents and parse few of them. They find the
// documents, read the source of each, and ask for a parse of what was read last.

// Find yields the paths of the documents of the set, and why one can't be found. In a
// workspace a path may be that of a document, of a folder, or a pattern, relative to a root,
// and no path at all stands for all documents; elsewhere it stands for those of the project.
// A document that several paths name comes once.
func (d *Set) Find(ctx context.Context) iter.Seq2[string, error] {
	if len(d.Paths) > 1 {
		return once(d.found(ctx))
	}
	return d.found(ctx)
}

// once leaves out a document that several paths have named, but for its errors.
func once(found iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		seen := map[string]bool{}
		for path, err := range found {
			clean := filepath.Clean(path)
			if seen[clean] && err == nil {
				continue
			}
			seen[clean] = true
			if !yield(path, err) {
				return
			}
		}
	}
}

// found is Find, with what several paths name as often as they name it.
func (d *Set) found(ctx context.Context) iter.Seq2[string, error] {
	if d.Workspace == nil {
		found := *d
		if len(d.Paths) == 0 {
			found.Paths = []string{Project()}
		}
		return found.paths()
	}
	return func(yield func(string, error) bool) {
		roots := d.Workspace.roots.Walking(d.Walk)
		if len(d.Paths) == 0 {
			roots.Find(ctx)(yield)
			return
		}
		failed := 0
		resolve := d.Workspace.roots.Resolve
		for _, p := range d.Paths {
			counted := func(path string, err error) bool {
				if err != nil {
					if failed++; failed == maxSuggested {
						resolve = d.Workspace.roots.Silent().Resolve
					}
				}
				return yield(path, err)
			}
			if ctx.Err() != nil || !d.Workspace.find(ctx, roots, resolve, p, counted) {
				return
			}
		}
	}
}

// Project returns the path of the folder that a command is about which names no document: the
// root of the project that the working directory lies in, "." if there is none. It is relative
// to the working directory, unless links have led there.
func Project() string {
	called, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	current, err := filepath.EvalSymlinks(called)
	if err != nil {
		return "."
	}
	root := fileinfo.ProjectRoot(current)
	rel, err := filepath.Rel(current, root)
	switch {
	case root == "" || root == current:
		return "."
	case err != nil || current != called:
		return root
	}
	return rel
}

// notListed is what a folder may have although nothing in it is listed.
const notListed = "links are not followed, and what ignore files name and hidden folders may be left out"

// find yields the documents below roots that one path means, and reports whether to go on.
func (w *Workspace) find(ctx context.Context, roots *files.Roots, resolve func(string) (string, error), name string, yield func(string, error) bool) bool {
	_, err := resolve(name)
	if err == nil {
		return yield(name, nil)
	}
	failed, ok := errors.AsType[*fileerror.Error](err)
	mayBePattern := ok && (failed.Code == fileerror.NotFound || failed.Code == fileerror.PathOutsideRoot) && strings.ContainsAny(name, globCharacters)
	if !mayBePattern && (!ok || failed.Code != fileerror.NotAFile) {
		return yield(name, err)
	}
	pattern := glob.All(name)
	if mayBePattern {
		meant, wrong := files.ParseGlob(path.Clean(filepath.ToSlash(name)))
		if failed.Code == fileerror.PathOutsideRoot { // by its characters, which backslashes may stand before
			_, of := resolve(meant.Base())
			if folder, ok := errors.AsType[*fileerror.Error](of); wrong != nil || !ok || !folder.IsFolder() {
				return yield(name, err)
			}
		}
		if pattern = meant; wrong != nil {
			return yield(name, wrong)
		}
	}
	n := 0
	for p, err := range roots.FindMeant(ctx, pattern) {
		if n++; !yield(p, err) {
			return false
		}
	}
	switch {
	case n > 0 || ctx.Err() != nil:
		return true
	case failed.IsFolder():
		err = &fileerror.Error{Code: fileerror.NoMatches, Path: name, Reason: "no Markdown file in this folder that lists show", Hint: notListed}
	case strings.ContainsAny(name, globCharacters):
		err = &fileerror.Error{Code: fileerror.NoMatches, Path: name, Reason: "the pattern matches no Markdown file that lists show", Hint: notListed}
	}
	return yield(name, err)
}

// maxSuggested is the number of paths of a request that aren't there for which files are named that
// might have been meant, which takes a walk.
const maxSuggested = 20

// globCharacters mean something in patterns.
const globCharacters = "*?[{"

// Source reads the document at path and parses nothing. It is valid until the worker's next
// document, and its memory is reserved as long.
func (w *Worker) Source(path string) (src []byte, err error) {
	w.shrink()
	w.Close()
	size := int64(0)
	var l *Lease
	defer func() {
		if l != nil {
			w.reserved = l
		}
	}()
	w.Reader.Admit = func(now int64) (err error) {
		size = now
		l, err = w.work.Reserve(size)
		return err
	}
	switch {
	case w.workspace != nil:
		src, err = w.workspace.roots.Read(&w.Reader, path)
	case w.guide != nil && IsGuide(path):
		src, err = w.guide(w.work, path)
	case path == Stdin && w.kept != nil:
		src, err = w.kept.read(w)
	case path == Stdin:
		src, err = w.readStdin()
	default:
		src, err = w.Reader.Read(path)
	}
	if err == nil && int64(len(src)) > size && w.work != nil { // it came from a stream, or has grown
		l.Release()
		l, err = w.work.Reserve(int64(len(src)))
	}
	if err != nil {
		return nil, err
	}
	return src, nil
}

// readStdin reads standard input, which has a text once.
func (w *Worker) readStdin() ([]byte, error) {
	return w.Reader.ReadStream(replies.DisplayPath(Stdin), w.stdin)
}

// keptStdin is what was read from standard input, for those who read it again.
type keptStdin struct {
	once sync.Once
	text []byte
	err  error
}

// KeepStdin has the text of standard input kept, so that it can be read as often as that of a file.
func (d *Set) KeepStdin() {
	if d.Workspace == nil && slices.Contains(d.Paths, Stdin) {
		d.kept = &keptStdin{}
	}
}

// read returns the text of standard input, which a worker reads if none has yet.
func (k *keptStdin) read(w *Worker) ([]byte, error) {
	k.once.Do(func() {
		var text []byte
		if text, k.err = w.readStdin(); k.err != nil {
			return
		}
		if k.err = w.work.HoldBytes(int64(len(text)), nil); k.err == nil {
			k.text = bytes.Clone(text)
		}
	})
	return k.text, k.err
}

// Parsed parses what Source has returned last. The document is valid as long as that.
func (w *Worker) Parsed(src []byte) (*markdown.Document, error) {
	l := w.taken()
	doc, l, err := w.work.ParsedWithin(l, int64(len(src)), func(l *Lease) (*markdown.Document, error) {
		return l.Parse(w.work.Context(), &w.parser, src)
	})
	if l != nil {
		w.reserved = l
	}
	return doc, err
}

// taken returns what is reserved, for who gives it back or puts it there again.
func (w *Worker) taken() *Lease {
	l, _ := w.reserved.(*Lease)
	w.reserved = nil
	return l
}

// shrink gives back memory that has grown with a large document.
func (w *Worker) shrink() {
	if l, _ := w.reserved.(*Lease); l != nil && l.kind == large {
		w.parser, w.Reader = markdown.Parser{}, textfile.Reader{Limit: w.Reader.Limit}
	}
}
