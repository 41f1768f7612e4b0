package documents

import (
	"bytes"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// What is made of a document for an answer, in bytes.
const (
	perLine    = 4   // how long it is
	perSection = 80  // words, names, what of it was shown
	perPrinted = 400 // of sections, where a reply of any length is
)

// longestTitle is how many bytes of a heading are read as its title.
const longestTitle = 64 << 10

// readBytes is about how much memory a document and the answer to any question about
// it take.
func readBytes(doc *markdown.Document) int64 {
	return baseBytes(doc) + int64(address.PlaceBytes(doc))
}

// baseBytes is readBytes without the names that are written down in the document.
func baseBytes(doc *markdown.Document) int64 {
	return int64(len(doc.Source)) + int64(parseBytes(doc)) + perLine*int64(doc.LineCount) +
		perSection*int64(len(doc.Sections)) + titleBytes(doc)
}

// readBytesWithin is readBytes and so many bytes more, or more than that if even more is within
// the lease: that is told in less time.
func (l *Lease) readBytesWithin(doc *markdown.Document, more int64) int64 {
	more += baseBytes(doc)
	if l == nil {
		return more + int64(address.PlaceBytes(doc))
	}
	if l.counted != doc { // it is asked again for an answer
		l.counted, l.names = doc, int64(address.MostPlaceBytes(doc))
	}
	if most := more + l.names; most <= l.most {
		return most
	}
	return more + int64(address.PlaceBytes(doc))
}

// printBytes is readBytes for answers of any length.
func printBytes(doc *markdown.Document) int64 {
	return readBytes(doc) + printedBytes(doc)
}

// printedBytes is what sections take beside that in a reply of any length, whose titles may become JSON.
func printedBytes(doc *markdown.Document) int64 {
	return perPrinted*int64(len(doc.Sections)) + titlesInJSON(doc)
}

// titlesInJSON is what the titles take while they become JSON, beyond perPrinted.
func titlesInJSON(doc *markdown.Document) int64 {
	n := int64(0)
	for i := range doc.Sections {
		title := doc.Text(doc.Content(int(doc.Sections[i].Heading)))
		n += max(0, InJSON(title[:min(len(title), longestTitle)])-perPrinted)
	}
	return n
}

// FileBytes is about how much memory a file of a change takes beside its texts: it is open, with what
// is known of that and of its places, until all of the change are written.
const FileBytes = 5 << 10

// EditBytes is the same for changing it: there are two of it, and they are compared; and its file takes
// FileBytes.
func EditBytes(doc *markdown.Document) int64 {
	const perSectionPair = 24
	return FileBytes + 2*readBytes(doc) + int64(len(doc.Source)) + perSectionPair*int64(len(doc.Sections))
}

// titleBytes is about how much memory it takes to read the longest heading: up to 64 KiB of its title,
// and all of it if it has attributes.
func titleBytes(doc *markdown.Document) int64 {
	const perByte = 100
	longest := 0
	whole := address.InlineBytes(doc, 0, len(doc.Blocks), func(kind markdown.Kind, text []byte) bool {
		if kind != markdown.Heading {
			return false
		}
		longest = max(longest, len(text))
		return bytes.HasSuffix(bytes.TrimRight(text, " \t\r\n#=-"), []byte{'}'})
	})
	return int64(max(perByte*min(longest, longestTitle), whole))
}
