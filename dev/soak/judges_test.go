package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// fake is a server that answers as it is told.
type fake func(tool string, args object) (*reply, error)

func (f fake) call(tool string, args object) (*reply, error) { return f(tool, args) }
func (f fake) kill() error                                   { return nil }
func (f fake) close() error                                  { return nil }

// says returns a reply with this text and, if it is no error, content.
func says(isError bool, text string) *reply {
	r := &reply{IsError: isError, Content: []struct{ Text string }{{text}}}
	if !isError {
		r.StructuredContent = json.RawMessage(text)
	}
	return r
}

// at returns the history of a file that has been a version for long.
func at(name string, n int) *history {
	h := newHistory()
	for i := range n + 1 {
		h.begin(change{to: state{name: name, version: i}})
		h.end()
	}
	return h
}

// TestMixedTexts: what begins as one version and goes on as a later one may be read where that
// was written in place, and nowhere else.
func TestMixedTexts(t *testing.T) {
	first, second := version("a.md", 988), version("a.md", 989)
	mixed := whole(first + second[len(first):])
	for _, inPlace := range []bool{true, false} {
		h := at("a.md", 988)
		h.begin(change{to: state{name: "a.md", version: 989}, inPlace: inPlace})
		h.end()
		kind, wrong := h.since(989).judge(mixed, whole)
		if inPlace != (kind == halfWritten) || inPlace != (wrong == "") {
			t.Errorf("in place %v: %q, %s", inPlace, kind, wrong)
		}
		if _, wrong := h.since(989).judge(whole(first[:page]+second[page:]), whole); inPlace != (wrong == "") {
			t.Errorf("in place %v, a page of each: %s", inPlace, wrong)
		}
		if _, wrong := h.since(989).judge(whole(first[:100]+second[100:]), whole); wrong == "" {
			t.Errorf("in place %v: a text that begins with some of another one is taken", inPlace)
		}
	}
	// A folder that becomes a file while its documents are listed.
	h := at("a.md", 1)
	h.begin(change{to: state{none: true}})
	g := &reading{part: &part{run: &run{tally: newTally()}}, histories: map[string]*history{"a.md": h}}
	list := says(false, `{"documents":[{"file_path":"a.md","error":{"code":"encoding_error"}}]}`)
	if err := g.tree(fake(func(string, object) (*reply, error) { return list, nil }), "a.md"); err != nil {
		t.Error(err)
	}
}

func TestOutlinesAreJudged(t *testing.T) {
	outline := func(text string) (tree, list string) {
		for i, heading := range strings.Split(strings.TrimSuffix(headings(text), "\n"), "\n") {
			if i > 0 {
				tree, list = tree+",", list+","
			}
			tree += fmt.Sprintf(`{"name":%q,"children":[]}`, heading)
			list += fmt.Sprintf(`{"text":%q}`, heading)
		}
		return tree, list
	}
	now, nowList := outline(version("a.md", 4))
	old, oldList := outline(version("a.md", 3))
	_, b := outline(version("b.md", 2))
	_, c := outline(version("c.md", 1))
	_, other := outline(version(otherName, 1))
	document := func(name, list string) string { return fmt.Sprintf(`{"file_path":%q,"headings":[%s]}`, name, list) }
	index := func(documents ...string) string {
		return `{"data":{"documents":[` + strings.Join(documents, ",") + `]}}`
	}
	rest := []string{document("b.md", b), document("c.md", c), document(otherName, other)}
	for name, tt := range map[string]struct {
		isTree bool
		reply  *reply
		right  bool
	}{
		"a tree":               {true, says(false, `{"tree_json":{"name":"a.md","children":[`+now+`]}}`), true},
		"a stale tree":         {true, says(false, `{"tree_json":{"name":"a.md","children":[`+old+`]}}`), false},
		"an empty tree":        {true, says(false, `{"tree_json":{"name":"a.md"}}`), false},
		"no tree":              {true, says(false, `{}`), false},
		"a tree that fails":    {true, says(true, "file_not_found: never"), false},
		"a list with a tree":   {true, says(false, `{"documents":[{"file_path":"a.md","tree_json":{"name":"a.md","children":[`+now+`]}}]}`), true},
		"a list that is stale": {true, says(false, `{"documents":[{"file_path":"a.md","tree_json":{"name":"a.md","children":[`+old+`]}}]}`), false},
		"a list that fails":    {true, says(false, `{"documents":[{"file_path":"a.md","error":{"code":"encoding_error"}}]}`), false},
		"a tree of a secret":   {true, says(false, `{"tree_json":{"name":"a.md","children":[{"name":"`+secret+`"}]}}`), false},
		"an index":             {false, says(false, index(append(rest, document("a.md", nowList))...)), true},
		"a stale index":        {false, says(false, index(append(rest, document("a.md", oldList))...)), false},
		"a file is left out":   {false, says(false, index(rest...)), false},
		"an index that fails":  {false, says(true, "invalid_argument: no"), false},
		"an error in an index": {false, says(false, `{"errors":[{"code":"FILE_NOT_FOUND","file":"a.md"}],`+index(rest...)[1:]), false},
	} {
		g := &reading{part: &part{run: newRun(&options{}, "", "")}, histories: map[string]*history{
			"a.md": at("a.md", 4), "b.md": at("b.md", 2), "c.md": at("c.md", 1), otherName: at(otherName, 1),
		}}
		server := fake(func(string, object) (*reply, error) { return tt.reply, nil })
		err := g.index(server)
		if tt.isTree {
			err = g.tree(server, "a.md")
		}
		if (err == nil) != tt.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPlanVersionsAreJudged has stores that refuse every version, or none.
func TestPlanVersionsAreJudged(t *testing.T) {
	for name, tt := range map[string]struct {
		refuses func(writes int) bool
		right   bool
	}{
		"as it should be": {func(writes int) bool { return writes > 1 }, true},
		"all are refused": {func(int) bool { return true }, false},
		"none is":         {func(int) bool { return false }, false},
	} {
		p := &project{run: newRun(&options{}, "", "")}
		p.leaves[0] = map[string]*leaf{}
		writes := 0
		server := fake(func(tool string, _ object) (*reply, error) {
			if tool == "gather_requirements" {
				return says(false, `{"state":"parsed","version":"1","plan":{"tasks":[[false,"writer 0.",[]]]}}`), nil
			}
			if writes++; tt.refuses(writes) {
				return says(true, "concurrent_change: no"), nil
			}
			return says(false, "{}"), nil
		})
		err := p.alone(7, &endpoint{start: func() (caller, error) { return server, nil }})
		if (err == nil) != tt.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFullDisksAreJudged has a store without room, while the disk is filled and when it is
// empty again.
func TestFullDisksAreJudged(t *testing.T) {
	full := &endpoint{start: func() (caller, error) {
		return fake(func(string, object) (*reply, error) { return says(true, "fatal: No space left on device"), nil }), nil
	}}
	for name, p := range map[string]*project{"": {full: true}, "another disk": {}, "an empty disk": {full: true, calm: true}} {
		p.run = newRun(&options{}, "", "")
		said, err := p.change(full, "mark_task", object{}, false)
		if right := name == ""; (err == nil) != right || (said == refusedFull) != right || p.tally.get("plan writes refused: disk full") > 0 != right {
			t.Errorf("%q: %s, %v", name, said, err)
		}
	}
}

func TestCommitsAreCounted(t *testing.T) {
	p := &project{first: 3}
	p.sure.Store(10)
	p.maybe.Store(2)
	for n, right := range map[int]bool{1: false, 12: false, 13: true, 15: true, 16: false} {
		if wrong := p.judgeCommits(n); (wrong == "") != right {
			t.Errorf("%d commits: %q", n, wrong)
		}
	}
}

// TestSaves has an editor that looks at the file before it takes its place, and one that
// doesn't.
func TestSaves(t *testing.T) {
	if _, err := canSuspend(); err != nil {
		t.Skip(err)
	}
	const waits = `until grep -q '@-1[.]' lf.md; do sleep 0.01; done; `
	for name, tt := range map[string]struct {
		script string
		lost   int
	}{
		"it looks":        {`: > T; ` + waits + `cat lf.md > T; mv T lf.md`, 0},
		"it doesn't look": {`cp lf.md old; : > T; ` + waits + `mv old lf.md; rm T`, 1},
	} {
		dir := t.TempDir()
		p := &part{run: newRun(&options{}, wrapped(t, strings.ReplaceAll(tt.script, "T", ".sectile-new.tmp")), dir)}
		s := &saver{arena: &arena{run: p.run, dir: dir, docs: newDocuments()[:1]}, random: rand.New(rand.NewPCG(1, 2))}
		if err := s.begin(); err != nil {
			t.Fatal(err)
		}
		edit := newToken(s.random, &s.docs[0], 0, 0)
		if e, err := finish(s.editing(s.random, edit), func(p *running) { s.saveWithin(edit, p.Process, p.done) }); err != nil || !e.state.Success() {
			t.Fatal(name, err, e)
		}
		within, lost := p.tally.get("saves while an edit is written"), p.tally.get("saves while an edit is written that were lost")
		if within != 1 || lost != tt.lost || len(p.wrongs()) > 0 {
			t.Errorf("%s: %d saves, %d lost, wrong %q", name, within, lost, p.wrongs())
		}
		text, err := os.ReadFile(filepath.Join(dir, "lf.md"))
		if v := check(&s.docs[0], s.tries, string(text)); err != nil || len(v.wrong) > 0 {
			t.Errorf("%s: %q, %v", name, v.wrong, err)
		}
		p.judgeSaves()
		if found := len(p.wrongs()); found != tt.lost {
			t.Errorf("%s: %d wrongs: %q", name, found, p.wrongs())
		}
	}
}

// TestForeignSavesAreJudged has each save in each way written over by an older version,
// which must be found unless a reply has named where it is.
func TestForeignSavesAreJudged(t *testing.T) {
	for way := range foreignWays {
		for _, named := range []bool{false, true} {
			dir := t.TempDir()
			f := &foreign{run: newRun(&options{}, "", dir), way: way, file: filepath.Join(dir, "a.md"), random: rand.New(rand.NewPCG(1, 2))}
			old := fmt.Appendf(nil, foreignHead, "none")
			if err := errors.Join(os.WriteFile(f.file, old, 0o600), f.saveOnce()); err != nil {
				t.Fatal(err)
			}
			if missing := f.missing(); missing != "" || f.check() != nil || len(f.wrongs()) > 0 {
				t.Errorf("%s, which is right: %s %q", way, missing, f.wrongs())
			}
			text, err := os.ReadFile(f.file)
			if err := errors.Join(err, os.WriteFile(f.file, old, 0o600), os.WriteFile(filepath.Join(dir, "a.kept-1.md"), text, 0o600)); err != nil {
				t.Fatal(err)
			}
			if named {
				f.note("warning: what it saved is kept as \"a.kept-1.md\"\n")
			}
			if missing := f.missing(); missing == "" || f.isNamed(f.last) != named {
				t.Errorf("%s: missing %q, named %v", way, missing, named)
			}
			if err := f.check(); err != nil || len(f.wrongs()) > 0 == named {
				t.Errorf("%s, named: %v: %v, %q", way, named, err, f.wrongs())
			}
		}
	}
}

func TestGrowthIsFound(t *testing.T) {
	before := usage{20, 10}
	for name, tt := range map[string]struct {
		now   usage
		right bool
	}{
		"as before": {before, true}, "a little": {usage{60, 12}, true}, "memory": {usage{200, 10}, false}, "files": {usage{20, 50}, false},
	} {
		if wrong := grown(before, tt.now); (wrong == "") != tt.right {
			t.Errorf("%s: %q", name, wrong)
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("what a process holds is seen on Linux alone")
	}
	was, err := usageOf(os.Getpid())
	if err != nil || was.megabytes == 0 || was.files == 0 {
		t.Fatal(was, err)
	}
	for range 50 {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() }) // nothing was written
	}
	kept := make([]byte, 64<<20)
	for i := 0; i < len(kept); i += page {
		kept[i] = 1
	}
	now, err := usageOf(os.Getpid())
	runtime.KeepAlive(kept)
	if err != nil || now.files < was.files+40 || now.megabytes < was.megabytes+40 {
		t.Errorf("%+v, and then %+v, %v", was, now, err)
	}
}

func TestPartsAreKnown(t *testing.T) {
	for parts, right := range map[string]bool{"": true, "edits": true, "edits,plans-jj": true, "typo": false, "edits,typo": false, "edits,": false, "Edits": false} {
		if err := newRun(&options{parts: parts}, "", "").checkParts(); (err == nil) != right {
			t.Errorf("%q: %v", parts, err)
		}
	}
	if _, err := soak(t.Context(), &options{parts: "typo", dir: t.TempDir()}); err == nil {
		t.Error("a part that is not there is done")
	}
}

func TestSkippedIsSaid(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for required, wrongs := range map[string]int{"": 1, "1": 2} { // that nothing is left to do is one
		t.Setenv("SECTILE_REQUIRE_TOOLS", required)
		r := newRun(&options{parts: "plans-jj", time: time.Millisecond, round: time.Millisecond}, "", t.TempDir())
		if result := r.work(t.Context()); len(result.skipped) != 1 || len(r.wrongs()) != wrongs {
			t.Errorf("required %q: skipped %q, wrong %q", required, result.skipped, r.wrongs())
		}
	}
}

// TestEndsEarly tells a run of an hour to end.
func TestEndsEarly(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	o := &options{program: testkit.BuildProgram(t), dir: dir, time: time.Hour, round: time.Hour, parts: "lines,plans-file"}
	if found, err := soak(ctx, o); found > 0 || err != nil {
		t.Errorf("%d wrongs, %v", found, err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestLimitsOfFileSize has an edit made where there is no room for the file.
func TestLimitsOfFileSize(t *testing.T) {
	if err := exec.Command("/bin/sh", "-c", "ulimit -f 1").Run(); err != nil {
		t.Skip("no shell limits the size of files")
	}
	dir := t.TempDir()
	a := &arena{run: newRun(&options{}, testkit.BuildProgram(t), dir), dir: dir, docs: newDocuments()[:1], full: true, limits: []string{"1"}}
	if err := a.begin(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	edit := newToken(random, &a.docs[0], 0, 0)
	edit.append(&a.docs[0], a.docs[0].Shared[0])
	if _, wrong := a.do(edit, a.byCommand(random, never)); wrong != "" || edit.Known != refused || a.tally.get("edits refused: disk full") != 1 {
		t.Errorf("%s, %q; wrong: %s", edit.Known, edit.Code, wrong)
	}
	if a.tally.get(limitLine) != 1 {
		t.Error("the table does not tell of it")
	}
	text, err := os.ReadFile(filepath.Join(dir, a.docs[0].Name))
	if v := check(&a.docs[0], a.tries, string(text)); err != nil || len(v.wrong) > 0 {
		t.Errorf("%q, %v", v.wrong, err)
	}
}
