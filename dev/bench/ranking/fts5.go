package ranking

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// fts5 is the full-text index of SQLite, by the program sqlite3.
type fts5 struct {
	file   string
	places []Place // by the number of the row, less one
}

// FTS5 returns the engine, or an error where the program sqlite3 isn't installed or has no
// full-text index.
func FTS5(ctx context.Context) (Engine, error) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		return nil, err
	}
	f := &fts5{file: ":memory:"}
	if _, err := f.run(ctx, "CREATE VIRTUAL TABLE t USING fts5(a);"); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *fts5) Name() string { return "SQLite FTS5" }

// run has statements executed and returns what they print.
func (f *fts5) run(ctx context.Context, statements string) (string, error) {
	cmd := exec.CommandContext(ctx, "sqlite3", "-batch", "-bail", f.file)
	cmd.Stdin = strings.NewReader(statements)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("sqlite3: %w: %.500s", err, exit.Stderr)
	}
	return string(out), err
}

func (f *fts5) Load(ctx context.Context, folder string, docs []Document) error {
	f.file = filepath.Join(folder, "sections.db")
	var s strings.Builder
	s.WriteString("CREATE VIRTUAL TABLE s USING fts5(title, around, path, body, tokenize='porter unicode61');\nBEGIN;\n")
	for _, d := range docs {
		sections, err := sectionsOf(d)
		if err != nil {
			return err
		}
		for i := range sections {
			c := &sections[i]
			f.places = append(f.places, c.Place)
			fmt.Fprintf(&s, "INSERT INTO s(rowid, title, around, path, body) VALUES(%d, %s, %s, %s, %s);\n",
				len(f.places), quoted(c.Title), quoted(c.Breadcrumb), quoted(pathWords(c.Path)), quoted(c.Body))
		}
	}
	// All in one, so that no query has to look in several.
	s.WriteString("COMMIT;\nINSERT INTO s(s) VALUES('optimize');\n")
	_, err := f.run(ctx, s.String())
	return err
}

// quoted writes a text for SQL. It must have no NUL byte.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (f *fts5) Knobs() []Knob {
	return []Knob{
		{"title", 1, []float64{1, 2, 3, 5, 8, 12, 20, 40}, 2},
		{"around", 1, []float64{0, 0.1, 0.25, 0.5, 1, 2}, 0},
		{"path", 1, []float64{0, 0.1, 0.25, 0.5, 1, 2}, 1},
		{"all words first", 0, []float64{0, 1}, 1},
		// Besides the words: nothing, all side by side, these in the title, or at its start.
		{"phrase", 0, []float64{0, 1, 2, 3}, 3},
		{"stop words left out", 0, []float64{0, 1}, 0},
	}
}

func (f *fts5) Answers(ctx context.Context, texts []string, settings []float64) ([][]Place, error) {
	var s strings.Builder
	for _, text := range texts {
		s.WriteString("SELECT 'query';\n" + fts5Select(text, settings) + "\n")
	}
	out, err := f.run(ctx, s.String())
	if err != nil {
		return nil, err
	}
	var all [][]Place
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if line == "query" {
			all = append(all, nil)
			continue
		}
		row, err := strconv.Atoi(line)
		if err != nil || row < 1 || row > len(f.places) {
			return nil, fmt.Errorf("sqlite3 prints %q where the number of a row was expected", line)
		}
		last := &all[len(all)-1]
		*last = append(*last, f.places[row-1])
	}
	return all, nil
}

// fts5Select is the statement for a query.
func fts5Select(text string, settings []float64) string {
	words := wordsOf(text, settings[5] > 0)
	if len(words) == 0 {
		return ""
	}
	match := strings.Join(words, " OR ")
	if phrase := strings.Join(words, " + "); len(words) > 1 || settings[4] > 2 {
		match += []string{"", " OR (" + phrase + ")", " OR title : (" + phrase + ")", " OR title : (^ " + phrase + ")"}[int(settings[4])]
	}
	order := ""
	if settings[3] > 0 && len(words) > 1 {
		order = fmt.Sprintf("rowid IN (SELECT rowid FROM s WHERE s MATCH %s) DESC, ", quoted(strings.Join(words, " AND ")))
	}
	return fmt.Sprintf("SELECT rowid FROM s WHERE s MATCH %s ORDER BY %sbm25(s, %g, %g, %g, 1) LIMIT %d;",
		quoted(match), order, settings[0], settings[1], settings[2], Most)
}

// wordsOf returns the words of a text, each as a string of a query of FTS5. Stop words are
// left out if that is asked for and there are others.
func wordsOf(text string, leaveOut bool) []string {
	var all, others []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		all = append(all, `"`+w+`"`)
		if !stopWords[strings.ToLower(w)] {
			others = append(others, `"`+w+`"`)
		}
	}
	if leaveOut && len(others) > 0 {
		return others
	}
	return all
}

// stopWords are those that Lucene leaves out of English texts.
var stopWords = func() map[string]bool {
	list := map[string]bool{}
	for w := range strings.FieldsSeq("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with") {
		list[w] = true
	}
	return list
}()
