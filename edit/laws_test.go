package edit_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// Random operations on random documents, judged. To run more of them, or those of a
// failure again:
//
//	go test ./edit -run Laws -ops 1000000 -v
//	go test ./edit -run Laws -seed 1
var (
	opsFlag  = flag.Int("ops", 6_000, "random operations for TestLaws")
	seedFlag = flag.Uint64("seed", 1, "seed of the random documents and operations")
	allFlag  = flag.Bool("all", false, "every section of every document for TestLawsCorpus")
)

const (
	opsPerDocument        = 16
	structuralPerDocument = 4
	goldmarkEvery         = 4   // goldmark judges each so many-th of the accepted edits
	leastPerCent          = 99  // of edits whose content has no structure must be accepted
	leastForShare         = 100 // with fewer, there is no share to speak of
)

// tally counts what happened; those of several goroutines are added up.
type tally struct {
	ops, batches, accepted, changed int
	refused                         map[edit.Code]int
	benign, taken, excluded         map[edit.Action]int
	structural                      map[edit.Action]int    // those that were accepted
	refusals                        map[edit.Action]string // an example each
	outline                         outlineJudge
}

func newTally() *tally {
	return &tally{
		refused: map[edit.Code]int{}, benign: map[edit.Action]int{}, taken: map[edit.Action]int{}, excluded: map[edit.Action]int{},
		structural: map[edit.Action]int{}, refusals: map[edit.Action]string{}, outline: outlineJudge{goldmark: newGoldmark()},
	}
}

func (t *tally) add(o *tally) {
	t.ops += o.ops
	t.batches += o.batches
	t.accepted += o.accepted
	t.changed += o.changed
	for k, n := range o.refused {
		t.refused[k] += n
	}
	for k, n := range o.benign {
		t.benign[k] += n
	}
	for k, n := range o.taken {
		t.taken[k] += n
	}
	for k, n := range o.structural {
		t.structural[k] += n
	}
	for k, n := range o.excluded {
		t.excluded[k] += n
	}
	maps.Copy(t.refusals, o.refusals)
	t.outline.judged += o.outline.judged
	t.outline.disagree += o.outline.disagree
	t.outline.second += o.outline.second
	t.outline.panicked += o.outline.panicked
}

// try applies an attempt and judges what comes of it. A panic is a breach.
func (t *tally) try(a *attempt) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, panicStack())
		}
	}()
	t.ops += len(a.ops)
	if len(a.ops) > 1 {
		t.batches++
	}
	before := bytes.Clone(a.doc.Source)
	res, applyErr := a.apply()
	if !bytes.Equal(before, a.doc.Source) {
		return errors.New("the document that was given has changed")
	}
	if t.ops%8 == 0 {
		if err := again(a, res, applyErr); err != nil {
			return err
		}
	}
	if applyErr != nil {
		return t.refusal(a, res, applyErr)
	}
	t.accepted++
	if len(res.Splices) > 0 {
		t.changed++
	}
	if a.isStructural() {
		t.structural[a.ops[0].Action]++
	}
	if len(a.ops) == 1 && a.ops[0].benign {
		t.taken[a.ops[0].Action]++
	}
	if err := judge(a, res); err != nil {
		return err
	}
	if t.accepted%goldmarkEvery == 0 && a.doc.Options().Headings == nil { // which goldmark knows nothing of
		return t.outline.judge(a, res)
	}
	return nil
}

func (t *tally) refusal(a *attempt, res *edit.Result, err error) error {
	if wrong := judgeError(a, res, err); wrong != nil {
		return wrong
	}
	all, _ := errors.AsType[edit.Errors](err)
	for _, e := range all {
		t.refused[e.Code]++
	}
	if len(a.ops) != 1 || !a.ops[0].benign {
		return nil
	}
	action := a.ops[0].Action
	if swallows(a) && all[0].Code == edit.StructureChanged || hasTwin(a) && all[0].Code == address.AmbiguousHeading {
		t.excluded[action]++
		return nil
	}
	t.refusals[action] = fmt.Sprintf("%v\n%v", err, a)
	return nil
}

// again applies an attempt a second time and compares.
func again(a *attempt, res *edit.Result, err error) error {
	res2, err2 := a.apply()
	switch {
	case fmt.Sprint(err) != fmt.Sprint(err2):
		return fmt.Errorf("the second time it is %w, not %w", err2, err)
	case err == nil && (!bytes.Equal(res.Doc.Source, res2.Doc.Source) || !reflect.DeepEqual(res.Splices, res2.Splices) || !reflect.DeepEqual(res.Changes, res2.Changes) || !slices.Equal(res.Warnings, res2.Warnings)):
		return errors.New("the second time the result is another one")
	}
	return nil
}

func panicStack() string {
	buf := make([]byte, 4096)
	return string(buf[:runtime.Stack(buf, false)])
}

// hasTwin reports whether another section has the very text of the one that a benign attempt
// is for: with a position, a hash does not tell which of them was read.
func hasTwin(a *attempt) bool {
	text := func(i int) string { return strings.TrimRight(string(a.doc.Text(a.doc.SectionSpan(i))), " \t\r\n") }
	own := a.ops[0].node.Section
	for i := range a.doc.Sections {
		if i != own && text(i) == text(own) {
			return true
		}
	}
	return false
}

// swallows reports whether what stands before the place at which a benign attempt
// adds text is code or HTML at the top level that is not closed: it goes on to the
// end of the document, so that nothing can be put after it.
func swallows(a *attempt) bool {
	o := &a.ops[0]
	end := 0
	switch o.Action {
	case edit.Append:
		end = a.doc.BodySpan(o.node.Section).End
	case edit.InsertAfter:
		end = a.doc.SectionSpan(o.node.Section).End
	default:
		return false
	}
	last := -1
	for b, block := range a.doc.Children(-1) {
		if int(block.Start) < end {
			last = b
		}
	}
	return last >= 0 && end == len(a.doc.Source) && open(a.doc, last)
}

// open reports whether block b is code or HTML that lacks its end.
func open(doc *markdown.Document, b int) bool {
	block := &doc.Blocks[b]
	switch block.Kind {
	case markdown.FencedCode:
		return block.Flags&markdown.Closed == 0
	case markdown.HTMLBlock:
		text := strings.ToLower(string(doc.Text(doc.LineSpan(markdown.Lines{First: int(block.EndLine), Last: int(block.EndLine)}))))
		ends := map[uint8][]string{1: {"</script>", "</pre>", "</style>", "</textarea>"}, 2: {"-->"}, 3: {"?>"}, 4: {">"}, 5: {"]]>"}}[block.Level]
		if ends == nil {
			return false // a blank line ends it
		}
		return !slices.ContainsFunc(ends, func(end string) bool { return strings.Contains(text, end) })
	}
	return false
}

// check fails if a share is below its floor.
func (t *tally) check(tb testing.TB) {
	tb.Helper()
	for _, action := range append(sectionActions(), edit.ReplaceText) {
		asked, taken := t.benign[action]-t.excluded[action], t.taken[action]
		if asked == 0 {
			tb.Errorf("%v: no benign edit was tried", action)
			continue
		}
		share := 100 * float64(taken) / float64(asked)
		tb.Logf("%-13s %6.2f %% of %d benign edits accepted; %d left out, behind what is not closed", action, share, asked, t.excluded[action])
		if example := t.refusals[action]; example != "" {
			tb.Logf("%v was refused, for example: %s", action, example)
		}
		if asked >= leastForShare && share < leastPerCent {
			tb.Errorf("%v: %.2f %% of benign edits are accepted", action, share)
		}
	}
	o := &t.outline
	tb.Logf("%d operations in %d batches and alone; %d attempts accepted, refused %v", t.ops, t.batches, t.accepted, t.refused)
	tb.Logf("goldmark judged %d edits; %d documents it sees otherwise before the edit, %d panics; rsc.io/markdown was asked about %d", o.judged, o.disagree, o.panicked, o.second)
}

// notLetters is where what is different from case to case begins in a message.
var notLetters = regexp.MustCompile(`[^a-z_ :']`)

// TestLaws applies random operations to random documents.
func TestLaws(t *testing.T) {
	material := readMaterial(t)
	documents := (testkit.Some(*opsFlag, 5) + opsPerDocument - 1) / opsPerDocument
	total := newTally()
	var next atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	breaches := map[string]int{}
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			mine := newTally()
			for n := next.Add(1) - 1; int(n) < documents; n = next.Add(1) - 1 {
				err := mine.document(uint64(n), material)
				if err == nil {
					continue
				}
				mu.Lock()
				law := strings.TrimFunc(notLetters.Split(err.Error(), 2)[0], unicode.IsSpace)
				if breaches[law]++; breaches[law] == 1 { // one example of each kind is enough
					t.Errorf("-seed %d, document %d: %v", *seedFlag, n, err)
				}
				mu.Unlock()
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(mine)
		})
	}
	wg.Wait()
	if len(breaches) > 0 {
		t.Errorf("breaches by kind: %v", breaches)
	}
	total.check(t)
	for _, action := range edit.Structural() {
		if n := total.structural[action]; total.ops >= 10_000 && n*2000 < total.ops {
			t.Errorf("%v: only %d were accepted", action, n)
		}
	}
	t.Logf("accepted actions on the structure: %v", total.structural)
	if total.ops >= 10_000 && (total.changed*4 < total.ops || total.outline.judged*20 < total.ops) {
		t.Errorf("of %d operations %d have changed something and goldmark judged %d: too few", total.ops, total.changed, total.outline.judged)
	}
}

// document tries operations on document n of the seed.
func (t *tally) document(n uint64, material []string) error {
	r := newSource(*seedFlag, n)
	src, opts := r.document(material), markdown.Options{}
	if n%4 == 3 {
		src, opts = r.withOwnHeadings(src), ownHeadings
	}
	doc, err := (&markdown.Parser{Options: opts}).Parse(src)
	if err != nil {
		return err
	}
	for left := opsPerDocument; left > 0; {
		var a *attempt
		if len(doc.Sections) > 0 && r.chance(30) {
			a = r.benign(doc)
			t.benign[a.ops[0].Action]++
		} else {
			a = r.attempt(doc)
		}
		left -= len(a.ops)
		if err := t.try(a); err != nil {
			small := shrink(a, err)
			return fmt.Errorf("%w\n%v\nshrunk: %w\n%v", err, a, newTally().try(small), small)
		}
	}
	r = newSource(*seedFlag+9000, n)
	for range structuralPerDocument {
		a := r.structural(doc)
		if err := t.try(a); err != nil {
			small := shrink(a, err)
			return fmt.Errorf("%w\n%v\nshrunk: %w\n%v", err, a, newTally().try(small), small)
		}
	}
	return nil
}

// shrink returns a smaller attempt that breaks the same law, as far as it finds one
// by leaving out operations and lines. Hashes are left out with what they were of.
func shrink(a *attempt, breach error) *attempt {
	law, _, _ := strings.Cut(breach.Error(), ":")
	fails := func(a *attempt) bool {
		err := newTally().try(a)
		return err != nil && strings.HasPrefix(err.Error(), law+":")
	}
	best := a
	for i := len(a.ops) - 1; i >= 0 && len(best.ops) > 1; i-- {
		c := *best
		c.ops = slices.Delete(slices.Clone(best.ops), i, i+1)
		if fails(&c) {
			best = &c
		}
	}
	loose := *best
	loose.options.Pinned = true
	loose.ops = slices.Clone(best.ops)
	for i := range loose.ops {
		loose.ops[i].ExpectedHash, loose.ops[i].sure = "", false
	}
	if !fails(&loose) {
		return best
	}
	best = &loose
	for again := true; again; {
		again = false
		for l := best.doc.LineCount; l > 0; l-- {
			span := best.doc.LineSpan(markdown.Lines{First: l, Last: l})
			c := *best
			src := slices.Concat(best.doc.Source[:span.Start], best.doc.Source[span.End:])
			doc, err := (&markdown.Parser{Options: best.doc.Options()}).Parse(src)
			if err != nil {
				continue
			}
			if c.doc = doc; fails(&c) {
				best, again = &c, true
				l = min(l, doc.LineCount+1)
			}
		}
	}
	return best
}
