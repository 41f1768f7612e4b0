package view

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/viewing"
)

// The map is all documents as one picture: folders hold documents, documents their sections,
// each as large as it has words. It is laid out so that rectangles are nearly squares (Bruls,
// Huizing, van Wijk: Squarified Treemaps, 2000), and drawn by the server.

// Sizes of the picture, in its own units, which are about pixels.
const (
	mapWidth, mapHeight = 1200, 760
	mapLabel            = 17.0    // the height of a name
	mapLeast            = 40.0    // the width of a rectangle that has a name
	mapDetail           = 600.0   // the area of a document whose sections are drawn
	mapDot              = 6.0     // the area below which a section isn't drawn
	mapLetter           = 6.9     // the width of a letter
	maxTable            = 500     // documents of the table beside it
	maxMap              = 8 << 20 // about how many bytes of HTML the picture has
)

// rectangle is where something is drawn.
type rectangle struct{ X, Y, W, H float64 }

func (r rectangle) area() float64 { return r.W * r.H }

// cell is a rectangle of the picture. What is written of it is long where paths are, so that it is made
// when it is written.
type cell struct {
	rectangle

	Kind  string // folder, document or section
	State string // shown, changed, or a part of it: some; empty for none
	Label string // what is written in it

	folder  string            // the name of one
	doc     *viewing.Document // nil for a folder
	section *viewing.Section  // nil for others
	size    int               // about how many bytes of HTML it is
}

// To is the address that a cell leads to, empty for none.
func (c *cell) To() string {
	switch {
	case c.doc == nil:
		return ""
	case c.section == nil:
		return readPath(c.doc.Path, "")
	}
	return readPath(c.doc.Path, c.section.At)
}

// Title is what a cell is, when somebody points at it.
func (c *cell) Title() string {
	if c.doc == nil {
		return c.folder
	}
	if c.section == nil {
		return c.doc.Path + ": " + count(c.doc.Words) + " words"
	}
	title := c.doc.Path + " · " + c.section.Title + ": " + count(c.section.OwnWords) + " words"
	switch {
	case c.section.Changed:
		title += ", changed"
	case c.section.Shown:
		title += ", read"
	}
	return title
}

// mapPage is the picture with its documents as a table.
type mapPage struct {
	frame

	Cells     []*cell
	Left      int // cells that are left out, the smallest
	Width     int
	Height    int
	Total     viewing.Tally
	Documents []viewing.Document // the largest
	Unread    unread
	More      int
}

// treemap answers with the picture.
func (s *site) treemap(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	list, missing, recent, err := s.everything(r, docs, true)
	if err != nil {
		return nil, err
	}
	p := mapPage{frame: s.newFrame(r, "map", "Map"), Width: mapWidth, Height: mapHeight}
	p.Wide, p.Trouble = true, s.troubleOf(recent)
	d := &drawing{work: docs.Work}
	d.folder(treeOf(list), rectangle{0, 0, mapWidth, mapHeight})
	if d.err != nil {
		return nil, d.err
	}
	p.Cells, p.Left = d.within(maxMap)
	p.Total, p.Unread = totalsOf(list).Tally, unreadOf(missing, list)
	slices.SortStableFunc(list, func(a, b viewing.Document) int {
		return cmp.Or(cmp.Compare(b.Units.Changed, a.Units.Changed), cmp.Compare(b.Words, a.Words))
	})
	p.Documents, p.More = list[:min(maxTable, len(list))], max(0, len(list)-maxTable)
	return &answer{template: "map.html", data: p}, nil
}

// drawing is a picture that is being made.
type drawing struct {
	cells []cell
	work  *documents.Work
	taken documents.Taken // by the cells
	err   error           // there is no room for more
}

// add adds a cell.
func (d *drawing) add(c cell) {
	const around = 150 // bytes of HTML
	c.size += around
	d.cells = append(d.cells, c)
}

// reserve reserves memory for so many cells and for laying them out, in lists that grow.
func (d *drawing) reserve(cells int) bool {
	const perCell = 500
	if d.err == nil {
		d.err = d.taken.Add(d.work, int64(perCell*cells))
	}
	return d.err == nil
}

// within returns the cells in the order in which they are drawn, without the smallest if they have more
// than so many bytes together, and how many are left out. What a cell lies in is larger than it.
func (d *drawing) within(most int) (cells []*cell, left int) {
	cells = make([]*cell, len(d.cells))
	for i := range d.cells {
		cells[i] = &d.cells[i]
	}
	bySize := slices.Clone(cells)
	slices.SortStableFunc(bySize, func(a, b *cell) int { return cmp.Compare(b.area(), a.area()) })
	for _, c := range bySize {
		if most -= c.size; most < 0 {
			c.doc, c.size, left = nil, 0, left+1
		}
	}
	return slices.DeleteFunc(cells, func(c *cell) bool { return c.size == 0 }), left
}

// words returns the number of words in a folder; of nothing it is a little, so that it can be
// seen.
func (f *folder) words() float64 {
	n := 0.0
	for i := range f.Documents {
		n += documentWords(&f.Documents[i])
	}
	for _, sub := range f.Folders {
		n += sub.words()
	}
	return n
}

func documentWords(d *viewing.Document) float64 { return float64(max(d.Words, 10)) }

// folder draws what is in a folder, below its name.
func (d *drawing) folder(f *folder, in rectangle) {
	if f.Name != "" {
		c := cell{rectangle: in, Kind: "folder", folder: replies.Safe(f.Name), size: len(f.Name)}
		if in.W > mapLeast && in.H > 2*mapLabel {
			c.Label = fitted(replies.Safe(f.Name)+"/", in.W)
			in = rectangle{in.X, in.Y + mapLabel, in.W, in.H - mapLabel}
		}
		d.add(c)
		in = in.inset(2)
	}
	if !d.reserve(1 + len(f.Documents)) {
		return
	}
	sizes := make([]float64, 0, len(f.Documents)+len(f.Folders))
	for i := range f.Documents {
		sizes = append(sizes, documentWords(&f.Documents[i]))
	}
	for _, sub := range f.Folders {
		sizes = append(sizes, sub.words())
	}
	for i, r := range squarified(sizes, in) {
		if i < len(f.Documents) {
			d.document(&f.Documents[i], r.inset(0.75))
		} else {
			d.folder(f.Folders[i-len(f.Documents)], r.inset(0.75))
		}
	}
}

// document draws a document with its sections, or for itself if it is small.
func (d *drawing) document(doc *viewing.Document, in rectangle) {
	c := cell{rectangle: in, Kind: "document", doc: doc}
	c.size = len(c.To()) + len(c.Title())
	small := in.area() < mapDetail || len(doc.Sections) == 0
	switch {
	case !small:
	case doc.Units.Changed > 0:
		c.State = "changed"
	case doc.Units.Shown == doc.Units.All && doc.Units.All > 0:
		c.State = "shown"
	case doc.Units.Shown > 0:
		c.State = "some"
	}
	if in.W > mapLeast && in.H > 2*mapLabel {
		c.Label = fitted(replies.Safe(baseName(doc.Path)), in.W)
		in = rectangle{in.X, in.Y + mapLabel, in.W, in.H - mapLabel}
	}
	d.add(c)
	if small || !d.reserve(len(doc.Sections)) {
		return
	}
	sizes := make([]float64, len(doc.Sections))
	for i := range doc.Sections {
		sizes[i] = float64(max(doc.Sections[i].OwnWords, 1))
	}
	for i, r := range squarified(sizes, in.inset(1)) {
		s := &doc.Sections[i]
		if r.area() < mapDot {
			continue
		}
		one := cell{rectangle: r, Kind: "section", doc: doc, section: s, size: c.size + len(s.Title) + len(s.At)}
		switch {
		case s.Changed:
			one.State = "changed"
		case s.Shown:
			one.State = "shown"
		}
		d.add(one)
	}
}

// inset returns a rectangle that is smaller at each side, as long as something is left of it.
func (r rectangle) inset(by float64) rectangle {
	by = min(by, r.W/4, r.H/4)
	return rectangle{r.X + by, r.Y + by, r.W - 2*by, r.H - 2*by}
}

// fitted returns what fits of a name into a width.
func fitted(name string, width float64) string {
	return replies.Clip(name, max(1, int((width-8)/mapLetter)))
}

// squarified divides a rectangle by sizes, which are greater than 0: one for each, in their
// order.
func squarified(sizes []float64, in rectangle) []rectangle {
	order := make([]int, len(sizes))
	total := 0.0
	for i, size := range sizes {
		order[i] = i
		total += size
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	list := make([]rectangle, len(sizes))
	if total <= 0 {
		return list
	}
	scale := in.area() / total
	for len(order) > 0 {
		short := min(in.W, in.H)
		n, sum := 1, sizes[order[0]]*scale
		for n < len(order) {
			more := sum + sizes[order[n]]*scale
			first, last := sizes[order[0]]*scale, sizes[order[n]]*scale
			if worst(first, last, more, short) > worst(first, sizes[order[n-1]]*scale, sum, short) {
				break
			}
			n, sum = n+1, more
		}
		in = place(list, order[:n], sizes, scale, sum, in)
		order = order[n:]
	}
	return list
}

// worst returns how far the rectangles of a row are from squares: the largest and the smallest
// of them by area, which together have a sum and stand at a side.
func worst(largest, smallest, sum, side float64) float64 {
	if sum <= 0 || side <= 0 || smallest <= 0 {
		return 0
	}
	return max(side*side*largest/(sum*sum), sum*sum/(side*side*smallest))
}

// place puts a row along the shorter side, and returns what is left.
func place(list []rectangle, row []int, sizes []float64, scale, sum float64, in rectangle) rectangle {
	if in.W >= in.H {
		w, y := 0.0, in.Y
		if in.H > 0 {
			w = min(sum/in.H, in.W)
		}
		for _, i := range row {
			h := in.H * sizes[i] * scale / sum
			list[i] = rectangle{in.X, y, w, h}
			y += h
		}
		return rectangle{in.X + w, in.Y, in.W - w, in.H}
	}
	h, x := 0.0, in.X
	if in.W > 0 {
		h = min(sum/in.W, in.H)
	}
	for _, i := range row {
		w := in.W * sizes[i] * scale / sum
		list[i] = rectangle{x, in.Y, w, h}
		x += w
	}
	return rectangle{in.X, in.Y + h, in.W, in.H - h}
}

// Class returns the class of a cell in the style.
func (c *cell) Class() string { return strings.TrimSpace(c.Kind + " " + c.State) }
