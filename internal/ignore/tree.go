package ignore

import (
	"iter"
	"slices"
)

// Which ignore files count where, and which of them more, is as with ripgrep: .ignore before
// .gitignore before .git/info/exclude, of each kind the innermost first; and, as with git, no
// .gitignore from outside of the repository that a folder is in.

// Tree is what ignore files say where a walk of folders is. The zero value is its top.
type Tree struct {
	path   []byte // of the folder, from the top, with a slash after it unless it is the top
	scopes []Scope
}

// Scope is what ignore files of one folder say of what is in it and below.
type Scope struct {
	Other, Git, Exclude *Rules // of .ignore, .gitignore and .git/info/exclude; nil for none
	Repository          bool   // one begins in the folder

	start int  // of paths below the folder in Tree.path
	sum   Load // of all so far, those of the folders above too
}

// Load is what rules are in force together where a walk is.
type Load struct {
	Size int // bytes of their files
	Wild int // parts of patterns with wildcards
}

// With returns the load with other rules beside.
func (l Load) With(r *Rules) Load { return Load{l.Size + r.Size(), l.Wild + r.Wild()} }

// Place is where a walk was before it entered a folder.
type Place struct{ path, scopes int }

// Enter goes into a folder of this name, "" for the top, and returns where the walk was.
func (t *Tree) Enter(name string) Place {
	before := Place{len(t.path), len(t.scopes)}
	if name != "" {
		t.path = append(append(t.path, name...), '/')
	}
	return before
}

// Leave goes back to where the walk was.
func (t *Tree) Leave(to Place) { t.path, t.scopes = t.path[:to.path], t.scopes[:to.scopes] }

// Add adds what ignore files of the folder say where the walk is.
func (t *Tree) Add(s Scope) {
	s.start, s.sum = len(t.path), t.Load().With(s.Other).With(s.Git).With(s.Exclude)
	t.scopes = append(t.scopes, s)
}

// Load returns that of all rules that the walk keeps where it is.
func (t *Tree) Load() Load {
	if n := len(t.scopes); n > 0 {
		return t.scopes[n-1].sum
	}
	return Load{}
}

// Verdict returns what the ignore files say of what has this name in the folder where the
// walk is: what the first one says that counts, but that one which keeps it for another pattern lets
// those behind it say that they keep it by its dot.
func (t *Tree) Verdict(name string, isFolder bool) Verdict {
	if len(t.scopes) == 0 {
		return Unsaid
	}
	n := len(t.path)
	t.path = append(t.path, name...)
	defer func() { t.path = t.path[:n] }()
	verdict := Unsaid
	for v := range t.verdicts(isFolder) {
		switch {
		case v == KeptHidden, v == Ignored && verdict == Unsaid:
			return v
		case v == Ignored:
			return verdict
		case v == Kept:
			verdict = Kept
		}
	}
	return verdict
}

// verdicts yields what each ignore file says of the path, those that count more first.
func (t *Tree) verdicts(isFolder bool) iter.Seq[Verdict] {
	return func(yield func(Verdict) bool) {
		for i := range slices.Backward(t.scopes) {
			if !yield(t.scopes[i].Other.Match(t.path[t.scopes[i].start:], isFolder)) {
				return
			}
		}
		for i := range slices.Backward(t.scopes) {
			s := &t.scopes[i]
			if !yield(s.Git.Match(t.path[s.start:], isFolder)) {
				return
			}
			if s.Repository {
				yield(s.Exclude.Match(t.path[s.start:], isFolder))
				return
			}
		}
	}
}
