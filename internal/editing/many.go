package editing

import (
	"cmp"
	"context"
	"iter"
	"math/big"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
)

// Several documents are changed by one request: all of them or none, as one change of the
// journal. They are looked at first, without a lock: that is the preview. Then those that get
// another text are changed as single ones are, all under their locks, and what comes of it is
// compared with what was expected before anything is written.

const (
	// maxMatched is the number of documents that a request may be about, maxChanged of those
	// that one change may write, and maxChangedBytes how many bytes these may have together,
	// before and after.
	maxMatched      = 20_000
	maxChanged      = 2_000
	maxChangedBytes = 128 << 20
)

// many is a change of several documents in work.
type many struct {
	docs    documents.Set
	options EditOptions
	links   string
	batch   bool // a list of edits was sent
	edits   []manyEdit
	wrong   []replies.EditFailure // what is no edit
	version string                // that the documents must have together; "" for any
	count   int                   // how many places there must be; 0 for any

	all      []*manyDocument // the documents that were found, in their order
	byKey    map[string]*manyDocument
	failed   []*replies.Error // of documents
	failures int              // how many there are
	missed   *replies.Error   // why the first document has nothing to change; nil if none was looked at closely
	present  bool             // a document has all that is to be put in already
	now      string           // the version of all documents together
	kept     fileerror.Kept
	undo     files.Undo
	others   []linking.Other // documents in which links alone are changed
	tookOver []string        // files that were another user's
	// moreLinks is the number of links that are changed in all documents together.
	moreLinks int
	leases    []*documents.Lease
	taken     documents.Taken // by what the documents keep of edits until all are written
	diffs     documents.Taken // by their differences
	encoded   documents.Taken // by the reply while it becomes JSON
	more      differences     // of others
	pass      pass            // over the documents, the last one
	strays    strays          // of each document and of all others, to those that change
	phase     phase           // for what is told when time ends
}

// manyEdit is an edit of the documents that its path stands for.
type manyEdit struct {
	op   edit.Op
	path string
	// each says that the path stands for many documents: those that lack what the edit is
	// about are left as they are.
	each   bool
	count  int // how many places there must be; 0 for any
	places int // how many there are
}

// manyDocument is one of the documents.
type manyDocument struct {
	path    string
	edits   big.Int  // a bit for each that is about it: there may be a thousand, for thousands of documents
	version string   // of the text that was looked at
	host    string   // where that lay
	e       *editing // nil if nothing in it is changed

	places, added, removed, line int
	diff                         []byte
	cut                          bool // the difference, of which a reply has no room for the rest
}

// isMany reports whether a request is about several documents, or asks how many places there
// are of a text.
func (r *EditFileRequest) isMany(docs *documents.Set) bool {
	ofTexts := r.ExpectedCount != 0
	for i := range r.Edits {
		if item := &r.Edits[i]; item.Path != "" || item.ExpectedCount != 0 && item.IsText() {
			return true
		}
	}
	return ofTexts || standsForMany(docs)
}

// standsForMany reports whether the one path of a set stands for several documents.
func standsForMany(docs *documents.Set) bool {
	return len(docs.Paths) == 1 && isFolderOrPattern(docs, docs.Paths[0])
}

// isFolderOrPattern reports whether a path stands for several documents.
func isFolderOrPattern(docs *documents.Set, path string) bool {
	if w := docs.Workspace; w != nil {
		return w.IsMany(path)
	}
	return documents.IsMany(path)
}

// newMany returns a change of what the set and the paths of edits name.
func newMany(docs documents.Set, o EditOptions, version string, count int) (*many, error) {
	var message replies.Sentence
	switch {
	case sent.IsBlankGuard(version):
		message = sent.EmptyVersion()
	case count < 0:
		message = replies.Say("%s must be greater than 0", replies.ExpectedCount)
	case len(docs.Paths) > 1:
		message = replies.Say("name one document, folder or pattern")
	}
	if !message.IsEmpty() {
		return nil, replies.Invalid(message)
	}
	return &many{docs: docs, options: o, version: sent.GuardOf(version), count: count, byKey: map[string]*manyDocument{}}, nil
}

// add adds an edit of the documents that a path stands for, of those of the set if it is empty.
func (m *many) add(path string, op edit.Op, count int) error {
	if path == "" && len(m.docs.Paths) == 1 {
		path = m.docs.Paths[0]
	}
	path = m.docs.Listed(path)
	var message replies.Sentence
	each := path != "" && isFolderOrPattern(&m.docs, path)
	switch {
	case path == "":
		message = replies.Say("it names no document")
	case each && op.ExpectedHash != "":
		message = replies.Say("%s is of a part of one document, and the path stands for several; give %s of a preview, which stands for all of them",
			replies.ExpectedHash, replies.ExpectedVersion)
	case count < 0:
		message = replies.Say("%s must be greater than 0", replies.ExpectedCount)
	}
	if !message.IsEmpty() {
		return replies.Invalid(message)
	}
	switch {
	case op.Action == edit.ReplaceText: // all places are meant where their number is demanded
		op.All = op.All || each || count > 0
	case each:
		op.ExpectedCount = 0 // for it is counted over all documents
	default:
		count = 0 // for package edit compares it
	}
	m.edits = append(m.edits, manyEdit{op: op, path: path, each: each, count: count})
	return nil
}

// addItems adds the edits of a list; one without a path or heading takes those of the request.
func (m *many) addItems(r *EditFileRequest) error {
	m.batch = true
	if err := r.checkItems(); err != nil {
		return err
	}
	for i := range r.Edits {
		item := r.Edits[i]
		item.Heading = cmp.Or(item.Heading, r.Heading)
		op, message := item.Op()
		var err error
		if !message.IsEmpty() {
			err = replies.Invalid(message)
		} else {
			err = m.add(item.Path, op, item.ExpectedCount)
		}
		if err != nil {
			m.wrong = append(m.wrong, replies.EditFailure{Index: i, Error: replies.AsError(err)})
		}
	}
	if len(m.wrong) > 0 {
		return batchError("", m.wrong, len(r.Edits))
	}
	return nil
}

// editMany makes a change of several documents, whose edits add adds.
func editMany(ctx context.Context, docs documents.Set, o EditOptions, version string, count int, add func(*many) error) (*EditReply, error) {
	m, err := newMany(docs, o, version, count)
	if err == nil {
		err = add(m)
	}
	if err != nil {
		return nil, replies.Unwritten(err)
	}
	return m.run(ctx)
}

// run makes the change, or answers with the preview of it if nobody has said what is expected.
func (m *many) run(ctx context.Context) (*EditReply, error) {
	if err := m.find(ctx); err != nil {
		return nil, replies.Unwritten(err)
	}
	if err := m.look(ctx); err != nil {
		return nil, replies.Unwritten(err)
	}
	err := m.check()
	if err == nil && (m.options.DryRun || !m.isGuarded()) {
		err = m.preview(ctx)
	}
	if err != nil {
		return nil, replies.Unwritten(err)
	}
	if !m.options.DryRun && !m.isGuarded() {
		preview, err := m.reply(false)
		if err != nil || m.options.Confirm == nil || !m.options.Confirm(preview) {
			return preview, err
		}
		m.version = m.now
	}
	if m.options.DryRun {
		return m.reply(false)
	}
	if m.isRenaming() {
		err = m.renameTogether(ctx, false)
	} else {
		err = m.write(ctx)
	}
	if err != nil {
		return nil, replies.Unwritten(err)
	}
	for _, d := range m.all {
		if d.e != nil {
			d.e.remember()
		}
	}
	return m.reply(true)
}

// isGuarded reports whether what the edits for many documents come to was said before.
func (m *many) isGuarded() bool {
	return m.version != "" || m.count > 0 || !slices.ContainsFunc(m.edits, func(e manyEdit) bool { return e.each && e.count == 0 })
}

// find finds the documents that the edits are about.
func (m *many) find(ctx context.Context) error {
	var firsts []int // edits, one for each path
	byPath := map[string]*big.Int{}
	for i := range m.edits {
		path := m.edits[i].path
		if byPath[path] == nil {
			byPath[path] = new(big.Int)
			firsts = append(firsts, i)
		}
		byPath[path].SetBit(byPath[path], i, 1)
	}
	for _, i := range firsts {
		one := &m.edits[i]
		for path, err := range m.pathsOf(ctx, one) {
			if err != nil {
				m.fail(path, err)
				continue
			}
			d := m.document(path)
			if d.edits.Or(&d.edits, byPath[one.path]); len(m.all) > maxMatched {
				return tooMany("there are more than %d documents, which are too many for one change; name a folder or a narrower pattern", maxMatched)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return replies.ErrorAbout("", err)
	}
	return m.failure()
}

// editsOf yields the edits that are about a document, with their indexes.
func (m *many) editsOf(d *manyDocument) iter.Seq2[int, *manyEdit] {
	return func(yield func(int, *manyEdit) bool) {
		for i := range m.edits {
			if d.edits.Bit(i) == 1 && !yield(i, &m.edits[i]) {
				return
			}
		}
	}
}

// tooMany is the error for a change that is larger than one may be.
func tooMany(format string, most int) error {
	return &replies.Error{Code: replies.CodeTooComplex, Message: replies.Say(format, most)}
}

// pathsOf yields the documents that an edit is about.
func (m *many) pathsOf(ctx context.Context, one *manyEdit) func(yield func(string, error) bool) {
	if !one.each {
		return func(yield func(string, error) bool) { yield(one.path, nil) }
	}
	docs := m.docs
	docs.Paths = []string{one.path}
	return docs.Find(ctx)
}

// document returns the document at a path, one for each file, whatever its paths.
func (m *many) document(path string) *manyDocument {
	key := m.keyOf(path)
	d := m.byKey[key]
	if d == nil {
		d = &manyDocument{path: path}
		m.byKey[key], m.all = d, append(m.all, d)
	}
	return d
}

// keyOf returns the place of the file at a path, or the path if it leads nowhere.
func (m *many) keyOf(path string) string {
	if w := m.docs.Workspace; w != nil {
		if name, err := w.FileRoots().Name(path); err == nil {
			return name
		}
		return path
	}
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		path = whole
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// fail notes that a document can't be changed.
func (m *many) fail(path string, err error) {
	const kept = 100
	if m.failures++; len(m.failed) < kept {
		failed := replies.ErrorAbout(replies.DisplayPath(path), err)
		if failed.Path == "" {
			about := *failed
			about.Path = replies.DisplayPath(path)
			failed = &about
		}
		m.failed = append(m.failed, failed)
	}
}

// failure returns the error of the documents that can't be changed, nil if there are none.
func (m *many) failure() error {
	switch {
	case m.failures == 0:
		return nil
	case m.failures == 1 || len(m.all) == 1:
		return m.failed[0]
	}
	lines := make([]string, len(m.failed))
	for i, failed := range m.failed {
		lines[i] = failed.Error()
	}
	return &replies.Error{
		Code: m.failed[0].Code, Err: m.failed[0], Details: replies.Limited(lines, m.failures),
		Message: replies.Say("%s can't be changed, and all are or none; leave them out, or do what each asks for", replies.Plural(m.failures, "document")),
	}
}
