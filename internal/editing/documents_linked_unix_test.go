//go:build unix

package editing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestMovesThroughLinks: the links of what moves to a new path through a symbolic link are counted from
// where its file will lie, in a preview too; a command follows links out of the project.
func TestMovesThroughLinks(t *testing.T) {
	for _, served := range []bool{false, true} {
		for _, c := range []struct{ to, folder, file, link string }{
			{"deep/x.md", "deep/n", "sub/deeper/x.md", "../../b.md"},
			{"deep/new/x.md", "deep/new/n", "sub/deeper/new/x.md", "../../../b.md"},
			{"gone.md", "", "sub/y.md", "../b.md"},
			{"out/x.md", "out/n", "../other/far/x.md", "../../p/b.md"},
		} {
			if served && strings.HasPrefix(c.file, "..") {
				continue
			}
			below := filepath.Join(filepath.Dir(c.file), "n", "a.md")
			for what, move := range map[string]func(docs documents.Set, o EditOptions) (*EditReply, error){
				"document": func(docs documents.Set, o EditOptions) (*EditReply, error) {
					docs.Paths = []string{"a.md"}
					return MoveDocument(t.Context(), docs, DocumentRequest{To: c.to, EditOptions: o})
				},
				"section": func(docs documents.Set, o EditOptions) (*EditReply, error) {
					docs.Paths = []string{"a.md"}
					return MoveSection(t.Context(), docs, MoveSectionRequest{Heading: "A", Action: "move", ToPath: c.to, Create: true, EditOptions: o})
				},
				"folder": func(docs documents.Set, o EditOptions) (*EditReply, error) {
					docs.Paths = []string{"f"}
					return MoveDocument(t.Context(), docs, DocumentRequest{To: c.folder, EditOptions: o})
				},
			} {
				if what == "folder" && c.folder == "" {
					continue
				}
				name, link := c.file, c.link
				if what == "folder" {
					name, link = below, "../"+c.link
				}
				t.Run(what+" "+c.to, func(t *testing.T) {
					dir := filepath.Join(testkit.Folder(t, map[string]string{
						"p/a.md": "# A\n\n[b](b.md)\n", "p/b.md": "# B\n", "p/f/a.md": "# A\n\n[b](../b.md)\n", "p/sub/deeper/k.md": "# K\n",
						"p/.sectile.yaml": "categories: {}\n", "other/far/k.md": "# K\n",
					}), "p")
					for name, to := range map[string]string{"deep": "sub/deeper", "gone.md": "sub/y.md", "out": "../other/far"} {
						if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
							t.Fatal(err)
						}
					}
					t.Chdir(dir)
					var docs documents.Set
					if served {
						docs.Workspace = roots(t, dir)
					}
					want := "[b](" + link + ")"
					reply, err := move(docs, EditOptions{DryRun: true})
					if err != nil {
						t.Fatal(err)
					}
					if !strings.Contains(string(reply.Diff), "+"+want) {
						t.Errorf("served: %t, preview: want %s in %s", served, want, reply.Diff)
					}
					if _, err := move(docs, EditOptions{}); err != nil {
						t.Fatal(err)
					}
					text, err := os.ReadFile(filepath.Join(dir, name))
					if err != nil || !strings.Contains(string(text), want) {
						t.Errorf("served: %t: %v, want %s in %q", served, err, want, text)
					}
				})
			}
		}
	}
}

// TestMovesLeaveOtherCase: where case counts, a link in another case than the document that moves leads to
// nothing, or to what has that name, and stays; so does one in another normal form of Unicode.
func TestMovesLeaveOtherCase(t *testing.T) {
	const links = "[x](B.md) [y](D/b.md) [z](e\u0301.md)"
	for _, served := range []bool{false, true} {
		for what, there := range map[string]func(name string) error{
			"nothing":    func(string) error { return nil },
			"a document": func(string) error { return nil },
			"a folder":   func(name string) error { return os.Mkdir(name, 0o700) },
			"a link":     func(name string) error { return os.Symlink("../other", name) },
		} {
			dir := filepath.Join(testkit.Folder(t, map[string]string{
				"p/.sectile.yaml": "", "p/a.md": links + " [b](b.md)\n", "p/b.md": "# B\n", "p/x.md": "# X\n", "p/d/b.md": "# B\n", "p/\u00e9.md": "# E\n", "other/b.md": "# O\n",
			}), "p")
			t.Chdir(dir)
			if _, err := os.Lstat("B.md"); err == nil {
				t.Skip("case doesn't count here")
			}
			for _, name := range []string{"B.md", "D"} {
				if err := there(name); err != nil {
					t.Fatal(err)
				}
			}
			var docs documents.Set
			if served {
				docs.Workspace = roots(t, dir)
			}
			moves := [][2]string{{"b.md", "z/c.md"}, {"d", "z/d"}, {"\u00e9.md", "z/e.md"}}
			if what == "a document" {
				moves = slices.Insert(moves, 0, [2]string{"x.md", "B.md"})
			}
			for _, move := range moves {
				docs.Paths = []string{move[0]}
				if _, err := MoveDocument(t.Context(), docs, DocumentRequest{To: move[1]}); err != nil {
					t.Fatal(err)
				}
			}
			if text, err := os.ReadFile("a.md"); err != nil || string(text) != links+" [b](z/c.md)\n" {
				t.Errorf("served: %t, %s: %v, %q", served, what, err, text)
			}
		}
	}
}
