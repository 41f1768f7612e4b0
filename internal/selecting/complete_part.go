package selecting

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// maxAsked is the number of characters of a text by which a part is offered: its beginning is
// enough.
const maxAsked = 30

// completeParts returns addresses that begin with what is typed and name a part by what it is or
// holds: keys of front matter, tasks by their state or text, code by its language, columns by
// their heads, items and paragraphs by their beginning. Each stands for something.
func completeParts(doc *markdown.Document, prefix, typed string) []replies.Completion {
	var list []string
	if key, ok := strings.CutPrefix(typed, "@frontmatter."); ok {
		above := typed[:len(typed)-len(key)+strings.LastIndexByte(key, '.')+1]
		for _, wrong := range []string{typed, above + "\u00a0"} { // the error tells what is near, or what there is
			if _, err := address.ResolveAll(doc, wrong); err != nil {
				list = append(list, nearTo(err)...)
			}
		}
	} else if strings.HasPrefix(typed, "@") {
		list = []string{"@document", "@preamble", "@frontmatter"}
	} else if i := strings.LastIndexByte(typed, '['); i > 0 {
		before := typed[:i+1]
		name := before[strings.LastIndexByte(before, '/')+1 : i]
		name, _, _ = strings.Cut(name, ".")
		for _, ask := range asks(doc, name) {
			list = append(list, before+ask+"]")
		}
	} else if typed != "" {
		before := typed[:strings.LastIndexByte(typed, '/')+1]
		list = []string{before + "task[open]", before + "task[done]"}
	}
	var found []replies.Completion
	for _, addr := range slices.Compact(slices.Sorted(slices.Values(list))) {
		if !strings.HasPrefix(addr, typed) || replies.Safe(addr) != addr {
			continue
		}
		if all, err := address.ResolveAll(doc, addr); err == nil && len(found) < maxCompletions {
			c := replies.Completion{Selector: prefix + addr, Description: places(doc, all)}
			if len(all) == 1 && all[0].Selector != "" { // for a shell that isn't handed this one
				c.Counted, c.Title = prefix+all[0].Selector, replies.Described(addr[strings.LastIndexByte(addr, '[')+1:])
			}
			found = append(found, c)
		}
	}
	return found
}

// nearTo returns the addresses that an error names.
func nearTo(err error) []string {
	var list []string
	if e, ok := err.(*address.Error); ok { //nolint:errorlint // as it comes
		for _, c := range e.Candidates {
			list = append(list, c.Address)
		}
	}
	return list
}

// places says where the parts of an address are.
func places(doc *markdown.Document, all []address.Resolution) string {
	where := "lines " + replies.LineRange(all[0].Lines(doc))
	if len(all) > 1 {
		return replies.Plural(len(all), "part")
	}
	return where
}

// asks returns what a step of a type may ask for in a document.
func asks(doc *markdown.Document, name string) []string {
	list := address.LinkNames(doc, name, maxCompletions)
	if list != nil {
		return list
	}
	quoted := func(b int) string {
		text := []rune(doc.PlainText(b))
		return strconv.Quote(string(text[:min(len(text), maxAsked)]))
	}
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		switch {
		case len(list) > maxCompletions:
			return list
		case name == "code" && (b.Kind == markdown.FencedCode):
			if language := address.Language(doc, i); language != "" {
				list = append(list, language)
			}
		case name == "table" && b.Kind == markdown.TableCell && isHead(doc, i):
			list = append(list, quoted(i))
		case name == "para" && b.Kind == markdown.Paragraph,
			name == "item" && b.Kind == markdown.Item && i+1 < int(b.Next):
			at := i
			if b.Kind == markdown.Item {
				at++
			}
			list = append(list, quoted(at))
		case name == "task" && b.Kind == markdown.Item && b.Flags&markdown.Task != 0:
			list = append(list, "open", "done", quoted(i+1))
		}
	}
	return list
}

// isHead reports whether a cell is one of the first row of its table.
func isHead(doc *markdown.Document, cell int) bool {
	row := doc.Blocks[cell].Parent
	return doc.Blocks[row].Parent == row-1
}
