package parts

import (
	"bytes"
	"errors"
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/markdown"
)

// ChangeKey returns the change of a key of front matter; a document without front matter gets
// one, in YAML. The ending is that of its lines.
func ChangeKey(doc *markdown.Document, c frontmatter.Change, ending string) (*Change, *Error) {
	b := doc.FrontMatter()
	if b < 0 {
		return newFrontMatter(doc, c, ending)
	}
	span := doc.Content(b)
	format := frontmatter.YAML
	if doc.Blocks[b].Marker == '+' {
		format = frontmatter.TOML
	}
	splices, want, err := applied(string(doc.Text(span)), format, c, ending)
	if err != nil {
		return nil, err
	}
	ch := &Change{Start: -1, First: -1, Verify: func(doc *markdown.Document) string { return isFrontMatter(doc, want) }}
	shift := span.Start
	for i, s := range splices {
		made := Splice{markdown.Span{Start: span.Start + s.Start, End: span.Start + s.End}, []byte(s.Text)}
		if ch.Splices = append(ch.Splices, made); i == 0 {
			ch.First = made.Start
		}
		ch.Last = s.Start + shift + len(s.Text)
		shift += len(s.Text) - s.Len()
	}
	return ch, nil
}

// applied returns the splices that make a change of front matter, and its text then. The ending is
// that of its lines if it has none.
func applied(source string, f frontmatter.Format, c frontmatter.Change, ending string) ([]frontmatter.Splice, string, *Error) {
	text, err := frontmatter.Read(source, f)
	var splices []frontmatter.Splice
	if err == nil {
		splices, err = text.Apply(c)
	}
	if err != nil {
		return nil, "", keyError(err)
	}
	if !strings.ContainsAny(source, "\r\n") {
		for i := range splices {
			splices[i].Text = strings.ReplaceAll(splices[i].Text, "\n", ending)
		}
	}
	return splices, frontmatter.Spliced(source, splices), nil
}

// newFrontMatter returns the change that puts front matter with a key before a document.
func newFrontMatter(doc *markdown.Document, c frontmatter.Change, ending string) (*Change, *Error) {
	_, want, err := applied("", frontmatter.YAML, c, ending)
	if err != nil {
		return nil, err
	}
	at := doc.Preamble().Start
	text := "---" + ending + want + "---" + ending
	ch := &Change{Start: -1, First: at, Last: at + len(text), Verify: func(doc *markdown.Document) string { return isFrontMatter(doc, want) }}
	first, _, _ := bytes.Cut(doc.Source[at:], []byte("\n"))
	if rest := doc.Source[at:]; len(rest) > 0 && len(bytes.Trim(first, " \t\r")) > 0 {
		text += ending
	}
	ch.Splices = []Splice{{markdown.Span{Start: at, End: at}, []byte(text)}}
	return ch, nil
}

// isFrontMatter says what is wrong if the front matter of a document is not a text.
func isFrontMatter(doc *markdown.Document, want string) string {
	if b := doc.FrontMatter(); b >= 0 && string(doc.Text(doc.Content(b))) == want {
		return ""
	}
	return "the front matter would end elsewhere; write a text without lines of --- or +++"
}

// keyError returns the error for what can't be done with front matter.
func keyError(err error) *Error {
	e := &Error{Message: err.Error()}
	if why, ok := errors.AsType[*frontmatter.Error](err); ok {
		switch why.Reason {
		case frontmatter.NotFound:
			e.Reason = NotFound
		case frontmatter.Same:
			e.Reason = Same
		}
	}
	return e
}
