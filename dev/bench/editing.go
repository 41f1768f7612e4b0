package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// editor changes files of a folder as somebody does who has read them.
type editor interface {
	// edit makes a change in a file and returns how many calls that took. If the
	// tool says that it did not do it, the error is a refusal; any other error ends
	// the measurement of this tool.
	edit(file string, c change) (calls int, err error)
	close()
}

// errNotAsked is returned by editors that can't be asked for a change at all.
var errNotAsked = errors.New("the tool can't be asked for this")

// score is what a tool did on all tasks of a kind.
type score struct {
	tasks, notAsked int
	outcomes        map[outcome]int
	outside         int // bytes
	crlf, kept      int // documents with CRLF, and those that have nothing else afterwards
	calls           int
	wrong           []single // some of those that were not right
}

// maxWrong is how many of them are kept.
const maxWrong = 8

// add counts a verdict.
func (s *score) add(t *task, v verdict, calls int) {
	s.tasks++
	s.outcomes[v.outcome]++
	s.outside += v.outside
	s.calls += calls
	if v.outcome != right && len(s.wrong) < maxWrong {
		s.wrong = append(s.wrong, single{What: fmt.Sprintf("%s, line %d", t.name, t.change.line), Came: string(v.outcome)})
	}
	if t.crlf && t.exists {
		s.crlf++
		if v.endings {
			s.kept++
		}
	}
}

// detail says what became of the tasks that didn't go right, and at what cost.
func (s *score) detail() string {
	var parts []string
	for _, o := range outcomes[1:] {
		if n := s.outcomes[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", thousands(n), o))
		}
	}
	if s.notAsked > 0 {
		parts = append(parts, fmt.Sprintf("%s more it can't be asked for", thousands(s.notAsked)))
	}
	parts = append(parts, fmt.Sprintf("%s bytes changed outside", thousands(s.outside)))
	if s.crlf > 0 {
		parts = append(parts, fmt.Sprintf("CRLF kept in %d of %d", s.kept, s.crlf))
	}
	if s.calls > s.tasks {
		parts = append(parts, fmt.Sprintf("%.1f calls each", float64(s.calls)/float64(s.tasks)))
	}
	return strings.Join(parts, "; ")
}

// measureEditing has every editor do every task on a fresh copy, and judges what the
// file holds afterwards. One that fails at that is noted, and has no figures.
func measureEditing(ctx context.Context, b *bench) error {
	all := tasks(b.docs, b.reference, b.seed, b.tasks)
	scores := map[string]map[string]*score{}
	var names []string
	for i := range b.tools {
		t := &b.tools[i]
		if t.editor == nil {
			continue
		}
		byKind, err := b.perform(ctx, *t, all)
		if err != nil {
			if err := b.fails(ctx, "Edits", t.name, err); err != nil {
				return err
			}
			continue
		}
		names = append(names, t.name)
		scores[t.name] = byKind
	}
	b.reportEditing(names, scores)
	return nil
}

// reportEditing adds a row for each kind and tool. The chart is about the kinds whose
// tasks all of the tools could be asked for, so that its figures are of the same ones:
// those in documents with LF, and those in documents with CRLF.
func (b *bench) reportEditing(names []string, scores map[string]map[string]*score) {
	lf, crlf := &shares{}, &shares{}
	for _, k := range kinds {
		var all []*score
		for _, name := range names {
			s := scores[name][k.name]
			if s == nil {
				continue
			}
			line := row{measure: "Edit: " + k.name, tool: name, result: fmt.Sprintf("%s of %s right", thousands(s.outcomes[right]), thousands(s.tasks)), detail: s.detail()}
			if s.tasks == 0 {
				line.result, line.detail = "it can't be asked", ""
			}
			b.report.add(line)
			all = append(all, s)
		}
		if k.name == withCRLF {
			crlf.add(all)
		} else {
			lf.add(all)
		}
	}
	const title = "Edits that did what they were asked for and nothing else, in documents with "
	b.report.chart(lf.panel(title+"LF", names))
	b.report.chart(crlf.panel(title+"CRLF", names))
}

// shares are how many of the same tasks each tool did right.
type shares struct {
	right []int
	tasks int
}

// add counts the tasks of a kind, if all tools could be asked for all of them.
func (s *shares) add(all []*score) {
	if len(all) == 0 || slices.ContainsFunc(all, func(one *score) bool { return one.notAsked > 0 }) {
		return
	}
	s.tasks += all[0].tasks
	s.right = append(s.right, make([]int, len(all)-len(s.right))...)
	for i, one := range all {
		s.right[i] += one.outcomes[right]
	}
}

// panel draws the shares, which are not numbers if there were no tasks.
func (s *shares) panel(title string, names []string) panel {
	p := panel{title: title, unit: "%", better: more}
	for i, n := range s.right {
		p.add(names[i], 100*float64(n)/float64(s.tasks))
	}
	return p
}

// perform has one editor do all tasks.
func (b *bench) perform(ctx context.Context, tool tool, all []task) (map[string]*score, error) {
	folder, err := os.MkdirTemp(b.machine.scratch, "edit-")
	if err != nil {
		return nil, err
	}
	e, err := tool.editor(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer e.close()
	scores := map[string]*score{}
	for i := range all {
		t := &all[i]
		s := scores[t.kind]
		if s == nil {
			s = &score{outcomes: map[outcome]int{}}
			scores[t.kind] = s
		}
		v, calls, err := attempt(e, folder, fmt.Sprintf("task-%d.md", i), t)
		switch {
		case errors.Is(err, errNotAsked):
			s.notAsked++
		case err != nil:
			return nil, fmt.Errorf("%s in %s: %w", t.kind, t.name, err)
		default:
			s.add(t, v, calls)
			b.trace(tool.name, t, v)
		}
	}
	return scores, nil
}

// attempt has an editor do a task on a file of its own.
func attempt(e editor, folder, file string, t *task) (verdict, int, error) {
	path := filepath.Join(folder, file)
	if err := os.WriteFile(path, t.source, 0o600); err != nil {
		return verdict{}, 0, err
	}
	calls, err := e.edit(file, t.change)
	_, isRefusal := errors.AsType[refusal](err)
	if err != nil && !isRefusal {
		return verdict{}, calls, err
	}
	result, err := os.ReadFile(path)
	if err != nil {
		return verdict{}, calls, err
	}
	return judge(t, result, isRefusal), calls, os.Remove(path)
}
