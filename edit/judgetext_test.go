package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// flat is a source with LF for all line endings, and where each byte of it comes
// from; after the last, the length of the source.
type flat struct {
	text string
	from []int
}

func flatten(src []byte, scope markdown.Span) flat {
	var b strings.Builder
	var from []int
	for i := scope.Start; i < scope.End; i++ {
		c := src[i]
		from = append(from, i)
		if c == '\r' {
			c = '\n'
			if i+1 < scope.End && src[i+1] == '\n' {
				i++
			}
		}
		b.WriteByte(c)
	}
	return flat{b.String(), append(from, scope.End)}
}

// occurrences returns where old is, those that overlap included.
func (f flat) occurrences(old string) []int {
	var at []int
	for i := 0; ; {
		n := strings.Index(f.text[i:], old)
		if n < 0 {
			return at
		}
		at = append(at, i+n)
		i += n + 1
	}
}

// replaced returns the text with another one in the place of old, where it is.
func (f flat) replaced(at []int, old, text string) string {
	var b strings.Builder
	done := 0
	for _, i := range at {
		if i >= done {
			b.WriteString(f.text[done:i] + text)
			done = i + len(old)
		}
	}
	return b.String() + f.text[done:]
}

// texts: a replacement of text is exactly where the text was, once or everywhere.
func (j *judgement) texts() error {
	o, c := &j.ops[0], &j.res.Changes[0]
	if len(j.ops) > 1 || o.Action != edit.ReplaceText {
		return nil
	}
	scope := markdown.Span{Start: j.doc.Preamble().Start, End: len(j.doc.Source)}
	if c.Target != nil {
		scope = c.Target.Span(j.doc)
	}
	f := flatten(j.doc.Source, scope)
	sought, text := unified(o.Old), unified(o.Text)
	at := f.occurrences(sought)
	if mark := "\uFEFF"; len(at) == 0 && scope.Start > 0 && strings.HasPrefix(sought, mark) && strings.HasPrefix(text, mark) {
		sought, text = sought[len(mark):], text[len(mark):] // that which the document begins with, and keeps
		if strings.HasPrefix(f.text, sought) {
			at = []int{0}
		}
	}
	if len(at) == 0 || len(at) > 1 && !o.All {
		return fmt.Errorf("texts: %q is there %d times", o.Old, len(at))
	}
	ending := map[markdown.LineEnding]string{markdown.LF: "\n", markdown.NoEnding: "\n", markdown.CRLF: "\r\n", markdown.CR: "\r"}[j.doc.LineEnding()]
	if strings.Contains(text, "\n") && ending == "" {
		return nil
	}
	text = strings.ReplaceAll(text, "\n", ending)
	want := bytes.Clone(j.doc.Source[:scope.Start])
	done, count := 0, 0
	for _, i := range at {
		if i < done {
			continue
		}
		want = append(append(want, j.doc.Source[f.from[done]:f.from[i]]...), text...)
		done = i + len(sought)
		count++
	}
	want = append(append(want, j.doc.Source[f.from[done]:scope.End]...), j.doc.Source[scope.End:]...)
	if j.doc.LineEnding() == markdown.MixedEnding && unified(string(j.new.Source)) == unified(string(j.doc.Source[:scope.Start]))+f.replaced(at, sought, text)+unified(string(j.doc.Source[scope.End:])) {
		return nil // a CR and an LF that have come together are still two line endings
	}
	if !bytes.Equal(want, j.new.Source) || count != c.Count {
		return fmt.Errorf("texts: %d places, %q, want %d, %q", c.Count, j.new.Source, count, want)
	}
	return nil
}

// codes are those that an error of package edit may have.
var codes = map[edit.Code]bool{
	edit.InvalidArgument: true, edit.HashRequired: true, edit.Conflict: true, edit.HasSubsections: true, edit.LevelMismatch: true,
	edit.HeadingRequired: true, edit.StructureChanged: true, edit.TextNotFound: true, edit.AmbiguousText: true, edit.NoChange: true,
	address.HeadingNotFound: true, address.AmbiguousHeading: true, address.InvalidAddress: true,
	address.InvalidSelector: true,
}

// judgeError returns what is wrong with a refusal, or nil.
func judgeError(a *attempt, res *edit.Result, err error) error {
	var all edit.Errors
	if res != nil || !errors.As(err, &all) || len(all) == 0 {
		return fmt.Errorf("refusal: %T %w, with result %v", err, err, res)
	}
	for i, e := range all {
		switch {
		case !codes[e.Code]:
			return fmt.Errorf("refusal: no code: %q", e.Code)
		case e.Message == "" || strings.HasSuffix(e.Message, ".") || strings.ContainsAny(e.Message, "\r\n\x00"):
			return fmt.Errorf("refusal: %v says %q", e.Code, e.Message)
		case len(e.Message) > 2000:
			return fmt.Errorf("refusal: a message of %d bytes", len(e.Message))
		case e.Op < 0 || e.Op >= len(a.ops) || i > 0 && e.Op < all[i-1].Op:
			return fmt.Errorf("refusal: of operation %d, number %d of the errors", e.Op, i)
		case e.Address != a.ops[e.Op].Address && (e.Address == "" || e.Address != a.ops[e.Op].To):
			return fmt.Errorf("refusal: about %q instead of %q", e.Address, a.ops[e.Op].Address)
		case len(e.Candidates) > 10 || len(e.Candidates) > e.Total || len(e.Places) > 10 || len(e.Changed) > 10:
			return fmt.Errorf("refusal: %d candidates, %d places, %d changes", len(e.Candidates), len(e.Places), len(e.Changed))
		}
		if err := judgeCode(a, e); err != nil {
			return fmt.Errorf("refusal: %v, %q: %w", e.Code, e.Message, err)
		}
	}
	return nil
}

// judgeCode checks what an error of a code must hold.
func judgeCode(a *attempt, e *edit.Error) error {
	o := &a.ops[e.Op]
	switch e.Code {
	case edit.Conflict:
		// In a batch an operation may be in conflict with one before it.
		if len(a.ops) == 1 && (e.Current == nil || o.ExpectedHash == "") {
			return errors.New("a conflict without what is there")
		}
	case edit.StructureChanged:
		// About a row, an item or front matter the message says that the text is none.
		// In a batch an operation may have put the block into an item.
		part := o.node.Kind == address.BlockNode && (a.doc.Blocks[o.node.Block].Parent >= 0 || a.doc.Blocks[o.node.Block].Kind == markdown.List || len(a.ops) > 1) || o.node.Kind == address.FrontMatterNode
		if len(e.Changed) == 0 && !part || len(e.Changed) > 0 && e.Total < len(e.Changed) {
			return errors.New("it doesn't say what would change")
		}
	case edit.AmbiguousText:
		if len(e.Places) < 2 || e.Total < len(e.Places) {
			return errors.New("it doesn't say where")
		}
		return judgePlaces(a, e)
	case edit.HasSubsections:
		if len(e.Candidates) == 0 {
			return errors.New("it doesn't list them")
		}
	case edit.HashRequired:
		if o.ExpectedHash != "" && e.Address != o.To || a.options.Pinned {
			return errors.New("there is one")
		}
	}
	return nil
}

// judgePlaces checks that the text is where an error says that it is.
func judgePlaces(a *attempt, e *edit.Error) error {
	if len(a.ops) > 1 {
		return nil
	}
	first, _, _ := strings.Cut(unified(a.ops[e.Op].Old), "\n")
	for _, p := range e.Places {
		if p.First < 1 || p.First > a.doc.LineCount || p.Column < 1 {
			return fmt.Errorf("place %+v", p)
		}
		text := string(a.doc.Text(a.doc.LineSpan(markdown.Lines{First: p.First, Last: p.First})))
		if p.First == 1 {
			text = strings.TrimPrefix(text, "\uFEFF")
		}
		line := []rune(text)
		if p.Column > len(line)+1 || !strings.HasPrefix(string(line[p.Column-1:]), string([]rune(first))) {
			return fmt.Errorf("%q is not at %+v", first, p)
		}
	}
	return nil
}
