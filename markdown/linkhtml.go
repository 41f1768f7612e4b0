package markdown

import "github.com/sectile/sectile/internal/syntax"

// Links in HTML are the values of attributes.

// appendBlock appends the links of the HTML block b.
func (r *LinkReader) appendBlock(dst []Link, d *Document, b int) []Link {
	in := &r.inlines
	in.lines, in.doc, in.block = in.lines[:0], d, b
	in.text = d.Source
	s := d.Blocks[b].Span()
	if d.Blocks[b].StartLine != d.Blocks[b].EndLine && d.quoted(b) {
		in.join(MaxSize)
		in.text, s = in.joined, Span{0, len(in.joined)}
	}
	first := len(dst)
	dst = appendTags(dst, in.text[:s.End], s.Start, b)
	if len(in.lines) > 0 {
		in.toSourceLinks(dst[first:])
	}
	return dst
}

// appendTags appends the links of the tags in text from i on, which is HTML.
func appendTags(dst []Link, text []byte, i, block int) []Link {
	var r syntax.HTMLReader
	for {
		tag, next, ok := r.NextTag(text, i)
		if !ok {
			return dst
		}
		dst = appendTag(dst, text, tag, block)
		i = next
	}
}

// appendTag appends the links of the tag whose '<' is at i.
func appendTag(dst []Link, text []byte, i, block int) []Link {
	n := syntax.TagNameLen(text[i+1:])
	if n == 0 {
		return dst
	}
	first, element := len(dst), syntax.LowerName(text[i+1:i+1+n])
	next := i + 1 + n
	for {
		a, end, ok := syntax.NextAttribute(text, next)
		next = end
		if !ok {
			break
		}
		name := syntax.LowerName(text[a.NameStart:a.NameEnd])
		l := Link{Block: block, Definition: -1, Whole: Span{Start: i}}
		switch value := (Span{a.ValueStart, a.ValueEnd}); name.String() {
		case "href", "src":
			l.Kind, l.Destination, l.Image = LinkHTML, value, name.String() == "src"
		case "data", "poster":
			isPoster := name.String() == "poster"
			if of := element.String(); isPoster && of != "video" || !isPoster && of != "object" {
				continue
			}
			l.Kind, l.Destination, l.Image = LinkHTML, value, isPoster
		case "id":
			l.Kind, l.Label = LinkHTMLAnchor, value
		case "name":
			if element.String() != "a" {
				continue
			}
			l.Kind, l.Label = LinkHTMLAnchor, value
		default:
			continue
		}
		dst = append(dst, l)
	}
	for j := range dst[first:] {
		dst[first+j].Whole.End = min(next+1, len(text))
	}
	return dst
}
