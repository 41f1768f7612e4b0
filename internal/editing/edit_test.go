package editing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// host makes a file and returns the request's documents.
func host(t *testing.T, name, text string) documents.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.WriteFile(t, path, text)
	return documents.Set{Paths: []string{path}}
}

// holds fails the test unless the document holds the text.
func holds(t *testing.T, docs documents.Set, want string) {
	t.Helper()
	if diff := cmp.Diff(want, content(t, docs)); diff != "" {
		t.Errorf("the document (-want +got):\n%s", diff)
	}
}

// content returns what the document holds.
func content(t *testing.T, docs documents.Set) string {
	t.Helper()
	text, err := os.ReadFile(docs.Paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// hashIn is the hash of what an address stands for in a text.
func hashIn(t *testing.T, text, addr string) string {
	t.Helper()
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	res, err := address.Resolve(doc, addr)
	if err != nil {
		t.Fatal(err)
	}
	return markdown.Hash(doc.Text(res.Span(doc)))
}

// refusedWith fails the test unless the error has the code and says that nothing was
// written.
func refusedWith(t *testing.T, err error, code string) {
	t.Helper()
	e, ok := errors.AsType[*replies.Error](err)
	if !ok || e.Code != code || !strings.HasSuffix(e.Message.String(), "; nothing was written") {
		t.Fatalf("got %v, want the code %s", err, code)
	}
}

// What is no Markdown by its own name and the one that was given is changed as text,
// if that is allowed; what is by one of them is Markdown, and the same is allowed.
func TestEditHostFiles(t *testing.T) {
	const text = "# A\n\none\n"
	for _, tt := range []struct {
		name, link string
		textFiles  bool
		code       string // of an edit of a text
		section    string // of an edit of a section
	}{
		{"a.md", "", false, "", ""},
		{"a.MARKDOWN", "", false, "", ""},
		{"a.txt", "", false, "not_a_file", "not_a_file"},
		{"a.txt", "", true, "", "invalid_argument"},
		{"a.md", "README", false, "not_a_file", "not_a_file"},
		{"a.md", "README", true, "", ""},
		{"a.txt", "a.md", false, "not_a_file", "not_a_file"},
		{"a.txt", "a.md", true, "", ""},
		{"a.md", "b.md", false, "", ""},
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			docs := host(t, tt.name, text)
			file := docs.Paths[0]
			if tt.link != "" {
				docs.Paths[0] = filepath.Join(t.TempDir(), tt.link)
				if err := os.Symlink(file, docs.Paths[0]); err != nil {
					t.Skip(err)
				}
			}
			options := EditOptions{TextFiles: tt.textFiles}
			_, err := EditFile(t.Context(), docs, EditFileRequest{
				Edit: sent.Edit{OldString: new("one"), NewString: new("two")}, EditOptions: options,
			})
			switch {
			case tt.code != "":
				refusedWith(t, err, tt.code)
				holds(t, docs, text)
			case err != nil:
				t.Error(err)
			default:
				holds(t, docs, "# A\n\ntwo\n")
			}
			_, err = EditSection(t.Context(), docs, EditSectionRequest{
				Heading: "A", Action: "replace", Content: new("three"), EditOptions: options,
			})
			switch {
			case tt.section != "":
				refusedWith(t, err, tt.section)
			case err != nil:
				t.Error(err)
			default:
				holds(t, docs, "# A\n\nthree\n")
			}
			if info, err := os.Lstat(docs.Paths[0]); err != nil || tt.link != "" && info.Mode().IsRegular() {
				t.Errorf("the link has become %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestEditOneDocument(t *testing.T) {
	for _, paths := range [][]string{nil, {"a.md", "b.md"}} {
		_, err := EditSection(t.Context(), documents.Set{Paths: paths}, EditSectionRequest{Heading: "A", Action: "remove"})
		refusedWith(t, err, "invalid_argument")
	}
	_, err := EditSection(t.Context(), documents.Set{Paths: []string{"-"}, Stdin: strings.NewReader("# A")}, EditSectionRequest{Heading: "A", Action: "remove"})
	refusedWith(t, err, "invalid_argument")
}

// A document that an edit would make too large stays as it is.
func TestEditTooLarge(t *testing.T) {
	docs := host(t, "a.md", "# A\n\none\n")
	docs.MaxBytes = 20
	req := EditSectionRequest{Heading: "A", Action: "append", Content: new(strings.Repeat("x", 20))}
	_, err := EditSection(t.Context(), docs, req)
	refusedWith(t, err, "file_too_large")
	holds(t, docs, "# A\n\none\n")
}

// A request whose time is over before it has the lock writes nothing.
func TestEditCancelled(t *testing.T) {
	docs := host(t, "a.md", "# A\n\none\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := EditSection(ctx, docs, EditSectionRequest{Heading: "A", Action: "append", Content: new("x")})
	if refusedWith(t, err, "io_error"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	holds(t, docs, "# A\n\none\n")
}

// 64 goroutines change 16 sections of one file: every edit is there.
func TestEditsOfOneProcess(t *testing.T) {
	const sections, editors = 16, 64
	dir := t.TempDir()
	var text strings.Builder
	for i := range sections {
		fmt.Fprintf(&text, "## Part %d.\n\nText.\n\n", i)
	}
	path := filepath.Join(dir, "a.md")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var running sync.WaitGroup
	for who := range editors {
		running.Go(func() {
			docs := documents.Set{Paths: []string{"a.md"}, Workspace: w}
			if who%2 > 0 {
				docs = documents.Set{Paths: []string{path}}
			}
			_, err := EditSection(t.Context(), docs, EditSectionRequest{
				Heading: fmt.Sprintf("## Part %d.", who%sections), Action: "append", Content: new(fmt.Sprintf("Edit %d.", who)),
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for who := range editors {
		_, section, _ := strings.Cut(string(got), fmt.Sprintf("## Part %d.\n", who%sections))
		section, _, _ = strings.Cut(section, "\n## ")
		if n := strings.Count(section, fmt.Sprintf("\nEdit %d.\n", who)); n != 1 {
			t.Errorf("edit %d is there %d times", who, n)
		}
	}
}

// served returns a folder with a document, a.md, and that document in a workspace, which
// remembers what was read.
func served(t *testing.T, text string) (dir string, docs documents.Set) {
	t.Helper()
	dir = testkit.Folder(t, map[string]string{"a.md": text})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return dir, documents.Set{Paths: []string{"a.md"}, Workspace: w, Session: session.New()}
}

// A write to what was not read carries a warning; what is written counts as read.
func TestEditWarnsOfUnread(t *testing.T) {
	const text = "# A\n\none\n\n# B\n\ntwo\n"
	dir, docs := served(t, text)
	edit := func(heading, content string, dry bool, want string) {
		t.Helper()
		reply, err := EditSection(t.Context(), docs, EditSectionRequest{
			Heading: heading, Action: "replace", Content: new(content), EditOptions: EditOptions{DryRun: dry},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for line := range strings.Lines(string(reply.Head)) {
			if warning, ok := strings.CutPrefix(line, "warning: "); ok {
				got += warning
			}
		}
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("warned with %q, want %q", got, want)
		}
	}
	edit("A", "1", true, "the part that was changed had not been read: ")
	edit("A", "1", false, "the part that was changed had not been read: ")
	edit("A", "2", false, "")
	edit("B", "3", true, "the part that was changed had not been read: ")
	edit("B", "3", false, "the part that was changed had not been read: ")
	edit("A", "4", false, "")
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n\n4\n\n# B\n\nother\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	edit("A", "5", false, "")
	edit("B", "6", false, "the part that was changed had not been read: ")
}

// TestEditProvenIsNoSurprise says nothing of what is unread where the exact text, a hash or
// the version shows that it is known, and nothing where nothing is overwritten.
func TestEditProvenIsNoSurprise(t *testing.T) {
	const text = "# A\n\none\n\n# B\n\ntwo\n"
	hash := markdown.Hash([]byte("# A\n\none"))
	for name, req := range map[string]EditFileRequest{
		"text":    {Edit: sent.Edit{OldString: new("one"), NewString: new("1")}},
		"hash":    {Edits: []sent.Edit{{Heading: "A", Action: "replace", Content: new("1"), ExpectedHash: "#" + hash}}},
		"version": {Edits: []sent.Edit{{Heading: "A", Action: "replace", Content: new("1")}}},
		"append":  {Edits: []sent.Edit{{Heading: "A", Action: "append", Content: new("1")}}},
	} {
		_, docs := served(t, text)
		if name == "version" {
			doc, err := docs.Open("a.md")
			if err != nil {
				t.Fatal(err)
			}
			req.ExpectedVersion = "#" + doc.Version()
		}
		reply, err := EditFile(t.Context(), docs, req)
		if err != nil || strings.Contains(string(reply.Head), "warning") {
			t.Errorf("%s: %v, %+v", name, err, reply)
		}
	}
}

// TestBlankGuards sends guards of blanks, which are no hash and no version.
func TestBlankGuards(t *testing.T) {
	const text = "# A\n\none\n"
	docs := host(t, "a.md", text)
	item := sent.Edit{Heading: "A", Action: "append", Content: new("x"), ExpectedHash: " \t"}
	words := sent.Edit{OldString: new("one"), NewString: new("x"), Heading: "A", ExpectedHash: "  "}
	for name, try := range map[string]func() (*EditReply, error){
		"section": func() (*EditReply, error) {
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "A", Action: "append", Content: new("x"), ExpectedHash: " "})
		},
		"text": func() (*EditReply, error) { return EditFile(t.Context(), docs, EditFileRequest{Edit: words}) },
		"list": func() (*EditReply, error) {
			return EditFile(t.Context(), docs, EditFileRequest{Edits: []sent.Edit{item, words}})
		},
		"version": func() (*EditReply, error) {
			return EditFile(t.Context(), docs, EditFileRequest{Edit: sent.Edit{OldString: new("one"), NewString: new("x")}, ExpectedVersion: " "})
		},
	} {
		_, err := try()
		if e, ok := errors.AsType[*replies.Error](err); !ok || !e.Usage() || !strings.Contains(err.Error()+strings.Join(e.Lines(), "\n"), "is empty; leave it out or give the") {
			t.Errorf("%s: %v", name, err)
		}
		holds(t, docs, text)
	}
}

// TestEditTellsWhatIsKept finds what a killed process has left of another program's save:
// replies and errors name the file that it is kept in.
func TestEditTellsWhatIsKept(t *testing.T) {
	docs := host(t, "a.md", "# A\n\ntext\n")
	leave := func() {
		random, hash := strings.Repeat("A", 26), strings.Repeat("B", 26)
		name := ".sectile-" + random + "-" + hash + "-" + hash + "-a.md.held"
		if err := os.WriteFile(filepath.Join(filepath.Dir(docs.Paths[0]), name), []byte("foreign"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := "more\n"
	req := EditSectionRequest{Heading: "# A", Action: "append", Content: &text}
	leave()
	reply, err := EditSection(t.Context(), docs, req)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(reply.Head), `kept as "`+filepath.ToSlash(filepath.Join(filepath.Dir(docs.Paths[0]), "a.kept-1.md"))+`"`) || !strings.Contains(string(reply.JSON), `"kept":[`) {
		t.Errorf("got %s and %s", reply.Head, reply.JSON)
	}
	holds(t, docs, "# A\n\ntext\n\nmore\n")
	leave()
	req.ExpectedHash = hashIn(t, content(t, docs), "# A")
	if reply, err = EditSection(t.Context(), docs, req); err != nil || !strings.Contains(string(reply.Head), "a.kept-2.md") {
		t.Errorf("%v, %v", reply, err)
	}
}
