package app

import (
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/files"
)

// CompleteAddress returns the addresses in the document at path that begin with
// what is typed: its headings, each in a form that stands for it alone, and, from
// the first letter on, selectors.
func CompleteAddress(path, typed string) []Completion {
	w := worker{reader: files.Reader{Limit: maxCompletionBytes}}
	doc, err := w.open(path)
	if err != nil || path == Stdin {
		return nil
	}
	var found []Completion
	for i := range doc.Sections {
		if len(found) == maxCompletions {
			break
		}
		n := address.NodeOfSection(i)
		addr := address.AddressOf(doc, n)
		if len(addr) >= len(typed) && strings.EqualFold(addr[:len(typed)], typed) && safe(addr) == addr {
			found = append(found, Completion{addr, "lines " + lineRange(doc.SectionLines(i)), false})
		}
	}
	if typed == "" {
		return found
	}
	return append(found, completeIn(&namedFile{path: path}, "", typed)...)
}
