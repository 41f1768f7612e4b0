package finding

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// afterwards does something when sections have been found and before they are shown.
type afterwards struct {
	finder
	do func()
}

func (f *afterwards) find(s *searching, most int) (*found, error) {
	out, err := f.finder.find(s, most)
	if f.do != nil {
		f.do()
		f.do = nil
	}
	return out, err
}

// TestReplacedRoot replaces the folder that is searched when what is in it has been found: a
// command shows what is there now, and a server nothing of the folder that came in the place of
// its own. Neither shows a line that isn't there any more.
func TestReplacedRoot(t *testing.T) {
	for _, match := range Matches() {
		for _, server := range []bool{false, true} {
			parent := t.TempDir()
			dir := filepath.Join(parent, "root")
			testkit.Crowd(t, "# Old\n\nneedle of old\n", []string{filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")})
			set, want := documents.Set{Paths: []string{dir}}, "a.md:1-4 "
			if server {
				w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { w.Close() })
				set, want = documents.Set{Workspace: w}, "the folder that the server reads in was removed or replaced"
			}
			s := &searching{ctx: t.Context(), docs: set, req: SearchRequest{Query: "needle", Match: match}}
			find, err := s.finder()
			if err != nil {
				t.Fatal(err)
			}
			reply, err := s.settled(&afterwards{find, func() {
				if err := os.Rename(dir, filepath.Join(parent, "away")); err != nil {
					t.Error(err)
				}
				testkit.Crowd(t, "# New\n\n\nneedle of new\n", []string{filepath.Join(dir, "a.md")})
			}})
			var text string
			if err != nil {
				text = err.Error()
			} else {
				text = string(reply.Text)
			}
			if !strings.Contains(text, want) || strings.Contains(text, "needle of old") || strings.Contains(text, "needle of new") == server {
				t.Errorf("%s, server %v: %s", match, server, text)
			}
		}
	}
}

// TestNothingToSearch: what can't be searched for, or where there is nothing to search, is an
// error that says what to do, and never an answer that nothing was found.
func TestNothingToSearch(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# One\n\nalpha word\n"})
	for _, c := range []struct {
		req  SearchRequest
		want string
	}{
		{SearchRequest{}, "the query has no word to look for; write words of what you look for"},
		{SearchRequest{Query: " \t"}, "the query has no word to look for"},
		{SearchRequest{Query: `"" - *`}, "the query has no word to look for"},
		{SearchRequest{Match: MatchText}, "the query is empty; write the text to look for"},
		{SearchRequest{Match: MatchRegex}, "the query is empty; write the text to look for"},
		{SearchRequest{Query: "alpha\nword", Match: MatchText}, "a line has no line ending in it"},
		{SearchRequest{Query: "[", Match: MatchRegex}, "missing closing ]: `[`"},
		{SearchRequest{Query: "((x{100}){100}){100}", Match: MatchRegex}, "repeats something more than 1000 times, counted with what is repeated in it"},
		{SearchRequest{Query: strings.Repeat("x", 1001), Match: MatchRegex}, "it has 1001 bytes, and 1000 is the most"},
		{SearchRequest{Query: strings.Repeat("(", 999) + ")", Match: MatchRegex}, "the regular expression can't be used: "},
		{SearchRequest{Query: "path:nowhere alpha"}, `none of 1 document has a path that the query names with "path:"; change it, or leave it out`},
	} {
		if got, err := answerOf(t, dir, c.req); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %q, %v", c.req, got, err)
		}
	}
	for path, want := range map[string]string{"zz*.md": "the pattern matches no Markdown file", "nothing": "file_not_found", "empty": "no Markdown file"} {
		if path == "empty" {
			if err := os.Mkdir(filepath.Join(dir, path), 0o750); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := answerOf(t, filepath.Join(dir, path), SearchRequest{Query: "alpha"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}
