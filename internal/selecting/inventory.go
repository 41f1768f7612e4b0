package selecting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// What index and select say of a part of a document in JSON, and the object that
// both answer with. It has the shape of mdsel's (spec/select.md, "JSON output").
// It is written byte by byte: a document can have a million headings.

// jsonBuffer is JSON that is being written.
type jsonBuffer []byte

// key begins the value of a key.
func (b *jsonBuffer) key(name string) {
	if last := (*b)[len(*b)-1]; last != '{' {
		*b = append(*b, ',')
	}
	*b = append(append(append(*b, '"'), name...), `":`...)
}

func (b *jsonBuffer) text(name, value string) {
	b.key(name)
	*b = appendQuoted(*b, value)
}

func (b *jsonBuffer) number(name string, value int) {
	b.key(name)
	*b = strconv.AppendInt(*b, int64(value), 10)
}

func (b *jsonBuffer) flag(name string, value bool) {
	b.key(name)
	*b = strconv.AppendBool(*b, value)
}

// value adds a value that encoding/json renders.
func (b *jsonBuffer) value(name string, value any) {
	b.key(name)
	*b = append(*b, replies.JSON(value)...)
}

// quotedAtOnce is the number of bytes of a text that are made JSON of at once.
const quotedAtOnce = 16 << 10

// writeQuoted writes a text as a JSON string, which may be long: it ends when that is
// too long for where it is written to.
func (w *spooler) writeQuoted(text []byte) {
	w.write([]byte{'"'})
	var piece []byte
	for len(text) > 0 && w.err == nil {
		n := min(len(text), quotedAtOnce)
		for back := 1; n < len(text) && !utf8.RuneStart(text[n]) && back < utf8.UTFMax; back++ {
			n--
		}
		piece = appendQuoted(piece[:0], string(text[:n]))
		w.write(piece[1 : len(piece)-1])
		text = text[n:]
	}
	w.write([]byte{'"'})
}

// node adds what is told of every part of a document: where it is, and a hash to
// know later whether it is still the same.
func (b *jsonBuffer) node(doc *markdown.Document, n address.Node) {
	lines, span := n.Lines(doc), n.Span(doc)
	b.number("start_line", lines.First)
	b.number("end_line", lines.Last)
	b.number("start_byte", span.Start)
	b.number("end_byte", span.End)
	b.text("hash", markdown.Hash(doc.Text(span)))
}

// appendQuoted appends s as a JSON string in which every character shows itself
// or is escaped.
func appendQuoted(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return replies.AppendString(dst, s)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// failure is an error in the object of a reply.
type failure struct {
	Type     string  `json:"type"`
	Code     string  `json:"code"`
	Message  string  `json:"message"`
	File     string  `json:"file,omitempty"`
	Selector *string `json:"selector,omitempty"`
	Position *int    `json:"position,omitempty"` // byte offset into the selector
	at       int     // index of the file
}

// appendText appends the error as it is told on standard error.
func (f *failure) appendText(dst []byte) []byte {
	if f.Selector != nil {
		// The caret stands under the place in the selector, which the mark shifts
		// by one.
		before := utf8.RuneCount(outline.AppendSafe(nil, (*f.Selector)[:*f.Position]))
		dst = outline.AppendSafe(append(dst, '!'), *f.Selector)
		dst = append(dst, '\n')
		dst = append(dst, strings.Repeat(" ", 1+before)...)
		dst = append(dst, '^', '\n')
		dst = append(append(dst, f.Code...), ": "...)
		return append(outline.AppendSafe(dst, f.Message), '\n')
	}
	dst = append(append(append(dst, '!'), f.Type...), ": "...)
	dst = append(outline.AppendSafe(dst, f.Message), '\n')
	if f.File == "" {
		return dst
	}
	return append(outline.AppendSafe(append(dst, "file: "...), f.File), '\n')
}

// The numbers of characters of what a shortened error quotes.
const (
	shortMessage  = 80
	shortFile     = 60
	shortSelector = 40 // on each side of the place
)

// The largest numbers of characters in a reply of limited length.
const (
	maxEcho    = 200  // of a selector that it repeats
	maxReason  = 300  // of why nothing was found, which may name a part of the selector
	maxNothing = 2000 // of all of it if it has nothing but errors
)

// shortened returns the error with less of what it quotes.
func (f failure) shortened() failure {
	f.Message = replies.Clip(f.Message, shortMessage)
	f.File = replies.Clip(f.File, shortFile)
	return f.around(shortSelector)
}

// echoed returns the error with no more of a selector than a reply repeats.
func (f failure) echoed() failure {
	if f.Selector == nil {
		return f
	}
	f.Message = replies.Clip(f.Message, maxEcho)
	if utf8.RuneCountInString(*f.Selector) > maxEcho {
		f = f.around(maxEcho / 2)
	}
	return f
}

// around returns the error with at most so many characters of the selector on
// each side of the place.
func (f failure) around(side int) failure {
	if f.Selector == nil {
		return f
	}
	before, after := []rune((*f.Selector)[:*f.Position]), []rune((*f.Selector)[*f.Position:])
	if n := len(before); n > side {
		before = append([]rune{'…'}, before[n-side:]...)
	}
	selector, at := string(before), len(string(before))
	selector += replies.Clip(string(after), side)
	f.Selector, f.Position = &selector, &at
	return f
}

// fitFailures returns errors as text in at most room characters. Where they are
// too long some are shortened, and those that don't fit are counted; shown is the number of the
// others.
func fitFailures(list []failure, room int) (text []byte, shown int) {
	more := func(n int) []byte {
		if n == len(list) {
			return nil
		}
		return fmt.Appendf(nil, "[not shown: %s; call with fewer files]\n", replies.Plural(len(list)-n, "more error"))
	}
	texts := make([][2][]byte, len(list))
	blocks := make([]replies.Block, len(list))
	for i := range list {
		short := list[i].shortened()
		texts[i] = [2][]byte{list[i].appendText(nil), short.appendText(nil)}
		blocks[i] = replies.Block{replies.Chars(texts[i][0]), replies.Chars(texts[i][1])}
	}
	forms, _ := replies.Fit(room, blocks, func(n int) int { return len(more(n)) })
	for i, form := range forms {
		text = append(text, texts[i][form]...)
	}
	return append(text, more(len(forms))...), len(forms)
}

// among returns the failures of the first n files.
func among(list []failure, n int) []failure {
	return slices.DeleteFunc(list, func(f failure) bool { return f.at >= n })
}

// checkMaxChars refuses a limit that no reply can keep.
func checkMaxChars(n int) error {
	if n != 0 && n < replies.MinChars {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s must be at least %d", replies.MaxChars, replies.MinChars)}
	}
	return nil
}

// fileFailure spells an error of a file as mdsel does. In a workspace, that a path is a
// folder comes with the documents in it.
func fileFailure(ctx context.Context, w *documents.Workspace, path string, err error) failure {
	e := replies.ErrorAbout(replies.DisplayPath(path), err)
	f := failure{File: replies.DisplayPath(path)}
	switch fileerror.Code(e.Code) {
	case fileerror.NotFound:
		f.Code, f.Message = "FILE_NOT_FOUND", "File not found: "+f.File
		if missing, ok := errors.AsType[*fileerror.Error](err); ok && len(missing.Closest) > 0 {
			f.Message += "; closest: " + strings.Join(missing.Closest, ", ")
		}
	case fileerror.EncodingError:
		f.Code, f.Message = "ENCODING_ERROR", "File contains invalid UTF-8 byte sequences"
	case fileerror.BinaryFile:
		f.Code, f.Message = "BINARY_FILE", "File appears to be binary content rather than text markdown"
	case fileerror.TooLarge:
		f.Code, f.Message = "FILE_TOO_LARGE", "File is "+e.Message.String()
	case fileerror.NotAFile, fileerror.Permission, fileerror.IOError:
		f.Code, f.Message = "FILE_READ_ERROR", "Failed to read file: "+e.Message.String()
		if w != nil && fileerror.Code(e.Code) == fileerror.NotAFile {
			f.Message = "Failed to read file: " + replies.AsError(w.NameDocuments(ctx, path, err)).Message.String()
		} else if errors.Is(err, syscall.EISDIR) { // as mdsel says it
			f.Message = "Failed to read file: EISDIR: illegal operation on a directory, read"
		}
	default:
		f.Code, f.Message = strings.ToUpper(e.Code), e.Message.String()
	}
	f.Type = f.Code
	return f
}

// envelope is what stands around the data of a reply.
type envelope struct {
	command string
	time    time.Time
	failed  bool
	errors  []failure
	files   int // that were asked for
}

// begin returns the object up to the value of "data".
func (e *envelope) begin() jsonBuffer {
	b := jsonBuffer("{")
	b.flag("success", !e.failed)
	b.text("command", e.command)
	b.text("timestamp", e.time.UTC().Format("2006-01-02T15:04:05.000Z"))
	b.key("data")
	return b
}

// addErrors adds the errors, if there are any.
func (e *envelope) addErrors(b *jsonBuffer) {
	if len(e.errors) > 0 {
		b.value("errors", e.errors)
	}
}

// end adds how many files failed if others did not, and ends the object.
func (e *envelope) end(b jsonBuffer) []byte {
	if n := len(e.errors); n > 0 && n < e.files {
		b.value("warnings", []string{fmt.Sprintf("%d of %d file(s) could not be processed", n, e.files)})
	}
	return append(b, "}\n"...)
}

// levelOrdinals returns for each section how many of its level stand before it in the
// section that it stands in: of what levelPath is made.
func levelOrdinals(doc *markdown.Document) []int32 {
	var (
		ordinals = make([]int32, len(doc.Sections))
		counts   [7][7]int32 // by the level of the parent, 0 for the document, and of the section
	)
	for i := range doc.Sections {
		s := &doc.Sections[i]
		parent := 0
		if s.Parent >= 0 {
			parent = int(doc.Sections[s.Parent].Level)
		}
		ordinals[i] = counts[parent][s.Level]
		counts[parent][s.Level]++
		counts[s.Level] = [7]int32{}
	}
	return ordinals
}

// levelPath returns the way to section i through the sections that it stands in, as a
// selector: "h1.0/h2.1/h3.0". Ordinals count in the section before; they are those of
// levelOrdinals.
func levelPath(doc *markdown.Document, ordinals []int32, i int) string {
	var few [6]int
	way := few[:0]
	for ; i >= 0; i = int(doc.Sections[i].Parent) {
		way = append(way, i)
	}
	var path []byte
	for left, i := range slices.Backward(way) {
		path = append(path, 'h', '0'+doc.Sections[i].Level, '.')
		path = strconv.AppendInt(path, int64(ordinals[i]), 10)
		if left > 0 {
			path = append(path, '/')
		}
	}
	return string(path)
}
