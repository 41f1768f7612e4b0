package config

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/yamltree"
)

var samples = flag.Int("samples", 600, "generated configurations that changes are tried on")

// TestGenerated sees that the generator writes what is valid: a change of anything
// else would prove nothing.
func TestGenerated(t *testing.T) {
	for seed := range uint64(*samples) {
		s := generate(seed)
		f := parse([]byte(s.text), Project, nil)
		if len(f.problems) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, f.problems[0], s.text)
		}
		var names []string
		for _, c := range f.categories {
			names = append(names, c.Name)
		}
		if diff := cmp.Diff(strings.Join(s.categories, " "), strings.Join(names, " ")); diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, s.text)
		}
	}
}

// someChange returns a change that could be asked for, and the entry that it is
// about.
func someChange(r *rand.Rand, s sample) (Change, string) {
	text := func(list []string) string { return list[r.IntN(len(list))] }
	list := func(from []string, least int) []string {
		var some []string
		for range least + r.IntN(4) {
			some = append(some, text(from))
		}
		return some
	}
	entries := func() []Entry {
		var some []Entry
		for range 1 + r.IntN(4) {
			some = append(some, Entry{text(s.categories), []string{"", "*.md", "a/**"}[r.IntN(3)]})
		}
		return some
	}
	name := text([]string{"new", "no", "42", "été", "null", "a_b-c"})
	what := r.IntN(10)
	switch {
	case what < 2 || len(s.categories) == 0:
		c := Category{Name: name, Dir: text(testkit.YAMLTexts), Patterns: list(somePatterns, 0), Description: text(append(testkit.YAMLTexts, "two\nlines", ""))}
		if r.IntN(4) == 0 {
			c.Vars = map[string]any{"a": int64(1), "b": []any{"x", true, 1.5}, "c": map[string]any{"d": "no"}}
		}
		return AddCategory{c}, name
	case what == 2:
		return AddCollection{Collection{Name: name, Entries: entries(), Description: text([]string{"", "for: you"})}}, name
	case what == 3 && len(s.collections) > 0:
		target := text(s.collections)
		return Remove{target}, target
	case what < 6 && len(s.collections) > 0:
		target := text(s.collections)
		some, description := entries(), text(append(testkit.YAMLTexts, "", "two\nlines"))
		switch r.IntN(3) {
		case 0:
			return Set{Name: target, Description: &description}, target
		case 1:
			return Set{Name: target, Entries: &some}, target
		}
		return Set{Name: target, Entries: &some, Description: &description, Rename: &name}, target
	case what == 6:
		target := text(s.categories)
		return Remove{target}, target
	}
	target := text(s.categories)
	patterns, dir, description := list(somePatterns, 0), text(testkit.YAMLTexts), text(append(testkit.YAMLTexts, "", "two\nlines"))
	switch r.IntN(5) {
	case 0:
		return Set{Name: target, Patterns: &patterns}, target
	case 1:
		return Set{Name: target, Dir: &dir}, target
	case 2:
		return Set{Name: target, Description: &description}, target
	case 3:
		return Set{Name: target, Rename: &name}, target
	}
	return Set{Name: target, Rename: &name, Dir: &dir, Patterns: &patterns, Description: &description}, target
}

// TestLaws makes random changes of generated configurations: what is written says
// what was asked for, all comments survive but those inside of what is removed,
// and every line that is not about the entry keeps its bytes and its place.
func TestLaws(t *testing.T) {
	testkit.OneGoroutine(t)
	accepted, refused := 0, 0
	for seed := range uint64(*samples) {
		s := generate(seed)
		r := rand.New(rand.NewPCG(seed, 11))
		for range 4 {
			c, target := someChange(r, s)
			text, err := apply(parse([]byte(s.text), Project, nil), nil, c)
			if err != nil {
				problem, ok := errors.AsType[*Error](err)
				if !ok {
					t.Fatal(err)
				}
				if strings.Contains(problem.Error(), "by hand") {
					refused++
					t.Logf("seed %d: %+v: %v\n%s", seed, c, err, s.text)
				}
				continue
			}
			accepted++
			if message := checkLaws(s, string(text), c, target); message != "" {
				t.Fatalf("seed %d: %+v: %s\n--- before\n%s\n--- after\n%s", seed, c, message, s.text, text)
			}
		}
	}
	t.Logf("%d changes made, %d refused", accepted, refused)
	if least := *samples * 5 / 2; accepted < least || refused > accepted/100 {
		t.Errorf("%d changes of %d were made, at least %d are expected, and %d had to be made by hand", accepted, *samples*4, least, refused)
	}
}

var aComment = regexp.MustCompile(`# (\S+) \d+\b`)

// checkLaws tells which law a change breaks, nothing if it keeps them.
func checkLaws(s sample, after string, c Change, target string) string {
	_, removes := c.(Remove)
	at := 0
	for _, found := range aComment.FindAllStringSubmatch(s.text, -1) {
		n := regexp.MustCompile(regexp.QuoteMeta(found[0]) + `\b`).FindStringIndex(after[at:])
		switch {
		case n != nil:
			at += n[0]
		case found[1] != target || !removes && !takesOut(c):
			return "lost the comment, or its place: " + found[0]
		}
	}
	set, _ := c.(Set)
	before := strings.SplitAfter(s.text, "\n")
	now := strings.SplitAfter(after, "\n")
	next := 0 // of the new lines, behind those of the lines that have stayed
	for i, line := range before {
		owner := ""
		if i < len(s.owners) {
			owner = s.owners[i]
		}
		if strings.Trim(line, yamltree.BOM+" \r\n") == "" || owner == target || owner == "*" || set.Rename != nil && strings.HasPrefix(owner, "all") {
			continue
		}
		if n := slices.Index(now[next:], line); n >= 0 {
			next += n + 1
			continue
		}
		unended := !strings.HasSuffix(line, "\n") && strings.Contains(after, line)
		newEnd := !strings.HasSuffix(s.text, "\n") && strings.TrimRight(line, "\r\n") == now[len(now)-1]
		if !unended && !newEnd {
			return fmt.Sprintf("changed the line %q", line)
		}
	}
	return ""
}

// takesOut reports whether a change takes a field or items out, with the comments
// in them.
func takesOut(c Change) bool {
	set, ok := c.(Set)
	return ok && (set.Description != nil && trimDescription(*set.Description) == "" || set.Patterns != nil || set.Entries != nil)
}
