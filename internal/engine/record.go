package engine

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// The kinds of records.
const (
	kindSection  = "section"
	kindDocument = "document"
)

// record is what is kept of a section or, without words, of a document.
type record struct {
	Kind     string    `json:"kind"`
	Root     string    `json:"root"`
	Path     string    `json:"path"`     // below the root, with forward slashes
	Place    string    `json:"place"`    // the id of the document's record
	Document string    `json:"document"` // the hash of the whole document
	Version  int64     `json:"version"`
	Bytes    int64     `json:"bytes"` // of the section up to its first subsection, or of the document
	Time     time.Time `json:"time"`  // when the document was read

	Sections int `json:"sections,omitempty"` // of a document: records of them, from position 0 on

	Position int      `json:"position"` // one more than the index that package search has
	Hash     string   `json:"hash,omitempty"`
	Selector string   `json:"selector,omitempty"`
	Titles   string   `json:"titles,omitempty"`
	First    int      `json:"first,omitempty"` // line
	Last     int      `json:"last,omitempty"`
	Headings []string `json:"headings,omitempty"` // around, from the outermost on
	Text     string   `json:"text,omitempty"`

	words
}

// words are those of a section, as AppendStems and AppendWords have them.
type words struct {
	Title       string `json:"title,omitempty"`
	TitleWords  string `json:"title_words,omitempty"`
	Around      string `json:"around,omitempty"`
	AroundWords string `json:"around_words,omitempty"`
	Names       string `json:"names,omitempty"`
	NamesWords  string `json:"names_words,omitempty"`
	Body        string `json:"body,omitempty"`
	BodyWords   string `json:"body_words,omitempty"`
	Code        string `json:"code,omitempty"`
	CodeWords   string `json:"code_words,omitempty"`
}

// RootID returns the id of a root by its name.
func RootID(name string) string { return idOf("root", name) }

// idOf returns the id of what parts say together.
func idOf(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// id returns the id of a record.
func (r *record) id() string {
	return idOf(r.Root, r.Path, r.Kind, strconv.Itoa(r.Position))
}

// recordsForm names how records are made of a document: where that is another way than before, all
// documents have changed for the index.
const recordsForm = "front matter apart\x00"

// HashOf returns the hash of a document by which it is known whether it has changed.
func HashOf(src []byte) string {
	h := sha256.New()
	h.Write([]byte(recordsForm))
	h.Write(src)
	return hex.EncodeToString(h.Sum(nil))
}

// Shown is what is told of a section where its file can't be reached.
type Shown struct {
	Selector    string
	Titles      string // of the section and those around it
	First, Last int    // lines
	Hash        string // of the section
}

// Document is a document to be fed.
type Document struct {
	Path string // below its root, with forward slashes
	Time time.Time
	Doc  *markdown.Document
	// Shown returns what is told of a section, by its index, as search.Hit has it.
	Shown func(section int) Shown
}

// recordsOf returns the records of the sections of a document, at positions that follow each other.
func recordsOf(root string, version int64, d *Document) []record {
	doc, hash := d.Doc, HashOf(d.Doc.Source)
	marker := record{Kind: kindDocument, Root: root, Path: d.Path}
	names := stemsOf([]byte(d.Path))
	namesWords := wordsOf([]byte(d.Path))
	var list []record
	for i := search.FirstOf(doc); i < len(doc.Sections); i++ {
		span, title := search.BodyOf(doc, i), markdown.Span{}
		r := record{Kind: kindSection, Root: root, Path: d.Path, Place: marker.id(), Document: hash, Version: version, Time: d.Time, Position: i + 1}
		if i >= 0 {
			title = doc.Blocks[doc.Sections[i].Heading].Span()
			r.Headings = headingsAround(doc, i)
		}
		shown := d.Shown(i)
		r.Hash, r.Selector, r.Titles, r.First, r.Last = shown.Hash, shown.Selector, shown.Titles, shown.First, shown.Last
		r.Bytes, r.Text = int64(span.Len()), string(textOf(doc, i))
		head, body := doc.Text(markdown.Span{Start: span.Start, End: max(title.End, span.Start)}), doc.Text(markdown.Span{Start: max(title.End, span.Start), End: span.End})
		code := search.AppendCode(nil, doc, i)
		var around []byte
		for _, h := range r.Headings {
			around = append(append(around, h...), "\n\n"...)
		}
		r.words = words{
			Title: stemsOf(head), TitleWords: wordsOf(head), Around: stemsOf(around), AroundWords: wordsOf(around),
			Names: names, NamesWords: namesWords, Body: stemsOf(body), BodyWords: wordsOf(body), Code: stemsOf(code), CodeWords: wordsOf(code),
		}
		list = append(list, r)
	}
	return list
}

// textOf returns the text that is kept of a section: of a part before the first section all up to
// its end, for what stands above says what its lines are, and their numbers.
func textOf(doc *markdown.Document, section int) []byte {
	span := search.BodyOf(doc, section)
	if section < 0 {
		span.Start = 0
	}
	return doc.Text(span)
}

// headingsAround returns the headings that a section stands below, as they are written.
func headingsAround(doc *markdown.Document, section int) []string {
	var list []string
	for up := doc.Sections[section].Parent; up >= 0; up = doc.Sections[up].Parent {
		list = append([]string{string(doc.Text(doc.Blocks[doc.Sections[up].Heading].Span()))}, list...)
	}
	return list
}

func stemsOf(text []byte) string { return string(search.AppendStems(nil, text)) }

func wordsOf(text []byte) string { return string(search.AppendWords(nil, text)) }
