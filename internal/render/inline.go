package render

import "github.com/sectile/sectile/markdown"

// content writes the inline content of block i.
func (w *writer) content(i int) {
	in := &w.inlines
	in.Read(w.doc, i)
	bottom := len(w.openInline)
	for n := 0; n < len(in.Nodes) && w.goesOn(); {
		for len(w.openInline) > bottom && int(in.Nodes[w.openInline[len(w.openInline)-1]].Next) <= n && w.goesOn() {
			w.closeInline()
		}
		n = w.node(n)
	}
	for len(w.openInline) > bottom && w.goesOn() {
		w.closeInline()
	}
}

// node writes node n, or the beginning of one that holds others, and returns the index of
// the next one to write.
func (w *writer) node(n int) int {
	in := &w.inlines
	node := &in.Nodes[n]
	switch node.Kind {
	case markdown.InlineCode:
		w.text("<code>")
		w.nodeText(n)
		w.text("</code>")
	case markdown.InlineHTML:
		w.scratch = in.AppendText(w.scratch[:0], n)
		switch {
		case w.options.HTMLAsText && w.pictures(w.scratch, false):
		case w.options.HTMLAsText:
			w.escaped(w.scratch)
		case w.options.Safe:
			w.text("<!-- raw HTML omitted -->")
		default:
			w.rawHTML(w.scratch)
		}
	case markdown.InlineHardBreak:
		w.text("<br />\n")
	case markdown.InlineFootnote:
		w.footnoteReference(in.Target(n).Definition)
	case markdown.InlineAutolink, markdown.InlineBareURL:
		w.openLink(in.AppendDestination(nil, n), nil, w.options.Link)
		w.nodeText(n)
		w.text("</a>")
	case markdown.InlineWiki:
		w.openLink(in.AppendDestination(nil, n), nil, w.options.Wiki)
		w.nodeText(n)
		w.text("</a>")
	case markdown.InlineLink:
		w.link(n)
	case markdown.InlineImage:
		return w.image(n)
	case markdown.InlineEmphasis, markdown.InlineStrong, markdown.InlineStrikethrough:
		w.text(tags[node.Kind][0])
		w.openInline = append(w.openInline, n)
	default: // text, escapes, entities, soft breaks
		w.nodeText(n)
	}
	return n + 1
}

// tags are those of nodes that hold others.
var tags = map[markdown.InlineKind][2]string{
	markdown.InlineEmphasis:      {"<em>", "</em>"},
	markdown.InlineStrong:        {"<strong>", "</strong>"},
	markdown.InlineStrikethrough: {"<del>", "</del>"},
	markdown.InlineLink:          {"<a>", "</a>"},
}

// closeInline ends the node that was opened last.
func (w *writer) closeInline() {
	n := w.openInline[len(w.openInline)-1]
	w.openInline = w.openInline[:len(w.openInline)-1]
	w.text(tags[w.inlines.Nodes[n].Kind][1])
}

// nodeText writes the text of node n.
func (w *writer) nodeText(n int) {
	w.scratch = w.inlines.AppendText(w.scratch[:0], n)
	w.escaped(w.scratch)
}

// link writes the beginning of the link n.
func (w *writer) link(n int) {
	destination, title := w.target(n)
	w.openLink(destination, title, w.options.Link)
	w.openInline = append(w.openInline, n)
}

// target returns the destination and title of the link or image n; nothing, when
// references have repeated too much.
func (w *writer) target(n int) (destination, title []byte) {
	if w.references < 0 && w.inlines.Target(n).Definition >= 0 {
		return nil, nil
	}
	destination, title = w.inlines.AppendDestination(nil, n), w.inlines.AppendTitle(nil, n)
	if w.inlines.Target(n).Definition >= 0 {
		w.references -= len(destination) + len(title)
	}
	return destination, title
}

// openLink writes the opening tag of a link to what leads says.
func (w *writer) openLink(destination, title []byte, leads func(destination []byte) []byte) {
	if leads != nil {
		if destination = leads(destination); destination == nil {
			w.text("<a")
			w.titleAttribute(title)
			w.text(">")
			return
		}
	}
	w.text(`<a href="`)
	if !w.options.Safe || isSafe(destination, false) {
		w.out = appendAddress(w.out, destination)
	}
	w.text(`"`)
	w.titleAttribute(title)
	w.text(">")
}

func (w *writer) titleAttribute(title []byte) {
	if len(title) > 0 {
		w.text(` title="`)
		w.escaped(title)
		w.text(`"`)
	}
}

// image writes the image n, and returns the index of the node behind it. One that the page
// has no image for is its text.
func (w *writer) image(n int) int {
	destination, title := w.target(n)
	if w.options.Image != nil {
		if destination = w.options.Image(destination); destination == nil {
			w.text(`<span class="image">`)
			w.imageText(n)
			w.text("</span>")
			return int(w.inlines.Nodes[n].Next)
		}
	}
	w.text(`<img src="`)
	if !w.options.Safe || isSafe(destination, true) {
		w.out = appendAddress(w.out, destination)
	}
	w.text(`" alt="`)
	w.imageText(n)
	w.text(`"`)
	w.titleAttribute(title)
	w.text(" />")
	return int(w.inlines.Nodes[n].Next)
}

// imageText writes the text that stands for the image n.
func (w *writer) imageText(n int) {
	in := &w.inlines
	for i := n + 1; i < int(in.Nodes[n].Next) && w.goesOn(); i++ {
		switch in.Nodes[i].Kind {
		case markdown.InlineHardBreak, markdown.InlineSoftBreak:
			w.text(" ")
		default:
			w.nodeText(i)
		}
	}
}
