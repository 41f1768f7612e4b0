package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Behind its words a task may have fields in brackets, in every form of plans the same, for
// they are a part of the task's text:
//
//	Text  = Words { " " Field }
//	Field = "[id:: " ID "]"
//	      | "[after:: " ID { ", " ID } "]"
//	      | "[claim:: " Name " until " Time "]"
//	      | "[note:: " Note "]"
//	ID    = a letter or digit { a letter, a digit, "-" or "_" }, of ASCII and not of digits alone
//	Time  = a date-time of RFC 3339 in UTC, with seconds
//
// A Name and a Note are text of one line whose brackets are in pairs. Id, after and claim
// stand at most once; fields are read in any order, and written in this one. What is none of
// this belongs to the words.

// TaskFields are the fields of a task.
type TaskFields struct {
	ID    string   // names the task wherever it stands; empty for none
	After []string // the ids of tasks that must be done before this one is begun, or one below it
	Claim *Claim   // nil for none
	Notes []string // in the order in which they were made
}

// A Claim says who works on a task. After its time it counts for nothing.
type Claim struct {
	By    string
	Until time.Time
}

// Holds reports whether the claim counts at a time for somebody else than the one who has it.
func (c *Claim) Holds(by string, now time.Time) bool {
	return c != nil && c.By != by && now.Before(c.Until)
}

// The limits of a name in a claim and of a note, in code points.
const (
	MaxClaimant = 64
	MaxNote     = 500
)

const (
	fieldID    = "id"
	fieldAfter = "after"
	fieldClaim = "claim"
	fieldNote  = "note"

	fieldSep = ":: "
	until    = " until "
)

// ReadTask returns the words of a task and its fields.
func ReadTask(text string) (words string, f TaskFields) {
	words = text
	for {
		rest, key, value, ok := cutField(words)
		if !ok || !f.read(key, value) {
			break
		}
		words = rest
	}
	slices.Reverse(f.Notes)
	return words, f
}

// WriteTask returns the text of a task with the words and fields. What ReadTask has returned
// gives a text that it reads as the same.
func WriteTask(words string, f TaskFields) string {
	text := []byte(words)
	put := func(key, value string) {
		text = append(append(append(append(append(text, " ["...), key...), fieldSep...), value...), ']')
	}
	if f.ID != "" {
		put(fieldID, f.ID)
	}
	if len(f.After) > 0 {
		put(fieldAfter, strings.Join(f.After, ", "))
	}
	if f.Claim != nil {
		put(fieldClaim, f.Claim.By+until+f.Claim.Until.UTC().Format(time.RFC3339))
	}
	for _, note := range f.Notes {
		put(fieldNote, note)
	}
	return string(text)
}

// cutField takes the last field off a text, if it ends with something that looks like one.
func cutField(text string) (rest, key, value string, ok bool) {
	if !strings.HasSuffix(text, "]") {
		return text, "", "", false
	}
	depth, at := 0, len(text)-1
	for ; at >= 0; at-- {
		switch text[at] {
		case ']':
			depth++
		case '[':
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if at < 1 || text[at-1] != ' ' {
		return text, "", "", false
	}
	key, value, ok = strings.Cut(text[at+1:len(text)-1], fieldSep)
	rest = strings.TrimRight(text[:at], " ")
	return rest, key, value, ok && rest != "" && slices.Contains([]string{fieldID, fieldAfter, fieldClaim, fieldNote}, key)
}

// read takes a field in, and reports whether it is one.
func (f *TaskFields) read(key, value string) bool {
	switch key {
	case fieldID:
		if f.ID != "" || !isTaskID(value) {
			return false
		}
		f.ID = value
	case fieldAfter:
		ids := strings.Split(value, ", ")
		if f.After != nil || slices.ContainsFunc(ids, func(id string) bool { return !isTaskID(id) }) {
			return false
		}
		f.After = ids
	case fieldClaim:
		i := strings.LastIndex(value, until)
		if f.Claim != nil || i < 0 || checkFieldText(value[:i], MaxClaimant) != "" {
			return false
		}
		at, err := time.Parse(time.RFC3339, value[i+len(until):])
		if err != nil || at.Location() != time.UTC || at.Format(time.RFC3339) != value[i+len(until):] { // it takes an hour of one digit, too
			return false
		}
		f.Claim = &Claim{value[:i], at}
	case fieldNote:
		if checkFieldText(value, MaxNote) != "" {
			return false
		}
		f.Notes = append(f.Notes, value) // the last one first
	}
	return true
}

// isTaskID reports whether s has the form of an id of a task.
func isTaskID(s string) bool {
	letter := false
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			letter = true
		case '0' <= c && c <= '9':
		case i > 0 && (c == '-' || c == '_'):
		default:
			return false
		}
	}
	return letter
}

// checkFieldText tells what is wrong with a name or a note, nothing if it can stand in a field.
func checkFieldText(s string, most int) string {
	switch n := utf8.RuneCountInString(s); {
	case s == "":
		return "it is empty"
	case n > most:
		return fmt.Sprintf("it has %d characters, at most %d are allowed", n, most)
	case strings.TrimSpace(s) != s:
		return "it has white space around it"
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return "it has a line break or another control character"
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 {
		return "its brackets are not in pairs"
	}
	return ""
}

// badField tells what is wrong with what stands behind the words of a task and was meant as a
// field, nothing if there is no such text.
func badField(words string) string {
	_, key, value, ok := cutField(words)
	if !ok {
		return ""
	}
	var f TaskFields
	if f.read(key, value) {
		return fmt.Sprintf("The task has two fields %q", key)
	}
	switch key {
	case fieldID:
		return fmt.Sprintf("%q is no id; write letters, digits, - and _, with a letter among them", clip(value, 80))
	case fieldAfter:
		return fmt.Sprintf("%q are no ids of tasks with \", \" between", clip(value, 80))
	case fieldClaim:
		return fmt.Sprintf("%q is no claim; write NAME until 2006-01-02T15:04:05Z", clip(value, 80))
	}
	return fmt.Sprintf("%q is no note: %s", clip(value, 80), checkFieldText(value, MaxNote))
}
