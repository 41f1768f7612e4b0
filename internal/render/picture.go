package render

import (
	"bytes"

	"github.com/sectile/sectile/internal/syntax"
)

// Many documents have their images as HTML, to give them a size or a place. Where raw HTML is
// written as the text that it is, so that nothing of a document is hidden from who reads it, that
// which says nothing else is written as images.

// picture is an image as HTML has it.
type picture struct{ source, text, title, width []byte }

// pictures writes HTML that holds nothing but images, within elements that only place them, and
// reports whether it does.
func (w *writer) pictures(html []byte, block bool) bool {
	if w.options.Image == nil {
		return false
	}
	count := 0
	if !eachPicture(html, func(*picture) { count++ }) || count == 0 {
		return false
	}
	if block {
		w.text("<p>")
	}
	i := 0
	eachPicture(html, func(p *picture) {
		if !w.goesOn() {
			return
		}
		if i++; i > 1 {
			w.text(" ")
		}
		w.picture(p)
	})
	if block {
		w.text("</p>\n")
	}
	return true
}

// picture writes one, or its text if the page has no image for it.
func (w *writer) picture(p *picture) {
	source := w.options.Image(p.source)
	if source == nil {
		w.text(`<span class="image">`)
		w.escaped(p.text)
		w.text("</span>")
		return
	}
	w.text(`<img src="`)
	if !w.options.Safe || isSafe(source, true) {
		w.out = appendAddress(w.out, source)
	}
	w.text(`" alt="`)
	w.escaped(p.text)
	w.text(`"`)
	if len(p.width) > 0 {
		w.text(` width="`)
		w.escaped(p.width)
		w.text(`"`)
	}
	w.titleAttribute(p.title)
	w.text(" />")
}

// eachPicture calls do with the images of HTML, up to what is something else, and reports whether
// there is nothing else. There may be many, so no list of them is made.
func eachPicture(html []byte, do func(p *picture)) bool {
	for i := 0; ; {
		if i = syntax.SkipWhite(html, i); i == len(html) {
			return true
		}
		if html[i] != '<' {
			return false
		}
		i++
		closing := i < len(html) && html[i] == '/'
		end := syntax.OpeningTagEnd
		if closing {
			i, end = i+1, syntax.ClosingTagEnd
		}
		stop := end(html, i)
		if stop == 0 {
			return false
		}
		n := syntax.TagNameLen(html[i:])
		switch name := syntax.LowerName(html[i : i+n]); name.String() {
		case "img":
			p, isPicture := pictureOf(html[i+n : stop])
			if closing || !isPicture {
				return false
			}
			do(&p)
		case "p", "div", "center", "br":
			if !placesOnly(html[i+n : stop]) {
				return false
			}
		default:
			return false
		}
		i = stop
	}
}

// eachAttribute calls do with the attributes of a tag, whose name is behind it, and reports whether
// there is nothing else in the tag and do has taken each.
func eachAttribute(tag []byte, do func(name string, value []byte) bool) bool {
	for at := 0; ; {
		a, next, ok := syntax.NextAttribute(tag, at)
		if !ok {
			return len(bytes.Trim(tag[at:], " \t\n\r/>")) == 0
		}
		before := bytes.Trim(tag[at:a.NameStart], " \t\n\r")
		name := syntax.LowerName(tag[a.NameStart:a.NameEnd])
		if len(before) > 0 || !do(name.String(), syntax.AppendUnescaped(nil, tag[a.ValueStart:a.ValueEnd], true)) {
			return false
		}
		at = next
	}
}

// pictureOf returns the image of a tag.
func pictureOf(tag []byte) (p picture, ok bool) {
	ok = eachAttribute(tag, func(name string, value []byte) bool {
		field := map[string]*[]byte{"src": &p.source, "alt": &p.text, "title": &p.title, "width": &p.width}[name]
		switch {
		case name == "height", name == "align":
			return isSize(value)
		case field == nil, *field != nil, name == "width" && !isSize(value): // of two the first counts
			return false
		}
		*field = append([]byte{}, value...)
		return true
	})
	return p, ok && len(p.source) > 0
}

// placesOnly reports whether a tag says nothing but where its content stands.
func placesOnly(tag []byte) bool {
	return eachAttribute(tag, func(name string, value []byte) bool { return name == "align" && isSize(value) })
}

// isSize reports whether a value is a size or a side, and no text.
func isSize(value []byte) bool {
	for _, c := range value {
		if !syntax.IsAlnum(c) && c != '%' {
			return false
		}
	}
	return len(value) <= 6
}
