package app

import (
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// maxAddresses is the largest number of headings that are offered: finding the
// form in which one stands for itself alone looks at all of them.
const maxAddresses = 100

// CompleteAddress returns the addresses in the document at path that begin with
// what is typed: its headings, each in a form that stands for it alone, and, from
// the first letter on, selectors.
func CompleteAddress(path, typed string) []Completion {
	docs := Documents{MaxBytes: maxCompletionBytes}
	doc, err := docs.open(path)
	if err != nil || path == Stdin {
		return nil
	}
	found, _ := headingAddresses(doc, typed, maxAddresses)
	if typed == "" {
		return found
	}
	return append(found, completeIn(&namedFile{path: path}, "", typed)...)
}

// headingAddresses returns at most limit addresses of headings that begin with
// what is typed, in any case and whether there
// are more.
func headingAddresses(doc *markdown.Document, typed string, limit int) (found []Completion, more bool) {
	r := reading{doc: doc}
	for i := range doc.Sections {
		heading := r.headingOf(i)
		if len(heading) < len(typed) || !strings.EqualFold(heading[:len(typed)], typed) {
			continue
		}
		if len(found) == limit {
			return found, true
		}
		if addr := address.AddressOf(doc, address.NodeOfSection(i)); safe(addr) == addr {
			found = append(found, Completion{addr, "lines " + lineRange(doc.SectionLines(i)), false})
		}
	}
	return found, false
}
