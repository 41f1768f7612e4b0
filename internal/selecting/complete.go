package selecting

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

const (
	maxCompletions     = 1000    // more can't be looked at
	maxCompletionFiles = 100     // of a folder
	maxCompletionBytes = 4 << 20 // of a file: nobody waits for a completion
)

// CompleteSelector returns the selectors that begin with what is typed, for the
// Markdown files in a folder, without those below it. If there is one, these are
// its headings and, from the first letter or after a '/', blocks; if there are
// several, namespaces, and after a namespace the same for its file.
func CompleteSelector(folder, typed string) []replies.Completion {
	list := markdownIn(folder)
	for i := range list {
		prefix := documents.InNamespace(list[i].Namespace)
		if rest, ok := strings.CutPrefix(typed, prefix); ok {
			return completeIn(&list[i], prefix, rest)
		}
	}
	if len(list) == 1 {
		if found := completeIn(&list[0], "", typed); len(found) > 0 {
			return found
		}
	}
	var found []replies.Completion
	for i := range list {
		prefix := documents.InNamespace(list[i].Namespace)
		if strings.HasPrefix(prefix, typed) {
			found = append(found, replies.Completion{Selector: prefix, Description: replies.Described(list[i].Path), Open: true})
		}
	}
	return found
}

// CompleteAddress returns the addresses in the document at path that may be meant
// by what is typed: those of headings, each of which stands for it alone, and, from
// the first letter on, selectors.
func CompleteAddress(path, typed string) []replies.Completion {
	if path == documents.Stdin {
		return nil
	}
	docs := documents.Set{MaxBytes: maxCompletionBytes}
	doc, err := docs.Open(path)
	if err != nil {
		return nil
	}
	found, _ := reading.HeadingAddresses(doc, typed, reading.MaxAddresses)
	reading.PlainAddresses(doc, typed, found)
	if typed == "" {
		return found
	}
	return append(found, completeIn(&documents.NamedFile{Path: path}, "", typed)...)
}

// markdownIn returns the Markdown files in a folder.
func markdownIn(folder string) []documents.NamedFile {
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil
	}
	d := documents.Set{}
	for _, path := range paths {
		if files.IsMarkdown(path) && len(d.Paths) < maxCompletionFiles {
			d.Paths = append(d.Paths, path)
		}
	}
	return d.Named(true)
}

// completeIn completes a selector without its namespace, which prefix holds, in
// the document at f.
func completeIn(f *documents.NamedFile, prefix, typed string) []replies.Completion {
	w := documents.Worker{Reader: textfile.Reader{Limit: maxCompletionBytes}}
	doc, err := f.Open(&w)
	if err != nil {
		return nil
	}
	return append(completeSelectors(doc, prefix, typed), completeParts(doc, prefix, typed)...)
}

// completeSelectors returns the selectors that begin with what is typed.
func completeSelectors(doc *markdown.Document, prefix, typed string) []replies.Completion {
	n := address.NodeOfDocument()
	last := typed
	if i := strings.LastIndexByte(typed, '/'); i >= 0 {
		last = typed[i+1:]
		prefix += typed[:i+1]
		s, err := address.ParseSelector(typed[:i])
		if err != nil {
			return nil
		}
		matches, err := address.SelectContext(context.Background(), doc, s, 1)
		if err != nil {
			return nil
		}
		n = matches.Node(0)
	}
	headings := last == "" && n.Kind == address.DocumentNode
	var found []replies.Completion
	children(doc, n, func(c child) bool {
		selector := c.step + "." + strconv.Itoa(c.ordinal)
		if strings.HasPrefix(selector, last) && (!headings || c.kind == "heading") {
			found = append(found, replies.Completion{Selector: prefix + selector, Description: describe(doc, &c)})
		}
		return len(found) < maxCompletions
	})
	return found
}

// describe returns a description of a part of a document.
func describe(doc *markdown.Document, c *child) string {
	return replies.Described(summary(doc, c.block))
}
