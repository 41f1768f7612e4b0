package arrange

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

func parse(t *testing.T, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// top returns the sections that stand in no other.
func top(doc *markdown.Document) (all []int) {
	for i := range doc.Sections {
		if doc.Sections[i].Parent < 0 {
			all = append(all, i)
		}
	}
	return all
}

// TestRebuild tells what becomes of documents, byte by byte, as they come together and apart.
func TestRebuild(t *testing.T) {
	reorder := func(order ...int) func(*Arrangement) {
		return func(a *Arrangement) { a.Reorder(top(a.doc), order) }
	}
	move := func(i, at int) func(*Arrangement) { return func(a *Arrangement) { a.Move(i, at) } }
	const two = "# A\n\na\n\n# B\n\nb\n"
	for _, test := range []struct {
		src    string
		change func(*Arrangement)
		want   string
		apart  string // "" where they aren't tight
	}{
		{two, reorder(0, 1), two, ""},
		{two, move(1, 0), "# B\n\nb\n\n# A\n\na\n", ""},
		{two, move(0, len(two)), "# B\n\nb\n\n# A\n\na\n", ""},
		{two, move(0, 8), two, ""},
		{"# A\n\na\n\n\n# B\n\nb\n\n# C\n", reorder(1, 2, 0), "# B\n\nb\n\n\n# C\n\n# A\n\na\n", ""},
		{"# A\r\na\r\n# B\r\nb", reorder(1, 0), "# B\r\nb\r\n# A\r\na", "# B\r\nb\r\n\r\n# A\r\na"},
		{"x\n# A\ra\r# B\rb\r", reorder(1, 0), "x\n# B\rb\r# A\ra\r", "x\n\n# B\rb\r\r# A\ra\r"},
		{"# A\n# B\n# C\n", reorder(2, 0, 1), "# C\n# A\n# B\n", "# C\n\n# A\n# B\n"},
		{"# A\n\n## B\n\nb\n\n# C\n", func(a *Arrangement) {
			if err := a.Dissolve(0, Splice{Span: markdown.Span{End: 5}}); err != nil {
				t.Error(err)
			}
		}, "# B\n\nb\n\n# C\n", ""},
	} {
		for _, apart := range []bool{false, true} {
			doc := parse(t, test.src)
			a := Of(doc)
			test.change(a)
			if a.IsAsItWas() != (test.want == test.src) {
				t.Errorf("%q is as it was: %v", test.src, a.IsAsItWas())
			}
			r, want := a.Rebuild(apart), test.want
			if apart && test.apart != "" {
				want = test.apart
			}
			if string(r.Source) != want || r.Tight != (test.apart != "") {
				t.Errorf("%q, apart %v, is %q, tight %v, want %q", test.src, apart, r.Source, r.Tight, want)
			}
			checkPieces(t, doc, r)
			if _, fault := r.Prove(parse(t, string(r.Source))); fault != nil {
				t.Errorf("%q: %+v", r.Source, fault)
			}
		}
	}
}

// checkPieces checks that the pieces are the new document, and that those that were there are as
// they were.
func checkPieces(t *testing.T, doc *markdown.Document, r *Rebuilt) {
	t.Helper()
	at := 0
	for _, p := range r.Pieces {
		if p.At != at || p.From >= 0 && !bytes.Equal(r.Source[p.At:p.At+p.Len], doc.Source[p.From:p.From+p.Len]) {
			t.Errorf("%+v of %q", p, r.Source)
		}
		at += p.Len
	}
	if at != len(r.Source) {
		t.Errorf("the pieces are %d of %d bytes", at, len(r.Source))
	}
}

// TestMoved tells as few sections as moved as can be.
func TestMoved(t *testing.T) {
	for _, test := range []struct {
		order []int
		moved string
	}{{[]int{0, 1, 2, 3}, ""}, {[]int{3, 0, 1, 2}, "# D\n"}, {[]int{1, 2, 3, 0}, "# A\n"}, {[]int{0, 2, 1, 3}, "# C\n"}} {
		a := Of(parse(t, "# A\n# B\n# C\n# D\n"))
		a.Reorder(top(a.doc), test.order)
		r, moved := a.Rebuild(false), ""
		for _, p := range r.Pieces {
			if p.Moved {
				moved += string(r.Source[p.At : p.At+p.Len])
			}
		}
		if moved != test.moved {
			t.Errorf("%v: %q moved, want %q", test.order, moved, test.moved)
		}
	}
}

// TestByTitle has titles in order whatever their case, and twins as they are.
func TestByTitle(t *testing.T) {
	doc := parse(t, "# b\n# *A*\n# B\n# c\n# a\n")
	if got, want := ByTitle(doc, top(doc)), []int{1, 4, 0, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRelevel gives headings of all forms other levels, or tells why one can't have it.
func TestRelevel(t *testing.T) {
	for _, test := range []struct {
		src  string
		by   int
		want string
		why  Reason // where nothing is wanted
	}{
		{"# A\n\n## B ##\n", 1, "## A\n\n### B ###\n", 0},
		{"## A ###\n\n### B \\###\n", -1, "# A ###\n\n## B \\###\n", 0},
		{"## A ##  \n", -1, "# A #  \n", 0},
		{"#\n", 2, "###\n", 0},
		{"A\n=\n\nB\n--\n", 1, "A\n---\n\n### B\n", 0},
		{"A\n ---- \n", -1, "A\n ==== \n", 0},
		{"A\nb\n===\n", 1, "A\nb\n---\n", 0},
		{"# A\n", 0, "# A\n", 0},
		{"A\nb\n===\n", 2, "", ManyLines},
		{"# A\n", -1, "", OutOfRange},
		{"##### A\n###### B\n", 1, "", OutOfRange},
	} {
		doc := parse(t, test.src)
		edits, err := Relevel(doc, 0, test.by)
		if err != nil {
			if test.want != "" || err.Why != test.why || err.Section != len(doc.Sections)-1 {
				t.Errorf("%q by %d: %+v", test.src, test.by, err)
			}
			continue
		}
		a := Of(doc)
		a.Free = 0
		if err := a.Relevel(0, test.by); err != nil || len(a.edits) != len(edits) {
			t.Errorf("%q: %v", test.src, err)
		}
		r := a.Rebuild(false)
		if string(r.Source) != test.want {
			t.Errorf("%q by %d is %q, want %q", test.src, test.by, r.Source, test.want)
		}
		checkPieces(t, doc, r)
		if _, fault := r.Prove(parse(t, string(r.Source))); fault != nil {
			t.Errorf("%q: %+v", r.Source, fault)
		}
	}
}

// TestRelevelOwn: a heading by a marker of the reader's own has the level of that, and no other.
func TestRelevelOwn(t *testing.T) {
	doc, err := (&markdown.Parser{Options: markdown.Options{Headings: testkit.OwnHeadings()}}).Parse([]byte("# A\n\n**B**\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Relevel(doc, 0, 1); err == nil || *err != (LevelError{Section: 1, Level: 3, Why: OwnMarker}) {
		t.Errorf("%+v", err)
	}
}

// TestProof numbers sections and blocks as they are in the new document.
func TestProof(t *testing.T) {
	doc := parse(t, "x\n\n# A\n\n- a\n\n## B\n\n# C\n\nc\n")
	a := Of(doc)
	a.Reorder(top(doc), []int{1, 0})
	r := a.Rebuild(false)
	now := parse(t, string(r.Source))
	p, fault := r.Prove(now)
	if fault != nil || !slices.Equal(p.Sections, []int{1, 2, 0}) {
		t.Fatalf("%v, %+v", p.Sections, fault)
	}
	for b, n := range p.Blocks {
		if !bytes.Equal(doc.Text(doc.Blocks[b].Span()), now.Text(now.Blocks[n].Span())) {
			t.Errorf("block %d is %d", b, n)
		}
	}
}

// TestFaults finds what isn't as it was meant.
func TestFaults(t *testing.T) {
	const src = "# A\n\n## B\n\n- b\n\n# C\n"
	for now, want := range map[string]Fault{
		src:                                  {},
		"# A\n\n## B\n\n- b\n":               {Block: "the heading on line 7 would be gone"},
		"# A\n\n## B\n\n- b\n\n# C\n\nc\n":   {Block: "the heading on line 7 would become, or become part of, the paragraph on line 9"},
		"# A\n\n## B\n\n- c\n\n# C\n":        {Block: "the list on line 5 would become, or become part of, the list on line 5"},
		"# A\n\n## B\n\n- b\n\n## C\n":       {Block: "the heading on line 7 would become, or become part of, the heading on line 7"},
		"# A\n\n```\n## B\n\n- b\n\n# C\n":   {Block: "the heading on line 3 would become, or become part of, the fenced code on lines 3-8"},
		"# A\n\n## B\n\n- b\n\n# C\n\n# D\n": {Block: "the heading on line 7 would become, or become part of, the heading on line 9"},
	} {
		a := Of(parse(t, src))
		_, fault := a.Rebuild(false).Prove(parse(t, now))
		if (fault == nil) != (want.Block == "") || fault != nil && (fault.Block != want.Block || fault.Strays != nil) {
			t.Errorf("%q: %+v, want %+v", now, fault, want)
		}
	}
	// A section that was meant to stand where it doesn't, and one that may stand anywhere.
	for _, test := range []struct {
		free   int
		strays []Stray
	}{{-1, []Stray{{2, 1}}}, {2, nil}} {
		a := Of(parse(t, "# A\n\n## B\n\n## C\n"))
		a.Free = test.free
		if err := a.Relevel(2, 1); err != nil {
			t.Fatal(err)
		}
		r := a.Rebuild(false)
		_, fault := r.Prove(parse(t, string(r.Source)))
		if (fault == nil) != (test.strays == nil) || fault != nil && (fault.Block != "" || !slices.Equal(fault.Strays, test.strays)) {
			t.Errorf("free %d: %+v", test.free, fault)
		}
	}
	a := Of(parse(t, "# A\n\n## B\n\n# C\n"))
	a.Parents[1] = 2
	if _, fault := a.Rebuild(false).Prove(a.doc); fault == nil || !slices.Equal(fault.Strays, []Stray{{1, 0}}) {
		t.Errorf("%+v", fault)
	}
}

// TestLaws puts sections of documents in any order: what comes of it, proved, is made of the
// lines that were there, and putting them back gives the bytes of before where nothing was put in.
func TestLaws(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	done := 0
	for _, f := range testkit.Fixtures() {
		doc := parse(t, string(f.Source))
		sections := top(doc)
		if len(sections) < 2 {
			continue
		}
		order := random.Perm(len(sections))
		a := Of(doc)
		a.Reorder(sections, order)
		r := a.Rebuild(false)
		checkPieces(t, doc, r)
		now := parse(t, string(r.Source))
		p, fault := r.Prove(now)
		if fault != nil || r.Tight {
			continue
		}
		done++
		back := make([]int, len(order))
		for slot, k := range order {
			back[k] = slot
			if p.Sections[sections[k]] != top(now)[slot] {
				t.Errorf("%s: section %d is %d", f.Name, sections[k], p.Sections[sections[k]])
			}
		}
		b := Of(now)
		b.Reorder(top(now), back)
		if again := b.Rebuild(false); !bytes.Equal(again.Source, doc.Source) {
			t.Errorf("%s in order %v and back is %.300q", f.Name, order, again.Source)
		}
	}
	if done < 3 {
		t.Errorf("%d documents were put in another order", done)
	}
}
