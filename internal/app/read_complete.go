package app

import (
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/files"
)

// maxAddresses is the largest number of headings that are offered: finding the
// form in which one stands for itself alone looks at all of them.
const maxAddresses = 100

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
	r := reading{doc: doc}
	for i := range doc.Sections {
		if len(found) == maxAddresses {
			break
		}
		heading := r.headingOf(i)
		if len(heading) < len(typed) || !strings.EqualFold(heading[:len(typed)], typed) {
			continue
		}
		if addr := address.AddressOf(doc, address.NodeOfSection(i)); safe(addr) == addr {
			found = append(found, Completion{addr, "lines " + lineRange(doc.SectionLines(i)), false})
		}
	}
	if typed == "" {
		return found
	}
	return append(found, completeIn(&namedFile{path: path}, "", typed)...)
}
