package config

import (
	"fmt"
	"strings"
)

// Name is the name of a project's configuration file.
const Name = ".sectile.yaml"

// Scope says whose file something is from.
type Scope int

// The two files, a project's and the user's.
const (
	Project Scope = iota
	User
)

// Config is what the files say together.
type Config struct {
	Categories  []Category // in the order of the files, the project's first
	Collections []Collection
	Guide       Guide
	Links       Links
	Plan        Plan
}

// Category is a folder with the files in it that count.
type Category struct {
	Name        string
	Dir         string // as it is written: relative to the project's root, or absolute in the user's file
	Patterns    []string
	Description string
	Vars        map[string]any // string, bool, int64, float64, []any or map[string]any
	Scope       Scope
}

// Collection names categories, parts of them, and other collections.
type Collection struct {
	Name        string
	Description string
	Entries     []Entry
	Scope       Scope
}

// Entry is a category or collection, or what a pattern means of it.
type Entry struct {
	Name    string
	Pattern string // empty for all that counts
}

// Guide are the limits of serving categories.
type Guide struct {
	MaxDepth      int   // folders below a category on the way to a file
	MaxFiles      int   // of a reply
	MaxFileBytes  int64 // of one file
	MaxReplyBytes int64 // of a reply
}

// Category returns the category of the name, nil if there is none.
func (c *Config) Category(name string) *Category {
	for i := range c.Categories {
		if c.Categories[i].Name == name {
			return &c.Categories[i]
		}
	}
	return nil
}

// Collection returns the collection of the name, nil if there is none.
func (c *Config) Collection(name string) *Collection {
	for i := range c.Collections {
		if c.Collections[i].Name == name {
			return &c.Collections[i]
		}
	}
	return nil
}

// Problem is something wrong in a file.
type Problem struct {
	File         string // as it is shown: .sectile.yaml or the user's config.yaml
	Line, Column int    // from 1, columns in characters; 0 if it is about no place in particular
	Field        string // the path of the key, such as categories.docs.dir; empty for the file
	Message      string // what is wrong, and the way out

	keys []string // as the file has them, where the field's name is quoted and cut: an unknown key, and those below it
}

// String returns the problem on one line, FILE:LINE:COLUMN: FIELD: MESSAGE.
func (p Problem) String() string {
	text := p.File
	if p.Line > 0 {
		text += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	if p.Field != "" {
		text += ": " + p.Field
	}
	return text + ": " + p.Message
}

// Error is a configuration that can't be used, or a change that can't be made:
// all that is wrong, in the order of the file.
type Error struct{ Problems []Problem }

// errorOf returns problems as an *Error, nil if there are none.
func errorOf(problems []Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &Error{Problems: problems}
}

// Error returns the problems, a line each.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}
