package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// namedAnew is a heading that gets another title.
type namedAnew struct {
	file    string
	line    int    // from 1
	address string // its anchor
	from    string
	to      string
}

// What is renamed in testdata/renames/before. A person has written what must come of it into
// testdata/renames/heading and testdata/renames/document.
var (
	renamedHeading = namedAnew{"guide.md", 5, "#getting-started", "Getting started", "First steps"}
	movedFrom      = "guide.md"
	movedTo        = "manual/handbook.md"
)

// changed runs a command in a folder whose files it changes.
func changed(ctx context.Context, folder string, command ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %.500s", err, out)
	}
	return nil
}

// linesOf returns the lines of all files below a folder, by paths.
func linesOf(folder string) (map[string][]string, error) {
	all := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != folder && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir // what a tool keeps for itself
		case entry.IsDir() || strings.HasPrefix(entry.Name(), "."):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		for line := range bytes.Lines(source) {
			all[filepath.ToSlash(name)] = append(all[filepath.ToSlash(name)], string(line))
		}
		return err
	})
	return all, err
}

// sameLink leaves out of a line how a destination can be written so or so.
var sameLink = strings.NewReplacer("(<./", "(", "(./", "(", "<", "", ">", "", "%20", " ")

// judgeRename compares the files that a tool has left with those that must come of it, line by
// line. The one that moves is compared under its old name before.
func judgeRename(before, want, got map[string][]string, moved map[string]string) (cases []single, followed, wanted, wrong int) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		was := before[name]
		if from, ok := moved[name]; ok {
			was = before[from]
		}
		is := got[name]
		for i, line := range want[name] {
			here := "" // what stands there
			if i < len(is) {
				here = is[i]
			}
			shown := strings.TrimSpace(line)
			switch asked := i >= len(was) || was[i] != line; {
			case asked && (here == line || sameLink.Replace(here) == sameLink.Replace(line)):
				followed++
				wanted++
				cases = append(cases, single{name + ": " + shown, "changed", true})
			case asked:
				wanted++
				cases = append(cases, single{name + ": " + shown, "is: " + strings.TrimSpace(here), false})
			case here != line:
				wrong++
				cases = append(cases, single{name + ": " + shown, "was to stay, is: " + strings.TrimSpace(here), false})
			}
		}
		wrong += max(0, len(is)-len(want[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == nil {
			wrong++
			cases = append(cases, single{name, "is still there", false})
		}
	}
	return cases, followed, wanted, wrong
}

// renameAll has each tool that can rename a heading, and move a document.
func (b *bench) renameAll(ctx context.Context) error {
	folder := filepath.Join(handMade(b.root), "renames")
	before, err := linesOf(filepath.Join(folder, "before"))
	if err != nil {
		return err
	}
	for _, what := range []struct {
		kind, measure string
		does          func(*tool, string) func() error
		moved         map[string]string
	}{
		{"heading", "Rename a heading, with links to it", func(t *tool, folder string) func() error {
			if t.rename == nil {
				return nil
			}
			return func() error { return t.rename(ctx, folder, renamedHeading) }
		}, nil},
		{"document", "Move a document, with links to it and of it", func(t *tool, folder string) func() error {
			if t.move == nil {
				return nil
			}
			return func() error { return t.move(ctx, folder, movedFrom, movedTo) }
		}, map[string]string{movedTo: movedFrom}},
	} {
		want, err := linesOf(filepath.Join(folder, what.kind))
		if err != nil {
			return err
		}
		for i := range b.tools {
			t := &b.tools[i]
			copied := filepath.Join(b.machine.scratch, "renamed", what.kind+"-"+t.name)
			does := what.does(t, copied)
			if does == nil {
				continue
			}
			if err := os.CopyFS(copied, os.DirFS(filepath.Join(folder, "before"))); err != nil {
				return err
			}
			if err := does(); err != nil {
				if err := b.fails(ctx, what.measure, t.name, err); err != nil {
					return err
				}
				continue
			}
			got, err := linesOf(copied)
			if err != nil {
				return err
			}
			cases, followed, wanted, wrong := judgeRename(before, want, got, what.moved)
			b.report.peers.add(row{
				measure: what.measure, tool: t.name, result: fmt.Sprintf("%d of %d lines right", followed, wanted),
				detail: fmt.Sprintf("%d others changed", wrong), value: 100 * float64(followed) / float64(max(1, wanted)), unit: share, cases: cases,
			})
		}
	}
	return nil
}
