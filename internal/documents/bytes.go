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

// printedBytes is what sections take beside that in a reply of any length.
func printedBytes(doc *markdown.Document) int64 { return perPrinted * int64(len(doc.Sections)) }

// EditBytes is the same for changing it: there are two of it, and they are compared.
func EditBytes(doc *markdown.Document) int64 {
	const perSectionPair = 24
	return 2*readBytes(doc) + int64(len(doc.Source)) + perSectionPair*int64(len(doc.Sections))
}

// titleBytes is about how much memory it takes to read the longest heading.
func titleBytes(doc *markdown.Document) int64 {
	return InlineBytes(doc, 0, len(doc.Blocks), func(k markdown.Kind) bool { return k == markdown.Heading })
}

// InlineBytes is about how much memory it takes to read what is in the longest block of some kinds
// among those from start to end, exclusive: some times its length, and something for each mark in it
// that may open what another one closes.
func InlineBytes(doc *markdown.Document, start, end int, is func(markdown.Kind) bool) int64 {
	const perByte, perMark = 6, 20
	var longest *markdown.Block
	for i := start; i < end; i++ {
		if b := &doc.Blocks[i]; is(b.Kind) && (longest == nil || b.End-b.Start > longest.End-longest.Start) {
			longest = b
		}
	}
	if longest == nil {
		return 0
	}
	marks := 0
	text := doc.Text(longest.Span())
	for _, mark := range []byte("[*_~&") {
		marks += bytes.Count(text, []byte{mark})
	}
	return perByte*int64(len(text)) + perMark*int64(marks)
}
