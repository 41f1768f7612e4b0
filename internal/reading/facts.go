package reading

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// What sections say about themselves is told of each up to its first subsection, but for its hash,
// which is that of a read: what a subsection says is told there.

// Facts are what a list of sections can tell of each.
func Facts() []string {
	return []string{"words", "hash", "tasks", "links", "code", "attributes", "tags", "fields"}
}

// sectionFacts are what is told of a section. Those that weren't asked for, or that it hasn't, are
// left out.
type sectionFacts struct {
	Words      *int              `json:"words,omitempty"`
	Hash       string            `json:"hash,omitempty"`
	Tasks      *taskCount        `json:"tasks,omitempty"`
	Links      int               `json:"links,omitempty"`
	Code       []string          `json:"code,omitempty"` // languages, "" for none
	Attributes string            `json:"attributes,omitempty"`
	Tags       []string          `json:"tags,omitempty"`
	Fields     map[string]string `json:"fields,omitempty"`
}

type taskCount struct {
	Open int `json:"open"`
	Done int `json:"done"`
}

// checkFacts says what is wrong with the facts that are asked for, nothing if nothing is.
func checkFacts(with []string) error {
	for _, name := range with {
		if !slices.Contains(Facts(), name) {
			return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("sections don't tell %q; %sit is one of %s",
				replies.Clip(name, replies.MaxShown), nearest.Question("", name, Facts()), strings.Join(Facts(), ", "))}
		}
	}
	return nil
}

// sectionReader reads what sections of a document say.
type sectionReader struct {
	doc     *markdown.Document
	with    []string
	links   markdown.LinkReader
	inlines markdown.Inlines
}

// forFacts reserves memory for what is read of a document to find facts: the inline content of any one
// block, which may take many times its length. The lease is nil if that is little.
func forFacts(work *documents.Work, doc *markdown.Document, with []string) (*documents.Lease, error) {
	const little, perTag = 256 << 10, 100
	signs := ""
	if slices.Contains(with, "tags") {
		signs = "#"
	}
	if slices.Contains(with, "links") {
		signs += "[<:@"
	}
	if signs == "" {
		return nil, nil //nolint:nilnil // nothing is what is reserved
	}
	most := address.InlineBytes(doc, 0, len(doc.Blocks), func(kind markdown.Kind, text []byte) bool {
		isRead := kind == markdown.Paragraph || kind == markdown.Heading || kind == markdown.TableCell || kind == markdown.HTMLBlock
		return isRead && (bytes.ContainsAny(text, signs) || signs != "#" && bytes.Contains(text, []byte("www.")))
	})
	if most += perTag * bytes.Count(doc.Source, []byte{'#'}); most <= little {
		return nil, nil //nolint:nilnil // the same
	}
	return work.Borrow(int64(most), doc)
}

// factsOf returns what section i tells.
func (s *sectionReader) factsOf(i int) *sectionFacts {
	doc, f := s.doc, &sectionFacts{}
	first, end := s.blocks(i)
	for _, name := range s.with {
		switch name {
		case "words":
			n := replies.CountWords(doc.Text(doc.BodySpan(i)))
			f.Words = &n
		case "hash":
			f.Hash = doc.SectionHash(i)
		case "tasks":
			f.Tasks = tasksIn(doc, first, end)
		case "links":
			f.Links = s.countLinks(first-1, end)
		case "code":
			f.Code = languagesIn(doc, first, end)
		case "attributes":
			f.Attributes = replies.Safe(strings.TrimSpace(address.Attributes(doc.Title(int(doc.Sections[i].Heading)))))
		case "tags":
			f.Tags = s.tagsIn(first-1, end)
		case "fields":
			f.Fields = fieldsOf(doc, first, end)
		}
	}
	return f
}

// blocks returns the blocks of section i behind its heading, up to its first subsection.
func (s *sectionReader) blocks(i int) (first, end int) {
	end = len(s.doc.Blocks)
	if i+1 < len(s.doc.Sections) {
		end = int(s.doc.Sections[i+1].Heading)
	}
	return int(s.doc.Sections[i].Heading) + 1, end
}

func tasksIn(doc *markdown.Document, first, end int) *taskCount {
	var n taskCount
	for b := first; b < end; b++ {
		switch flags := doc.Blocks[b].Flags; {
		case doc.Blocks[b].Kind != markdown.Item || flags&markdown.Task == 0:
		case flags&markdown.Done != 0:
			n.Done++
		default:
			n.Open++
		}
	}
	if n == (taskCount{}) {
		return nil
	}
	return &n
}

// countLinks counts the links of blocks; images and definitions are none.
func (s *sectionReader) countLinks(first, end int) int {
	n := 0
	var list []markdown.Link
	for b := first; b < end; b++ { // of one block at a time, for a section may have many
		list = s.links.AppendBlocks(list[:0], s.doc, 0, b, b+1)
		for i := range list {
			switch list[i].Kind {
			case markdown.LinkHTMLAnchor, markdown.LinkReferenceDefinition, markdown.LinkFootnoteDefinition:
			default:
				if !list[i].Image {
					n++
				}
			}
		}
	}
	return n
}

// languagesIn returns the languages of code, each once, "" for code without one.
func languagesIn(doc *markdown.Document, first, end int) []string {
	var list distinct
	for b := first; b < end; b++ {
		if k := doc.Blocks[b].Kind; k != markdown.FencedCode && k != markdown.IndentedCode {
			continue
		}
		list.add(replies.Safe(address.Language(doc, b)))
	}
	return list.all
}

// aTag is a tag: a word behind '#' that has a letter, behind a blank or at the beginning.
var aTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s(])#([\pL\pN_/-]*\pL[\pL\pN_/-]*)`)
})

// tagsIn returns the tags in the text of headings and paragraphs, each once, without their '#':
// code, HTML, attributes and what links lead to have none.
func (s *sectionReader) tagsIn(first, end int) []string {
	var list distinct
	for b := first; b < end; b++ {
		content := s.doc.Content(b)
		switch s.doc.Blocks[b].Kind {
		case markdown.Heading:
			content.End = content.Start + len(runes.CutAttributes(string(s.doc.Text(content))))
		case markdown.Paragraph:
		default:
			continue
		}
		for at, m := range aTag().FindAllSubmatchIndex(s.doc.Text(content), -1) {
			if at == 0 {
				s.inlines.Read(s.doc, b)
			}
			if name := (markdown.Span{Start: content.Start + m[2], End: content.Start + m[3]}); s.isText(name.Start) {
				list.add(replies.Safe(string(s.doc.Text(name))))
			}
		}
	}
	return list.all
}

// isText reports whether the byte at an offset is text of the content that was read last.
func (s *sectionReader) isText(offset int) bool {
	nodes := s.inlines.Nodes
	i := sort.Search(len(nodes), func(i int) bool { return int(nodes[i].Start) > offset }) - 1 // the innermost node that has it
	return i >= 0 && nodes[i].Kind == markdown.InlineText && offset < int(nodes[i].End)
}

// aField is a field: "Status: done", "**Owner:** me" or a comment of HTML.
var aField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:<!--\s*)?(?:\*\*|__)?([\pL][\pL\pN _-]{0,30}?)(?:(?:\*\*|__):|:(?:\*\*|__)?)[ \t]+(\S.*?)\s*(?:-->)?\s*$`)
})

// fieldsOf returns the fields right below a heading: the lines of its first blocks, and of items of
// lists with bullets, up to one that has another line. Names are in small letters.
func fieldsOf(doc *markdown.Document, first, end int) map[string]string {
	var fields map[string]string
	for b := first; b < end; b++ {
		block := &doc.Blocks[b]
		switch {
		case block.Kind == markdown.Paragraph || block.Kind == markdown.HTMLBlock:
		case block.Kind == markdown.List && !block.Ordered() || block.Kind == markdown.Item:
			continue
		default:
			return fields
		}
		for l := range doc.ContentLines(b) {
			line := doc.Text(l.Span)
			if block.Kind == markdown.Paragraph && l.End < int(block.End) {
				line = withoutHardBreak(line)
			}
			m := aField().FindSubmatch(bytes.TrimSpace(line))
			if m == nil {
				return fields
			}
			if fields == nil {
				fields = map[string]string{}
			}
			if name := strings.ToLower(strings.TrimSpace(string(m[1]))); fields[name] == "" {
				fields[name] = replies.Safe(string(m[2]))
			}
		}
	}
	return fields
}

// withoutHardBreak returns a line of a paragraph, which isn't its last, without the backslash that
// ends it as a break; one that is escaped stays.
func withoutHardBreak(line []byte) []byte {
	if n := len(line) - len(bytes.TrimRight(line, `\`)); n%2 == 1 {
		return line[:len(line)-1]
	}
	return line
}

// hasStatus reports whether section i has a field "status" with the value, whatever the case.
func hasStatus(doc *markdown.Document, i int, status string) bool {
	s := sectionReader{doc: doc}
	first, end := s.blocks(i)
	return strings.EqualFold(fieldsOf(doc, first, end)["status"], strings.TrimSpace(status))
}

// appendFacts appends the facts of a section as members of an object of JSON, with a comma before
// them if there are some.
func appendFacts(dst []byte, f *sectionFacts) []byte {
	text, err := json.Marshal(f)
	if err != nil || len(text) <= len("{}") {
		return dst
	}
	return append(append(dst, ','), text[1:len(text)-1]...)
}

// text tells the facts on the line of a section.
func (f *sectionFacts) text() string {
	var all []string
	add := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	if f.Words != nil {
		add("%s", replies.Plural(*f.Words, "word"))
	}
	if f.Hash != "" {
		add("%s", replies.HashMark+f.Hash)
	}
	if f.Tasks != nil {
		add("%d of %s done", f.Tasks.Done, replies.Plural(f.Tasks.Done+f.Tasks.Open, "task"))
	}
	if f.Links > 0 {
		add("%s", replies.Plural(f.Links, "link"))
	}
	for i, language := range f.Code {
		if f.Code[i] = language; language == "" {
			f.Code[i] = "plain"
		}
	}
	if f.Code != nil {
		add("code: %s", strings.Join(f.Code, " "))
	}
	if f.Attributes != "" {
		add("%s", f.Attributes)
	}
	for _, tag := range f.Tags {
		add("#%s", tag)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Fields)) {
		add("%s: %s", name, strconv.Quote(f.Fields[name]))
	}
	if all == nil {
		return ""
	}
	return "  [" + strings.Join(all, ", ") + "]"
}

// distinct is a list of names, each once.
type distinct struct {
	all  []string
	seen map[string]bool
}

func (d *distinct) add(name string) {
	if d.seen[name] {
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	d.seen[name] = true
	d.all = append(d.all, name)
}
