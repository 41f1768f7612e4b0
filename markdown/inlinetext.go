package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/syntax"
)

// What nodes stand for. All of it is appended to memory of the caller.

// AppendText appends the text that node i stands for: escapes and entities resolved,
// line endings in code as spaces, '\n' for a break, the source of HTML, the shown text
// of a wiki link; nothing for a node that holds others, and for a footnote.
func (in *Inlines) AppendText(dst []byte, i int) []byte {
	n := &in.Nodes[i]
	switch n.Kind {
	case InlineText:
		return appendLiteral(dst, in.source()[n.Start:n.End])
	case InlineEscape:
		return append(dst, in.source()[n.InnerStart])
	case InlineEntity:
		_, text := syntax.Entity(in.source()[:n.End], int(n.Start))
		return append(dst, text...)
	case InlineCode:
		return in.appendCode(dst, n)
	case InlineHardBreak, InlineSoftBreak:
		return append(dst, '\n')
	case InlineHTML:
		return in.appendPieces(dst, n.Span(), '\n')
	case InlineAutolink, InlineBareURL, InlineWiki:
		return in.appendPieces(dst, n.Inner(), ' ')
	}
	return dst
}

// source is what the nodes' offsets are of.
func (in *Inlines) source() []byte {
	if len(in.lines) > 0 {
		return in.doc.Source
	}
	return in.text
}

// appendLiteral appends text, with NUL as what it stands for (2.3).
func appendLiteral(dst, text []byte) []byte {
	for {
		n := bytes.IndexByte(text, 0)
		if n < 0 {
			return append(dst, text...)
		}
		dst = utf8.AppendRune(append(dst, text[:n]...), utf8.RuneError)
		text = text[n+1:]
	}
}

// appendPieces appends the pieces of the range with the byte between lines. In a cell the
// backslash before a pipe belongs to the table (GFM 4.10).
func (in *Inlines) appendPieces(dst []byte, s Span, between byte) []byte {
	first, src, cell := true, in.source(), in.block >= 0 && in.doc.Blocks[in.block].Kind == TableCell
	for piece := range in.Pieces(s) {
		if !first {
			dst = append(dst, between)
		}
		first = false
		if !cell {
			dst = appendLiteral(dst, src[piece.Start:piece.End])
			continue
		}
		for i := piece.Start; i < piece.End; i++ {
			if src[i] == '\\' && i+1 < piece.End && src[i+1] == '|' {
				continue
			}
			dst = appendLiteral(dst, src[i:i+1])
		}
	}
	return dst
}

// appendCode appends the code of a span (6.1).
func (in *Inlines) appendCode(dst []byte, n *Inline) []byte {
	start := len(dst)
	dst = in.appendPieces(dst, n.Inner(), ' ')
	code := dst[start:]
	if len(code) > 1 && code[0] == ' ' && code[len(code)-1] == ' ' && len(bytes.Trim(code, " ")) > 0 {
		copy(code, code[1:len(code)-1])
		dst = dst[:len(dst)-2]
	}
	return dst
}

// AppendDestination appends where node i leads to, escapes and entities resolved: of a
// link, an image (the destination of their definition, if they refer to one), an address
// ("mailto:" and "http://" added where it hasn't them), or a wiki link.
func (in *Inlines) AppendDestination(dst []byte, i int) []byte {
	n := &in.Nodes[i]
	switch n.Kind {
	case InlineAutolink, InlineBareURL:
		if n.Email {
			dst = append(dst, "mailto:"...)
		} else if n.Kind == InlineBareURL && in.source()[n.Start] == 'w' {
			dst = append(dst, "http://"...)
		}
		return in.appendPieces(dst, n.Inner(), ' ')
	case InlineWiki:
		return in.appendPieces(dst, in.Target(i).Destination, ' ')
	case InlineLink, InlineImage:
		return in.appendTargetPart(dst, i, func(t *Target) Span { return t.Destination })
	}
	return dst
}

// AppendTitle appends the title of the link or image i, escapes and entities resolved.
func (in *Inlines) AppendTitle(dst []byte, i int) []byte {
	return in.appendTargetPart(dst, i, func(t *Target) Span { return t.Title })
}

// appendTargetPart appends a part of the target of node i, or of the definition that it
// refers to.
func (in *Inlines) appendTargetPart(dst []byte, i int, part func(*Target) Span) []byte {
	t := in.Target(i)
	if t.Kind != LinkInline && t.Definition >= 0 {
		return in.doc.appendDefined(dst, t.Definition, part)
	}
	s := part(&t)
	if s.Len() == 0 {
		return dst
	}
	if src := in.source()[s.Start:s.End]; bytes.IndexByte(src, '\n') < 0 && bytes.IndexByte(src, '\r') < 0 {
		return syntax.AppendUnescaped(dst, src, false)
	}
	return syntax.AppendUnescaped(dst, in.appendPieces(nil, s, '\n'), false)
}

// Definition returns the ranges of the link definition or footnote definition b; that of
// any other block has the kind 0.
func (d *Document) Definition(b int) Target {
	t := Target{Definition: -1}
	switch block := &d.Blocks[b]; block.Kind {
	case FootnoteDefinition:
		end, _ := syntax.FootnoteMarker(d.Source[:block.End], int(block.Start))
		t.Kind, t.Label = LinkFootnoteDefinition, Span{int(block.Start) + 2, end - 2}
	case LinkDefinition:
		found, _ := syntax.ReadDefinition(d.Source, d.definitionLines(b))
		t.Kind, t.Label = LinkReferenceDefinition, spanOf(found.Label)
		t.Destination, t.Title = spanOf(found.Destination), spanOf(found.Title)
	}
	return t
}

// definitionLines returns the lines of definition b.
func (d *Document) definitionLines(b int) []segment {
	var lines []segment
	for l := range d.ContentLines(b) {
		lines = append(lines, segment{Start: uint32(l.Start), End: uint32(l.End)})
	}
	return lines
}

// appendDefined appends a part of the definition b, escapes and entities resolved.
func (d *Document) appendDefined(dst []byte, b int, part func(*Target) Span) []byte {
	t := d.Definition(b)
	s := part(&t)
	if s.Len() == 0 {
		return dst
	}
	var text []byte
	for _, l := range d.definitionLines(b) {
		if start, end := max(int(l.Start), s.Start), min(int(l.End), s.End); start <= end {
			if start > s.Start {
				text = append(text, '\n')
			}
			text = append(text, d.Source[start:end]...)
		}
	}
	return syntax.AppendUnescaped(dst, text, false)
}
