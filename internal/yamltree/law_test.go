package yamltree

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/testkit"
)

var samples = flag.Int("samples", 600, "generated texts that changes are tried on")

// member is a key with what it holds: a text, a list of texts, members, or nil.
type member struct {
	Key   string
	Value any
}

// said is what a node says; nothing is what an empty mapping or list does.
func said(n *Node) any {
	switch {
	case n == nil || n.Kind == Null || n.Kind != Scalar && len(n.Items) == 0:
		return nil
	case n.Kind == Scalar:
		return n.Text
	case n.Kind == List:
		var list []string
		for i := range n.Items {
			list = append(list, n.Items[i].Value.Text)
		}
		return list
	}
	var members []member
	for i := range n.Items {
		members = append(members, member{n.Items[i].Key.Text, said(n.Items[i].Value)})
	}
	return members
}

// sample is a generated text: keys of the root that hold entries, which hold a list or fields.
type sample struct {
	text    string
	says    []member
	entries map[string]Span // the lines of each entry, or of all brackets that it is in; their names differ
}

// writer writes a sample.
type writer struct {
	*testkit.YAML
	sample
}

// generate returns a text by a seed.
func generate(seed uint64) sample {
	w := writer{testkit.NewYAML(seed, func(text string, flow bool) bool { return frontmatter.YAMLText(text, flow) == text }), sample{entries: map[string]Span{}}}
	spaced := w.Chance(30)
	if w.Chance(5) {
		w.Write(BOM)
	}
	w.Between(0)
	if w.Chance(10) {
		w.Line(0, "---")
	}
	names := []string{"docs", "rules", "über", "api_v2", "yes", "7", "x-y", "a b"}
	w.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i := range w.IntN(4) {
		if i > 0 && spaced {
			w.Write(w.Ending)
		}
		w.Between(0)
		n := w.IntN(3)
		w.top(fmt.Sprint("top", i), names[:n], spaced)
		names = names[n:]
	}
	w.Between(0)
	if w.Chance(5) {
		w.Line(0, "...")
	}
	w.text = w.String()
	if w.Chance(15) && !strings.Contains(w.text, "and # more") { // of a block that is the last, or gets it, the ending is a part
		w.text = strings.TrimSuffix(w.text, w.Ending)
	}
	return w.sample
}

// top writes a key of the root with its entries.
func (w *writer) top(key string, names []string, spaced bool) {
	var entries []member
	start := len(w.String())
	switch {
	case len(names) == 0:
		w.Line(0, key+":"+w.Pick("", " {}", " { }", " ~", " null"))
	case w.Chance(15):
		var parts []string
		for _, name := range names {
			value, text := w.inline()
			entries = append(entries, member{name, value})
			parts = append(parts, w.Quoted(name, true)+": "+text)
		}
		w.Line(0, key+": {"+strings.Join(parts, w.Pick(", ", ","+w.Ending+"  "))+w.Pick("", ",")+"}")
		for _, name := range names {
			w.entries[name] = Span{start, len(w.String())}
		}
	default:
		w.Line(0, w.Pick(key, `"`+key+`"`)+":")
		for i, name := range names {
			if i > 0 && spaced {
				w.Write(w.Ending)
			}
			w.Between(w.Step)
			start, w.Inside = len(w.String()), name
			entries = append(entries, member{name, w.entry(name)})
			w.entries[name], w.Inside = Span{start, len(w.String())}, "-"
		}
		w.Between(w.Step)
	}
	if entries == nil {
		w.says = append(w.says, member{key, nil})
		return
	}
	w.says = append(w.says, member{key, entries})
}

// list returns texts for a list, and nil for none.
func (w *writer) list(most int) (texts []string, value any) {
	if texts = w.Texts(testkit.YAMLTexts, most); texts != nil {
		value = texts
	}
	return texts, value
}

// inline returns an entry in brackets, and how it is written.
func (w *writer) inline() (value any, text string) {
	texts, list := w.list(3)
	if w.Chance(50) {
		return list, w.Bracketed(texts)
	}
	field := w.Pick(testkit.YAMLTexts...)
	return []member{{"text", field}, {"list", list}}, "{text: " + w.Quoted(field, true) + ", list: " + w.Bracketed(texts) + "}"
}

// entry writes an entry, and returns what it holds.
func (w *writer) entry(name string) any {
	key := w.Quoted(name, false)
	if w.Chance(20) {
		value, text := w.inline()
		w.Line(w.Step, key+": "+text)
		return value
	}
	if w.Chance(40) {
		texts, value := w.list(4)
		w.List(w.Step, key, texts)
		return value
	}
	w.Line(w.Step, key+":")
	inner := 2 * w.Step
	var fields []member
	for _, field := range []string{"text", "list", "block", "none"} {
		if field != "text" && w.Chance(30) {
			continue
		}
		w.Between(inner)
		var value any
		switch field {
		case "text":
			value = w.Pick(testkit.YAMLTexts...)
			w.Line(inner, "text: "+w.Quoted(value.(string), false))
		case "list":
			var texts []string
			texts, value = w.list(4)
			w.List(inner, "list", texts)
		case "block":
			value = w.Block(inner, "block", "|", "|-", ">", ">-")
		default:
			w.Line(inner, "none:")
		}
		fields = append(fields, member{field, value})
	}
	return fields
}

// change is a change of a sample: by splices, and of what it says.
type change struct {
	name  string
	entry string // that is changed, whose lines alone may be others; or the key of the root that gets one
	adds  bool
	drops bool // with a blank line beside it
	draft func(d *Draft, root *Node)
	want  []member
}

// with returns members with another value of one, without it for nil unless it is kept, and with
// one more if there was none.
func with(members []member, key string, value any, keep bool) []member {
	members = slices.Clone(members)
	i := slices.IndexFunc(members, func(m member) bool { return m.Key == key })
	switch {
	case i < 0 && value != nil:
		return append(members, member{key, value})
	case i < 0:
	case value == nil && !keep:
		if members = slices.Delete(members, i, i+1); len(members) == 0 {
			return nil
		}
	default:
		members[i].Value = value
	}
	return members
}

// nothing returns members, or nil without a type for none.
func nothing(members []member) any {
	if len(members) == 0 {
		return nil
	}
	return members
}

// someChange returns a change that could be asked for.
func someChange(r *rand.Rand, s sample) change {
	text := func() string { return append(testkit.YAMLTexts, "two\nlines")[r.IntN(len(testkit.YAMLTexts)+1)] }
	texts := make([]string, 1+r.IntN(4))
	for i := range texts {
		texts[i] = text()
	}
	var filled []member // keys of the root with entries
	for _, m := range s.says {
		if m.Value != nil {
			filled = append(filled, m)
		}
	}
	if len(filled) == 0 || r.IntN(6) == 0 {
		return added(r, s, text(), texts)
	}
	top := filled[r.IntN(len(filled))]
	entries := top.Value.([]member)
	entry := entries[r.IntN(len(entries))]
	find := func(root *Node) *Item { return root.Value(top.Key).Get(entry.Key) }
	c := change{entry: entry.Key}
	set := func(value any) { c.want = with(s.says, top.Key, with(entries, entry.Key, value, true), true) }
	fields, isMapping := entry.Value.([]member)
	switch n := r.IntN(6); {
	case n == 0:
		c.name, c.drops = "remove", true
		c.draft = func(d *Draft, root *Node) {
			n := root.Value(top.Key)
			d.Remove(n, slices.IndexFunc(n.Items, func(it Item) bool { return it.Key.Text == entry.Key }))
		}
		c.want = with(s.says, top.Key, nothing(with(entries, entry.Key, nil, false)), true)
	case n == 1:
		c.name, c.draft = "rename", func(d *Draft, root *Node) { d.Rename(find(root), "no") }
		renamed := slices.Clone(entries)
		renamed[slices.IndexFunc(entries, func(m member) bool { return m.Key == entry.Key })].Key = "no"
		c.want = with(s.says, top.Key, renamed, true)
	case !isMapping && n == 2 && entry.Value != nil:
		value := text()
		c.name, c.draft = "wrap", func(d *Draft, root *Node) { d.Wrap(find(root), Pair{"about", value}, "list") }
		set([]member{{"about", value}, {"list", entry.Value}})
	case !isMapping:
		c.name, c.draft = "list", func(d *Draft, root *Node) { d.SetList(find(root), slices.Clone(texts)) }
		set(texts)
	default:
		key := []string{"text", "list", "block", "none", "new"}[r.IntN(5)]
		i := slices.IndexFunc(fields, func(m member) bool { return m.Key == key })
		var value any = text()
		given := value
		switch {
		case r.IntN(4) == 0 && len(fields) > 1:
			value, given = nil, ""
		case key == "list", key == "new" && r.IntN(2) == 0:
			value, given = texts, slices.Clone(texts)
		}
		c.name, c.draft = "field "+key, func(d *Draft, root *Node) { it := find(root); d.SetField(it, it.Value, key, given) }
		if value == nil && i < 0 {
			set(fields)
		} else {
			set(with(fields, key, value, false))
		}
	}
	return c
}

// added returns a change that adds an entry to a key of the root, which may be a new one.
func added(r *rand.Rand, s sample, text string, texts []string) change {
	top := fmt.Sprint("top", r.IntN(4))
	var value, said any = texts, texts
	if r.IntN(2) == 0 {
		value, said = []Pair{{"text", text}, {"list", texts}, {"raw", Raw("{a: b}")}}, []member{{"text", text}, {"list", texts}, {"raw", []member{{"a", "b"}}}}
	}
	var entries []member
	if i := slices.IndexFunc(s.says, func(m member) bool { return m.Key == top }); i >= 0 {
		entries, _ = s.says[i].Value.([]member)
	}
	return change{
		name: "add", entry: top, adds: true, draft: func(d *Draft, _ *Node) { d.AddTop(top, Pair{"null", value}) },
		want: with(s.says, top, append(slices.Clone(entries), member{"null", said}), true),
	}
}

// TestLaws makes random changes of generated texts: what is written is read again as what was
// meant, all else keeps its bytes, and entries beside the one that is changed keep theirs even in the same
// brackets.
func TestLaws(t *testing.T) {
	testkit.OneGoroutine(t)
	made, collided := map[string]int{}, 0
	for seed := range uint64(*samples) {
		s := generate(seed)
		text := New(s.text, isKey)
		root, faults := text.Parse()
		if diff := cmp.Diff(nothing(s.says), said(root)); len(faults) > 0 || diff != "" {
			t.Fatalf("seed %d: %v %s\n%s", seed, faults, diff, s.text)
		}
		if root != nil {
			checkTree(t, text, root)
		}
		r := rand.New(rand.NewPCG(seed, 13))
		for range 6 {
			c := someChange(r, s)
			var after string
			ok := false
			for _, tidy := range []bool{r.IntN(2) == 0, false} { // as callers do
				d := NewDraft(text, root, tidy)
				if c.draft(d, root); !ok {
					after, ok = d.Result()
				}
				if !ok && tidy {
					collided++
				}
			}
			message := "the splices don't stand apart"
			if ok {
				message = checkLaws(s, root, c, after)
			}
			if message != "" {
				t.Fatalf("seed %d: %s of %s: %s\n--- before\n%s\n--- after\n%s", seed, c.name, c.entry, message, s.text, after)
			}
			made[c.name]++
		}
	}
	if collided > *samples/100 {
		t.Errorf("%d tidy changes of %d didn't stand apart", collided, 6**samples)
	}
	for _, name := range []string{"add", "remove", "rename", "wrap", "list", "field text", "field list", "field block", "field none", "field new"} {
		if made[name] < *samples/60 {
			t.Errorf("%d changes %q were made: it proves little", made[name], name)
		}
	}
}

// checkLaws tells which law a change breaks, nothing if it keeps them.
func checkLaws(s sample, root *Node, c change, after string) string {
	next := New(after, isKey)
	got, faults := next.Parse()
	if len(faults) > 0 {
		return faults[0].Message
	}
	if diff := cmp.Diff(nothing(c.want), said(got)); diff != "" {
		return diff
	}
	if name := changedBeside(s.text, root, after, got, c.entry); name != "" {
		return "changed the bytes of " + name
	}
	changed := s.entries[c.entry]
	if c.adds { // in one place, and in that of a value that says nothing
		value := Span{}
		if it := root.Get(c.entry); it != nil && len(it.Value.Items) == 0 {
			value = Span{it.Colon, it.End()}
		}
		before := s.text[:value.Start] + s.text[value.End:]
		begin := 0
		for begin < min(len(before), len(after)) && before[begin] == after[begin] {
			begin++
		}
		if !strings.HasSuffix(after, before[begin:]) || len(after) < len(before) {
			return "changed more than one place"
		}
		return ""
	}
	begin, end := s.text[:min(changed.Start, len(s.text))], s.text[min(changed.End, len(s.text)):]
	if c.drops {
		begin, end = strings.TrimRight(begin, " \r\n"), strings.TrimLeft(end, " \r\n")
		if cut := len(s.text) - len(after) - (changed.End - changed.Start); cut > 2+8 { // a line ending, and one with blanks
			return fmt.Sprintf("took out %d bytes beside it", cut)
		}
	}
	if !strings.HasPrefix(after, begin) || !strings.HasSuffix(after, end) || len(after) < len(begin)+len(end) {
		return "changed bytes outside of the lines of the entry"
	}
	return ""
}

// changedBeside returns the name of an entry whose bytes are others than they were, but for the one
// that was changed; nothing if there is none.
func changedBeside(before string, root *Node, after string, got *Node, changed string) string {
	if root == nil {
		return ""
	}
	for i := range root.Items {
		top := &root.Items[i]
		for k := range top.Value.Items {
			it := &top.Value.Items[k]
			if it.Key.Text == changed {
				continue
			}
			now := got.Value(top.Key.Text).Get(it.Key.Text)
			if now == nil || after[now.Start:now.End()] != before[it.Start:it.End()] {
				return it.Key.Text
			}
		}
	}
	return ""
}
