package editing

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestLinkWhileItWaits: a link that another program puts in the place of a document, or of its
// folder, while a change waits for the lock leads no change to what it names: nobody has asked for
// that, and the links of a document that has another path are not seen.
func TestLinkWhileItWaits(t *testing.T) {
	text, line := "# New\n", "more\n"
	for name, test := range map[string]struct {
		path, link, to string // link is what becomes a link to something, empty for path
		run            func(ctx context.Context, docs documents.Set) error
	}{
		"rm": {"sub/g.md", "", "e.md", func(ctx context.Context, docs documents.Set) error {
			_, err := DeleteDocument(ctx, docs, DocumentRequest{Links: "leave"})
			return err
		}},
		"mv": {"sub/g.md", "", "e.md", func(ctx context.Context, docs documents.Set) error {
			_, err := MoveDocument(ctx, docs, DocumentRequest{To: "sub/new.md"})
			return err
		}},
		"mv to a link": {"sub/g.md", "sub/new.md", "none.md", func(ctx context.Context, docs documents.Set) error {
			_, err := MoveDocument(ctx, docs, DocumentRequest{To: "sub/new.md"})
			return err
		}},
		"mv of a folder": {"sub", "", "sub9", func(ctx context.Context, docs documents.Set) error {
			_, err := MoveDocument(ctx, docs, DocumentRequest{To: "moved"})
			return err
		}},
		"new": {"sub/new.md", "", "none.md", func(ctx context.Context, docs documents.Set) error {
			_, err := CreateDocument(ctx, docs, DocumentRequest{Content: &text})
			return err
		}},
		"edit of another kind": {"sub/g.md", "", "plain.txt", func(ctx context.Context, docs documents.Set) error {
			_, err := EditSection(ctx, docs, EditSectionRequest{Heading: "G", Action: "append", Content: &text})
			return err
		}},
		"edits of several": {"sub", "sub/g.md", "e.md", func(ctx context.Context, docs documents.Set) error {
			_, err := EditSection(ctx, docs, EditSectionRequest{Heading: "Only", Action: "append", Content: &line, ExpectedCount: 1})
			return err
		}},
		"rename": {"sub/g.md", "sub", "sub9", func(ctx context.Context, docs documents.Set) error {
			now := "Other"
			_, err := EditSection(ctx, docs, EditSectionRequest{Heading: "G", Action: "rename", Content: &now, Links: "update"})
			return err
		}},
		"move to another document": {"sub/g.md", "sub", "sub9", func(ctx context.Context, docs documents.Set) error {
			_, err := MoveSection(ctx, docs, MoveSectionRequest{Heading: "Part", Action: "move", ToPath: "sub/h.md"})
			return err
		}},
	} {
		for _, served := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " served", false: ""}[served], func(t *testing.T) {
				dir := testkit.Folder(t, map[string]string{
					"sub/plain.txt": "# G\n", "sub/g.md": "# G\n\n## Only\n\n## Part\n\ntext\n", "sub/h.md": "# H\n\n## G\n\n[g](g.md#g)\n", "sub/e.md": "# G\n\n## Only\n\n## Part\n\nprecious\n", "top.md": "[g](sub/g.md#g) and [part](sub/g.md#part)\n",
				})
				t.Chdir(dir)
				docs := documents.Set{Paths: []string{test.path}}
				if served {
					docs.Workspace = roots(t, dir)
				}
				folder := "sub"
				if test.link == "sub" {
					folder = "." // whose links change, too: in the other one the link is followed before they are looked for
				}
				lock, err := files.LockFolder(t.Context(), folder)
				if err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- test.run(t.Context(), docs) }()
				time.Sleep(100 * time.Millisecond) // it waits for the folder
				link := filepath.FromSlash(test.link)
				if link == "" {
					link = filepath.FromSlash(test.path)
				}
				if _, err := os.Lstat(link); err == nil {
					err = os.Rename(link, "sub9")
					if err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Symlink(test.to, link); err != nil {
					testkit.Missing(t, "there are no links here: "+err.Error())
				}
				before := strings.ReplaceAll(listed(t, dir), filepath.Join(dir, "moved")+"\n", "") // which it makes, and takes away
				lock.Release()
				err = <-ended
				if err == nil {
					t.Fatal("the link is followed")
				}
				if code := replies.AsError(err).Code; code != "conflict" && code != "already_exists" && code != "not_a_file" && code != "path_outside_root" {
					t.Errorf("%v", err)
				}
				if diff := cmp.Diff(before, listed(t, dir)); diff != "" {
					t.Errorf("something was changed:\n%s", diff)
				}
			})
		}
	}
}

// TestLinkToNothingYet: a link to a file that isn't there yet, and that was there before the change
// was asked for, is followed by what makes a document: nobody has put it there meanwhile.
func TestLinkToNothingYet(t *testing.T) {
	text := "# New\n"
	for name, run := range map[string]func(ctx context.Context, docs documents.Set) error{
		"new": func(ctx context.Context, docs documents.Set) error {
			docs.Paths = []string{"link.md"}
			_, err := CreateDocument(ctx, docs, DocumentRequest{Content: &text})
			return err
		},
		"mv": func(ctx context.Context, docs documents.Set) error {
			docs.Paths = []string{"from.md"}
			_, err := MoveDocument(ctx, docs, DocumentRequest{To: "link.md"})
			return err
		},
	} {
		for _, served := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " served", false: ""}[served], func(t *testing.T) {
				dir := testkit.Folder(t, map[string]string{"from.md": text, "sub/other.md": "# Other\n"})
				t.Chdir(dir)
				if err := os.Symlink(filepath.Join("sub", "made.md"), "link.md"); err != nil {
					testkit.Missing(t, "there are no links here: "+err.Error())
				}
				var docs documents.Set
				if served {
					docs.Workspace = roots(t, dir)
				}
				if err := run(t.Context(), docs); err != nil {
					t.Fatal(err)
				}
				if made, err := os.ReadFile(filepath.Join("sub", "made.md")); err != nil || string(made) != text {
					t.Errorf("%q, %v", made, err)
				}
				if info, err := os.Lstat("link.md"); err != nil || info.Mode().Type() != os.ModeSymlink {
					t.Errorf("the link is none any more: %v", err)
				}
			})
		}
	}
}
