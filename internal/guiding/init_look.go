package guiding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/runes"
)

// Where a project keeps its guidance is guessed from names alone: folders that are
// called like documentation, files that everybody has at the top, and the places
// where coding agents look for their rules. No file is opened, and of no folder more
// than a part is looked at, so that it takes no time in any project.

// So much of a project is looked at.
const (
	lookNames    = 2000 // names in a folder with all that is below it
	lookFolders  = 20   // folders that are called like documentation
	lookPackages = 200  // folders of a monorepo
	lookDepth    = 8    // folders below a category, which is how many are served
)

// startCategory is a category that a start has.
type startCategory struct {
	name, dir, description string
	comment                string // of the file that is written
	patterns               []string
	first                  string // a file to begin with, or empty
	files                  int    // that were seen of it, or 0 if it is not known to be all of it
	later                  bool   // they are kept for a certain task, and nothing to read first
}

// topNames are the files at the top of a project, without their extensions, that
// say how to work on it; agentFiles those that coding agents read.
var (
	topNames = []string{
		"README", "CONTRIBUTING", "ARCHITECTURE", "DEVELOPMENT", "DEVELOPING", "HACKING",
		"CONVENTIONS", "GUIDELINES", "STYLE", "STYLEGUIDE", "STYLE_GUIDE", "TESTING", "SECURITY",
	}
	topExtensions = []string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ""}

	agentFiles = []string{
		"AGENTS.md", "AGENT.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".junie/guidelines.md",
		".cursorrules", ".windsurfrules", ".clinerules",
	}
	packageFiles = []string{"README.md", "AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md"}
)

// ruleFolders are where coding agents keep rules, with the names of their
// categories. Those that are kept for later, such as skills, are nothing to read
// first.
var ruleFolders = []struct {
	dir, name string
	later     bool
}{
	{".claude/rules", "claude-rules", false},
	{".claude/skills", "claude-skills", true},
	{".claude/commands", "claude-commands", true},
	{".claude/agents", "claude-agents", true},
	{".cursor/rules", "cursor-rules", false},
	{".github/instructions", "copilot-instructions", false},
	{".clinerules", "cline-rules", false},
	{".continue/rules", "continue-rules", false},
	{".kiro/steering", "kiro-steering", false},
	{".roo/rules", "roo-rules", false},
	{".windsurf/rules", "windsurf-rules", false},
}

// documentWords are words in the names of folders that hold documentation;
// packageFolders hold the parts of a monorepo.
var (
	documentWords = []string{
		"docs", "doc", "documentation", "guides", "guide", "guidelines", "handbook", "manual", "wiki",
		"conventions", "rules", "adr", "adrs", "decisions", "rfcs", "runbooks", "playbooks",
	}
	nestedDocuments = []string{"website/docs", "site/docs"} // of programs that make websites
	packageFolders  = []string{"apps", "components", "crates", "libs", "modules", "packages", "plugins", "projects", "services"}
)

// survey looks at a project.
type survey struct {
	root  *os.Root
	names int // that were looked at
	taken map[string]bool
	notes []string
}

// openSurvey opens the project.
func openSurvey(dir string) (*survey, error) {
	root, err := os.OpenRoot(dir) // it is the project's, in which the command runs
	if err != nil {
		return nil, systemFailure(displayPath(dir), err)
	}
	return &survey{root: root, taken: map[string]bool{}}, nil
}

// reserve keeps names from being given that the user's configuration has for
// something else, and returns a name for the collection. If the configuration can't
// be read, all names are free, and writing will tell.
func (s *survey) reserve(user *config.Loaded, err error) (collection string) {
	if err != nil {
		return s.name("start")
	}
	for i := range user.Categories {
		s.taken[user.Categories[i].Name] = true
	}
	collection = s.name("start")
	s.taken = map[string]bool{collection: true}
	for i := range user.Collections {
		s.taken[user.Collections[i].Name] = true
	}
	return collection
}

// look returns the categories that the project could have.
func (s *survey) look(ctx context.Context) ([]startCategory, error) {
	top, _ := s.list(".", lookNames)
	var found []startCategory
	for _, part := range []func([]fs.DirEntry) []startCategory{s.topFiles, s.rules, s.documents, s.packages} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found = append(found, part(top)...)
	}
	return found, nil
}

// topFiles finds the files at the top of the project.
func (s *survey) topFiles(top []fs.DirEntry) []startCategory {
	c := startCategory{
		dir: ".", comment: "What everybody should know who works on the project.",
		description: "What to know about the project before working on it",
	}
	for _, name := range topNames {
		for _, extension := range topExtensions {
			i := slices.IndexFunc(top, func(e fs.DirEntry) bool { return e.Type().IsRegular() && strings.EqualFold(e.Name(), name+extension) })
			if i >= 0 && isASCII(top[i].Name()) {
				c.patterns = append(c.patterns, top[i].Name())
				break
			}
		}
	}
	if c.patterns == nil {
		return nil
	}
	c.name, c.first, c.files = s.name("project"), c.patterns[0], len(c.patterns)
	return []startCategory{c}
}

// rules finds the rules for coding agents.
func (s *survey) rules([]fs.DirEntry) []startCategory {
	var found []startCategory
	c := startCategory{
		dir: ".", comment: "The rules that coding agents read at the start, in one place for all of them.",
		description: "Rules for coding agents that work on the project",
	}
	for _, file := range agentFiles {
		if info, err := s.root.Lstat(file); err == nil && info.Mode().IsRegular() {
			c.patterns = append(c.patterns, file)
		}
	}
	if c.patterns != nil {
		c.name, c.files = s.name("agents"), len(c.patterns)
		found = append(found, c)
	}
	for _, folder := range ruleFolders {
		if seen := s.patterns(folder.dir, []string{".md", ".mdc"}); seen.patterns != nil {
			found = append(found, startCategory{
				name: s.name(folder.name), dir: folder.dir, patterns: seen.patterns, files: seen.files, later: folder.later,
				comment:     fmt.Sprintf("What stands in %s, for agents that don't look there by themselves.", folder.dir),
				description: "Rules and instructions for coding agents, from " + folder.dir,
			})
		}
	}
	return found
}

// documents finds the folders that are called like documentation.
func (s *survey) documents(top []fs.DirEntry) []startCategory {
	var dirs []string
	for _, entry := range top {
		if dir := entry.Name(); entry.IsDir() && isDocumentation(dir) {
			dirs = append(dirs, dir)
		}
	}
	var found []startCategory
	for _, dir := range append(dirs, nestedDocuments...) {
		if len(found) == lookFolders {
			break
		}
		seen := s.patterns(dir, []string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"})
		if seen.patterns == nil {
			continue
		}
		found = append(found, startCategory{
			name: s.name(dir), dir: dir, patterns: seen.patterns, first: seen.first, files: seen.files,
			comment: "The documents of this folder and those below it.", description: "Documents in " + dir,
		})
	}
	return found
}

// isDocumentation reports whether a folder is called like documentation, and by a
// name that can be written down and is not protected.
func isDocumentation(dir string) bool {
	if dir[0] == '.' || filenames.FolderProtection(dir) != "" || !utf8.ValidString(dir) || strings.Contains(dir, `\`) || strings.ContainsFunc(dir, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return false
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(dir), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(documentWords, word) {
			return true
		}
	}
	return false
}

// packages finds what the folders of a monorepo say of themselves.
func (s *survey) packages(top []fs.DirEntry) []startCategory {
	var found []startCategory
	for _, entry := range top {
		dir := entry.Name()
		if !entry.IsDir() || !slices.Contains(packageFolders, dir) {
			continue
		}
		if patterns := s.packagePatterns(dir); patterns != nil {
			found = append(found, startCategory{
				name: s.name(dir), dir: dir, patterns: patterns, comment: fmt.Sprintf("What the folders in %s say of themselves.", dir),
				description: fmt.Sprintf("Documents of each folder in %s; ask for 'NAME/**' to see those of one", dir),
			})
		}
	}
	return found
}

// packagePatterns returns the patterns that match something in the folders of a
// folder.
func (s *survey) packagePatterns(dir string) []string {
	entries, _ := s.list(dir, lookNames)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() || e.Name()[0] == '.' })
	var patterns []string
	add := func(pattern string) {
		if !slices.Contains(patterns, pattern) {
			patterns = append(patterns, pattern)
		}
	}
	for _, entry := range entries[:min(len(entries), lookPackages)] {
		for _, file := range packageFiles {
			if info, err := s.root.Lstat(path.Join(dir, entry.Name(), file)); err == nil && info.Mode().IsRegular() {
				add("*/" + file)
			}
		}
		below := s.patterns(path.Join(dir, entry.Name(), "docs"), []string{".md", ".mdx"})
		for _, pattern := range below.patterns {
			add("*/docs/" + pattern)
		}
	}
	// The order of the folders doesn't count.
	slices.SortFunc(patterns, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	})
	return patterns
}

// seen is what was seen of a folder of documents.
type seen struct {
	patterns []string // for the documents in it and below it; nil if there are none
	first    string   // the file in it to begin with
	files    int      // that the patterns match; 0 if not all of the folder was looked at
}

// patterns looks for documents in a folder and below it. Texts count only where
// there is nothing else, for there are lists of requirements that are called so.
func (s *survey) patterns(dir string, extensions []string) seen {
	var found seen
	if info, err := s.root.Lstat(dir); err != nil || !info.IsDir() {
		return found
	}
	count := map[string]int{} // by extension
	left, all := lookNames, true
	var walk func(dir string, depth int)
	walk = func(at string, depth int) {
		entries, truncated := s.list(at, left)
		left -= len(entries)
		if truncated {
			left, all = 0, false
		}
		for _, entry := range entries {
			name := entry.Name()
			switch {
			case name[0] == '.' || filenames.FolderProtection(path.Join(at, name)) != "":
			case entry.Type().IsRegular():
				extension := path.Ext(name)
				count[extension]++
				if at == dir && extension == ".md" && (strings.EqualFold(name, "README.md") || found.first == "" && name == "index.md") {
					found.first = name
				}
			case entry.IsDir() && depth < lookDepth && left > 0:
				walk(path.Join(at, name), depth+1)
			}
		}
	}
	walk(dir, 0)
	for _, extension := range extensions {
		if count[extension] > 0 && (extension != ".txt" || found.patterns == nil) {
			found.patterns = append(found.patterns, "**/*"+extension)
			found.files += count[extension]
		}
	}
	if !all || left <= 0 {
		found.files = 0
	}
	return found
}

// list returns the names in a folder in their order, at most limit of them.
func (s *survey) list(dir string, limit int) (entries []fs.DirEntry, truncated bool) {
	f, err := s.root.Open(dir)
	if err == nil {
		defer func() { _ = f.Close() }() // nothing was written
		entries, err = f.ReadDir(limit)
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		s.notes = append(s.notes, systemFailure(dir, err).Error())
	}
	s.names += len(entries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, len(entries) == limit
}

// name returns the name of a category for a folder, one that is still free.
func (s *survey) name(of string) string {
	name := strings.Join(strings.FieldsFunc(of, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' || !runes.Seen(r)
	}), "-")
	runes := []rune(name)
	name = string(runes[:min(len(runes), 60)])
	free := name
	for i := 2; s.taken[free]; i++ {
		free = fmt.Sprint(name, "-", i)
	}
	s.taken[free] = true
	return free
}

// isASCII reports whether a text has no other letters than those of ASCII.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
