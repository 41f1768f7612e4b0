package reading

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// TreeRequest asks for documents' sections as they stand in each other.
type TreeRequest struct {
	Format       string        // "json" or "ascii"; empty means json
	Pattern      string        // keeps sections whose heading contains it, and those above them
	MaxDepth     int           // the deepest level of headings; 0 keeps all
	KeepChildren bool          // keeps what is below a match
	Raw          bool          // names are the headings' source text
	Style        replies.Style // of ASCII
	// Many says that there can be several documents: of those that are read, ASCII leaves
	// out the ones without a match of the pattern, and it ends with a line of totals.
	Many bool
	// Single asks about one document, and for the reply of a tool: an object with
	// format and tree_json or tree, without a line end. Names are safe to show.
	Single bool
	// MaxChars is the largest number of characters (code points) of the reply if
	// Single is set; 0 sets none. A tree that is longer loses its deepest levels,
	// and says how to see them, with the tools in Offered.
	MaxChars int
	Offered  replies.Offered
}

// Tree renders the tree of each document: in JSON one object a line with
// file_path, format and tree_json, or an error; in ASCII one tree after another, drawn
// for people, with an empty line between them. Its own error is an *Error if the request is
// wrong, or if it is about a single document that can't be read, else that of
// emit or the context.
func Tree(ctx context.Context, docs documents.Set, req TreeRequest, emit func(documents.Part) error) error {
	format, err := outline.ParseFormat(req.Format)
	if err != nil {
		return replies.ErrorAbout("", err)
	}
	if req.MaxDepth < 0 {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("the depth must not be negative; 0 shows every level")}
	}
	if err := checkSingle(docs, req.Single, req.MaxChars); err != nil {
		return err
	}
	opts := outline.TreeOptions{
		Pattern: req.Pattern, KeepChildren: req.KeepChildren, MaxDepth: req.MaxDepth, Raw: req.Raw, Safe: req.Single,
	}
	if req.Single {
		return single(ctx, docs, emit, func(doc *markdown.Document, path string) ([]byte, error) {
			if err := withinPart(&docs, path, doc, &opts.From, &opts.To); err != nil {
				return nil, err
			}
			return singleTree(outline.NewTree(doc, opts), format, filepath.Base(path), &req)
		})
	}
	r := documents.Renderer{Errors: format == outline.JSON, Abridged: true}
	var sum treeTotals
	r.Document = func(dst []byte, doc *markdown.Document, path string) ([]byte, error) {
		opts := opts
		if err := withinPart(&docs, path, doc, &opts.From, &opts.To); err != nil {
			return dst, err
		}
		tree := outline.NewTree(doc, opts)
		if format == outline.ASCII {
			shown := !req.Many || tree.Len() > 0 || strings.TrimSpace(req.Pattern) == ""
			if sum.add(doc, tree, shown); !shown {
				return dst, nil
			}
			return tree.AppendStyled(append(dst, '\n'), path, req.Style), nil
		}
		dst = replies.AppendString(append(dst, `{"file_path":`...), path)
		dst = append(dst, `,"format":"json","tree_json":`...)
		return append(tree.AppendJSON(dst, filepath.Base(path)), "}\n"...), nil
	}
	if format == outline.JSON {
		return docs.Each(ctx, r, emit)
	}
	files := 0
	emit = withoutFirstByte(emit)
	err = docs.Each(ctx, r, func(part documents.Part) error {
		files = part.Files
		return emit(part)
	})
	if err != nil || !req.Many || sum.documents.all == 0 {
		return err
	}
	return emit(documents.Part{Text: sum.line(), Files: files})
}

// treeTotals counts what trees of several documents have, and what is shown of it.
type treeTotals struct {
	mu                         sync.Mutex
	documents, sections, lines shownOf
}

// shownOf is how many there are of something, and how many of them are shown.
type shownOf struct{ shown, all int }

// add counts a document and its tree.
func (s *treeTotals) add(doc *markdown.Document, tree *outline.Tree, shown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.documents.add(1, shown)
	s.lines.add(doc.LineCount, shown)
	s.sections.all += len(doc.Sections)
	s.sections.shown += tree.Len()
}

func (n *shownOf) add(more int, shown bool) {
	n.all += more
	if shown {
		n.shown += more
	}
}

// line renders the totals, with the empty line before them.
func (s *treeTotals) line() []byte {
	return fmt.Appendf(nil, "\n%s, %s, %s\n", s.documents.count("document"), s.sections.count("section"), s.lines.count("line"))
}

// count renders a number of things of a name: "3 documents", "2 of 3 documents".
func (n shownOf) count(name string) string {
	if n.shown == n.all {
		return replies.Plural(n.all, name)
	}
	return fmt.Sprint(n.shown, " of ", replies.Plural(n.all, name))
}

// withoutFirstByte leaves out the first byte of the reply: documents are each
// rendered with the empty line before them that separates them.
func withoutFirstByte(emit func(documents.Part) error) func(documents.Part) error {
	first := true
	return func(part documents.Part) error {
		if first && len(part.Text) > 0 {
			part.Text = part.Text[1:]
			first = false
		}
		return emit(part)
	}
}

// The keys of a tool's reply around the tree.
const (
	treeJSON = `{"format":"json"%s,"tree_json":`
	treeText = `{"format":"ascii"%s,"tree":`
	// treeLimited says that levels are left out, and how to see them.
	treeLimited = `,"depth_limited":%d,"sections":%d,"shown":%d,"hint":"%s"`
)

// treeHint says how to see the headings that are left out.
func (req *TreeRequest) treeHint(format outline.Format) string {
	ways := []string{"choose some with pattern"}
	if req.MaxChars < replies.FullChars {
		ways = append(ways, "raise max_chars")
	}
	if format == outline.JSON {
		ways = append(ways, "ask for format ascii, which is shorter")
	}
	if req.Offered.Has(replies.ToolSections) {
		ways = append(ways, "page through all with "+replies.ToolSections)
	}
	return "not all headings fit; " + strings.Join(ways, ", or ")
}

// singleTree renders the reply of a tool: with all levels, or with as many as fit into
// MaxChars characters, 0 for any number, and of the next one the first sections.
func singleTree(tree *outline.Tree, format outline.Format, name string, req *TreeRequest) ([]byte, error) {
	limit := req.MaxChars
	if limit == 0 {
		return treeReply(tree, format, name, ""), nil
	}
	around, chars := len(fmt.Sprintf(treeJSON+"}", "")), utf8.RuneCount
	if format == outline.ASCII {
		around = len(fmt.Sprintf(treeText+`""}`, ""))
		chars = func(piece []byte) int { return utf8.RuneCount(replies.AppendString(nil, string(piece))) - len(`""`) }
	}
	hint := req.treeHint(format)
	rest := utf8.RuneCountInString(fmt.Sprintf(treeLimited, 0, tree.Len(), 0, hint)) - len("0")
	level, some, ok := tree.Fit(format, name, limit-around, chars, func(_ outline.Level, shown int) int {
		return rest + len(strconv.Itoa(shown))
	})
	if !ok {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
			"%s %d is too small for the name of this file; raise it", replies.MaxChars, limit)}
	}
	if level == 6 {
		return treeReply(tree, format, name, ""), nil
	}
	fitting := tree.UpToSome(level, some)
	return treeReply(fitting, format, name, fmt.Sprintf(treeLimited, level, tree.Len(), fitting.Len(), hint)), nil
}

// treeReply renders a tree as the reply of a tool, with a note on what it leaves out.
func treeReply(tree *outline.Tree, format outline.Format, name, note string) []byte {
	if format == outline.ASCII {
		return append(replies.AppendString(fmt.Appendf(nil, treeText, note), string(tree.AppendASCII(nil, name))), '}')
	}
	return append(tree.AppendJSON(fmt.Appendf(nil, treeJSON, note), name), '}')
}

// checkSingle refuses what does not go together in a request about one document.
func checkSingle(docs documents.Set, single bool, maxChars int) error {
	var message replies.Sentence
	switch {
	case single && len(docs.Paths) != 1:
		message = replies.Say("name one document")
	case maxChars != 0 && !single:
		message = replies.Say("%s is for a single document", replies.MaxChars)
	default:
		message = checkMaxChars(maxChars)
	}
	if message.IsEmpty() {
		return nil
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: message}
}

// single renders what is asked for of the one document and hands it to emit. Its
// own error is an *Error.
func single(
	ctx context.Context, docs documents.Set, emit func(documents.Part) error, render func(doc *markdown.Document, path string) ([]byte, error),
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := docs.Paths[0]
	doc, _, err := docs.OpenAny(path)
	if err != nil {
		return replies.ErrorAbout(replies.DisplayPath(path), err)
	}
	text, err := render(doc, replies.DisplayPath(path))
	if err != nil {
		return replies.ErrorAbout(replies.DisplayPath(path), err)
	}
	return emit(documents.Part{Text: text, Files: 1})
}
