package guiding

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/replies"
)

// GuideStart is the configuration that a project starts with.
type GuideStart struct {
	File       string // its path, as people of the working directory write it
	Text       []byte
	Categories int
	Notes      []string // what could not be looked at, a sentence each
}

// Line tells on one line what was written.
func (s *GuideStart) Line() []byte {
	what := "nothing was found to put into it"
	if s.Categories > 0 {
		what = categoryCount(s.Categories)
	}
	return fmt.Appendf(nil, "wrote %s: %s\n", replies.Safe(s.File), what)
}

// JSON renders what was written, or with dryRun what would be, as a line of JSON.
func (s *GuideStart) JSON(dryRun bool) []byte {
	start := struct {
		File       string   `json:"file"`
		Written    bool     `json:"written"`
		Categories int      `json:"categories"`
		Text       string   `json:"text,omitempty"` // if it was not written
		Notes      []string `json:"notes,omitempty"`
	}{File: replies.Safe(s.File), Written: !dryRun, Categories: s.Categories, Notes: s.Notes}
	if dryRun {
		start.Text = string(s.Text)
	}
	return replies.AppendJSON(nil, start)
}

// Init writes a commented configuration from what it finds in the project, into
// the project's root or, without one, the folder that the project was looked for
// from; with dryRun it only returns it. The file must not be there. The error is an
// *Error.
func (g *Guides) Init(ctx context.Context, dryRun bool) (*GuideStart, error) {
	root := g.Loader.ProjectRoot()
	if root == "" {
		var err error
		if root, err = filepath.Abs(g.start); err != nil {
			return nil, g.Failure(err)
		}
	}
	file := filepath.Join(root, config.Name)
	if isThere(file) {
		return nil, errConfigured(file)
	}
	s, err := openSurvey(root)
	if err != nil {
		return nil, g.Failure(err)
	}
	defer func() { _ = s.root.Close() }() // nothing was written
	collection := s.reserve(g.Loader.Load(ctx))
	categories, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	start := &GuideStart{File: displayPath(file), Text: startText(categories, collection), Categories: len(categories), Notes: s.notes}
	if dryRun {
		return start, nil
	}
	err = g.Loader.Create(ctx, config.Project, start.Text)
	switch {
	case err == nil:
		return start, nil
	case isThere(file) && !replies.AsError(err).Written: // somebody has written it since
		return nil, errConfigured(file).WithKept(err)
	}
	return nil, g.Failure(err)
}

// isThere reports whether there is anything of this name, if only a link.
func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// errConfigured refuses to write where somebody has written.
func errConfigured(file string) *replies.Error {
	return &replies.Error{Code: codeExists, Path: displayPath(file), Message: replies.Say("it is there already, and is left as it is; " +
		"add to it with 'sectile guide add', or remove it first")}
}

// startHead and startFoot stand around the categories of a start.
const (
	startHead = `# Guidance for agents and people, by category: 'sectile guide list' shows what there
# is, 'sectile guide show NAME' what an agent gets, 'sectile guide validate' checks it.
#
# A category is a folder (dir, relative to this file) with patterns for the files in it
# that count: * and ? stand for parts of a name, ** for any folders, {a,b} for a or b.
# A file NAME.mustache is the template of NAME; "vars" of a category are its variables.
`
	startExample = `
# Nothing was found to start with. A category looks like this:
#
# categories:
#   docs:
#     dir: docs
#     description: How things are done here
#     patterns:
#       - "**/*.md"
`
	startLimits = `
# The limits, with their defaults: folders below a category, files of a reply, bytes of
# a file and of a reply.
#
# guide:
#   max_depth: 8
#   max_files: 100
#   max_file_bytes: 1048576
#   max_reply_bytes: 8388608
`
)

// startText renders the configuration.
func startText(categories []startCategory, collection string) []byte {
	var b bytes.Buffer
	b.WriteString(startHead)
	if len(categories) == 0 {
		b.WriteString(startExample)
	} else {
		b.WriteString("\ncategories:\n")
	}
	for i := range categories {
		c := &categories[i]
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "  # %s\n  %s:\n    dir: %s\n    description: %s\n    patterns:\n", c.comment, c.name, config.Text(c.dir), config.Text(c.description))
		for _, p := range c.patterns {
			fmt.Fprintf(&b, "      - %s\n", config.Text(p))
		}
	}
	if first := firstEntries(categories); len(categories) > 1 && len(first) > 0 {
		b.WriteString("\n# A collection puts together what is often wanted together: categories, or parts of\n" +
			"# them as CATEGORY/PATTERN.\ncollections:\n  " + collection + ":\n    description: What to read first\n    entries:\n")
		for _, e := range first {
			fmt.Fprintf(&b, "      - %s\n", config.Text(e))
		}
	}
	b.WriteString(startLimits)
	return b.Bytes()
}

// So many files are to be read first: of one category as a whole, and of all.
const (
	maxFirstWhole = 20
	maxFirst      = 50
)

// firstEntries returns what to read first, little enough for one reply: the file of
// each category that says where to begin; of one that has no such file, such as rules,
// all if that is little.
func firstEntries(categories []startCategory) []string {
	var first []string
	left := maxFirst
	for i := range categories {
		c := &categories[i]
		whole := c.files > 0 && c.files <= min(maxFirstWhole, left)
		switch {
		case left == 0:
		case c.first != "":
			first = append(first, c.name+"/"+c.first)
			left--
		case whole && !c.later:
			first = append(first, c.name)
			left -= c.files
		}
	}
	return first
}
