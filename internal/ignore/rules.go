package ignore

import (
	"bytes"
	"strings"
)

// Most patterns name one file or folder, so those are looked up and not gone through;
// only those with wildcards cost something for every name.

// Verdict is what an ignore file says of a name.
type Verdict int

// The verdicts. Of a pattern that keeps a name and one before it, the greater counts.
const (
	Unsaid     Verdict = iota // nothing: ask the next file
	Ignored                   // it is left out
	Kept                      // it is not, whatever is said by files that count less
	KeptHidden                // as Kept, by a pattern that writes out the dot of the name
)

// Rules are the patterns of an ignore file. Nil are those of an empty one. They are not
// changed after Parse, and safe for concurrent use.
type Rules struct {
	verdicts []Verdict      // by number of the pattern
	names    map[string]int // the last pattern that is this name, in any folder
	folders  map[string]int // the same, of those that are for folders alone
	paths    map[string]int // the last pattern that is this path, from the file's folder
	subtrees map[string]int // the same, of those that are for folders alone
	wild     []pattern      // those with wildcards, in their order
	inNames  *machine       // of these, those that are compared with names
	inPaths  *machine       // and with paths
	wildSize int            // parts of all of them
	size     int            // of the text, in bytes
}

// Size returns how many bytes the ignore file has, to which the memory of its patterns is
// proportional; of one without patterns 0.
func (r *Rules) Size() int {
	if r == nil {
		return 0
	}
	return r.size
}

// Wild returns of how many parts the patterns with wildcards are, each of which takes time for
// every character of a name: wildcards, classes, and the characters behind the first of them.
func (r *Rules) Wild() int {
	if r == nil {
		return 0
	}
	return r.wildSize
}

// utf8Mark may stand at the beginning of a file.
const utf8Mark = "\xef\xbb\xbf"

// Parse reads an ignore file. There is no text that is none: what is no pattern matches
// nothing, as with git. It ends where patterns with wildcards have more than so many parts (see
// [Rules.Wild]).
func Parse(text []byte, mostWild int) *Rules {
	r := &Rules{size: len(text), names: map[string]int{}, folders: map[string]int{}, paths: map[string]int{}, subtrees: map[string]int{}}
	text = bytes.TrimPrefix(text, []byte(utf8Mark))
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		line, _, _ = bytes.Cut(line, []byte{0}) // git reads up to it
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if r.add(string(withoutBlanksAtEnd(line))); r.wildSize > mostWild {
			break
		}
	}
	if len(r.verdicts) == 0 {
		return nil
	}
	r.inNames, r.inPaths = newMachine(r.wild, false), newMachine(r.wild, true)
	for i := range r.wild {
		if p := &r.wild[i]; !p.isEnds() {
			p.tokens = nil // the machines have them
		}
	}
	return r
}

// withoutBlanksAtEnd leaves out the spaces at the end of a line that no backslash stands
// before.
func withoutBlanksAtEnd(line []byte) []byte {
	end := 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == ' ':
			continue
		case line[i] == '\\' && i+1 == len(line):
			return line
		case line[i] == '\\':
			i++
		}
		end = i + 1
	}
	return line[:end]
}

// add adds the pattern that a line is.
func (r *Rules) add(line string) {
	verdict := Ignored
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		line, verdict = rest, Kept
	}
	line, isFolder := strings.CutSuffix(line, "/")
	if line == "" {
		return
	}
	n := len(r.verdicts)
	r.verdicts = append(r.verdicts, verdict)
	isPath := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if last := line[strings.LastIndexByte(line, '/')+1:]; verdict == Kept && strings.HasPrefix(strings.TrimPrefix(last, `\`), ".") {
		r.verdicts[n] = KeptHidden
	}
	literal := !strings.ContainsAny(line, `*?[\`)
	switch {
	case !literal:
		p := newPattern(line, isPath, isFolder, n)
		r.wild = append(r.wild, p)
		r.wildSize += p.states()
	case isPath && isFolder:
		r.subtrees[line] = n
	case isPath:
		r.paths[line] = n
	case isFolder:
		r.folders[line] = n
	default:
		r.names[line] = n
	}
}

// Match returns what the file says of a path, which begins at the file's folder and has
// forward slashes: by its last pattern that matches. What it says of the folders on the
// way is not asked. Of several that keep it one after the other, it is enough that one
// writes out the dot.
func (r *Rules) Match(path []byte, isFolder bool) Verdict {
	if r == nil {
		return Unsaid
	}
	name := path[bytes.LastIndexByte(path, '/')+1:]
	last := max(number(r.names, name), number(r.paths, path))
	if isFolder {
		last = max(last, number(r.folders, name), number(r.subtrees, path))
	}
	verdict := Unsaid
	inNames, inPaths := r.inNames.matching(name, last), r.inPaths.matching(path, last)
	for i := len(r.wild) - 1; i >= 0; i-- {
		p := &r.wild[i]
		if p.number <= last {
			break
		}
		if (isFolder || !p.isFolder) && (inNames[p.number] || inPaths[p.number] || p.isEnds() && p.mayMatch(name)) {
			verdict = max(verdict, r.verdicts[p.number])
			if r.verdicts[p.number] != Kept {
				return verdict
			}
		}
	}
	if last >= 0 {
		verdict = max(verdict, r.verdicts[last])
	}
	return verdict
}

// number returns the number of the pattern that a text is, or -1.
func number(patterns map[string]int, text []byte) int {
	if n, ok := patterns[string(text)]; ok {
		return n
	}
	return -1
}
