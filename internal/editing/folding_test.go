package editing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestNamesInAnotherCase: where the system finds a document by names that aren't listed, a change
// by such a name sees the links to it by any, tells its own, and refuses what it refuses by that.
func TestNamesInAnotherCase(t *testing.T) {
	const nfc, nfd = "\u00c4b.md", "A\u0308b.md"
	text := map[string]string{
		"Docs/Guide.md": "# Guide\n\n## Setup\n\nsee [x](Other.md#top) and [me](#setup)\n\n## Rest\n",
		"Docs/Other.md": "# Top\n\n[a](Guide.md#setup) [b](guide.md#setup) [c](../DOCS/GUIDE.md#setup)\n",
		"README.md":     "# R\n\n[a](Docs/Guide.md#setup) [b](docs/guide.md#setup) [c](Docs/)\n",
		nfc:             "# Name\n", "names.md": "[a](" + nfc + ") [b](%C3%84b.md) [c](" + nfd + ")\n",
	}
	mv := func(path, to string) func(docs documents.Set) (*EditReply, error) {
		return func(docs documents.Set) (*EditReply, error) {
			docs.Paths = []string{path}
			return MoveDocument(t.Context(), docs, DocumentRequest{To: to})
		}
	}
	rename := func(path, links string) func(docs documents.Set) (*EditReply, error) {
		return func(docs documents.Set) (*EditReply, error) {
			docs.Paths = []string{path}
			title := "Install"
			return EditSection(t.Context(), docs, EditSectionRequest{Heading: "Setup", Action: "rename", Content: &title, Links: links})
		}
	}
	links := strings.NewReplacer("Docs/Guide.md#setup", "New/Guide.md#setup", "docs/guide.md#setup", "New/Guide.md#setup").Replace(text["README.md"])
	anchors := strings.NewReplacer("#setup", "#install").Replace
	for name, tt := range map[string]struct {
		change func(docs documents.Set) (*EditReply, error)
		reply  string // what the reply or the error begins with
		after  map[string]string
		gone   []string
	}{
		"move": {
			mv("docs/guide.md", "New/"), "New/Guide.md moved from Docs/Guide.md, ",
			map[string]string{
				"README.md": links, "Docs/Other.md": "# Top\n\n[a](../New/Guide.md#setup) [b](../New/Guide.md#setup) [c](../New/Guide.md#setup)\n",
				"New/Guide.md": "# Guide\n\n## Setup\n\nsee [x](../Docs/Other.md#top) and [me](#setup)\n\n## Rest\n",
			},
			[]string{"Docs/Guide.md"},
		},
		"move by its own name": {
			mv("Docs/Guide.md", "New/Guide.md"), "New/Guide.md moved from Docs/Guide.md, ", map[string]string{"README.md": links}, []string{"Docs/Guide.md"},
		},
		"move into a folder in another case": {
			mv("docs/guide.md", "docs/Deep/Guide.md"), "Docs/Deep/Guide.md moved from Docs/Guide.md, ",
			map[string]string{"README.md": strings.NewReplacer("Docs/Guide.md", "Docs/Deep/Guide.md", "docs/guide.md", "Docs/Deep/Guide.md").Replace(text["README.md"])},
			nil,
		},
		"move to another case": {mv("docs/guide.md", "docs/GUIDE.md"), "already_exists: docs/GUIDE.md: there is a file already; choose another path, or edit that; if it is the same file", nil, nil},
		"move a folder": {
			mv("docs", "New"), "New moved from Docs, 2 documents",
			map[string]string{
				"README.md":    "# R\n\n[a](New/Guide.md#setup) [b](New/Guide.md#setup) [c](New/)\n",
				"New/Other.md": "# Top\n\n[a](Guide.md#setup) [b](Guide.md#setup) [c](Guide.md#setup)\n",
			},
			[]string{"Docs"},
		},
		"move a folder into itself": {mv("Docs", "docs/Sub"), "invalid_argument: Docs: a folder can't move into itself; nothing", nil, nil},
		"move a folder to another case": {
			mv("docs", "DOCS"), "already_exists: DOCS: there is a file already; choose another path, or edit that; if it is the same file", nil, nil,
		},
		"move by another form": {mv(nfd, "c.md"), "c.md moved from " + nfc, map[string]string{"names.md": "[a](c.md) [b](c.md) [c](c.md)\n"}, []string{nfc}},
		"rename refused":       {rename("docs/guide.md", ""), "links_would_break: Docs/Guide.md: 6 links ", nil, nil},
		"rename": {
			rename("docs/guide.md", "update"), "Docs/Guide.md:3-",
			map[string]string{"README.md": anchors(text["README.md"]), "Docs/Other.md": anchors(text["Docs/Other.md"])},
			nil,
		},
		"rename in several": {
			rename("docs/*.md", "update"), "", map[string]string{"README.md": text["README.md"]}, nil, // it is the preview
		},
		"delete": {func(docs documents.Set) (*EditReply, error) {
			docs.Paths = []string{"DOCS/guide.MD"}
			return DeleteDocument(t.Context(), docs, DocumentRequest{})
		}, "links_would_break: Docs/Guide.md: 5 links ", nil, nil},
		"create": {func(docs documents.Set) (*EditReply, error) {
			docs.Paths = []string{"docs/guide.md"}
			return CreateDocument(t.Context(), docs, DocumentRequest{Content: new(string)})
		}, "already_exists: Docs/Guide.md: ", nil, nil},
		"move a section": {func(docs documents.Set) (*EditReply, error) {
			docs.Paths = []string{"docs/guide.md"}
			return MoveSection(t.Context(), docs, MoveSectionRequest{Heading: "Setup", Action: "move", ToPath: "docs/other.md"})
		}, "Docs/Other.md:", map[string]string{
			"README.md":     "# R\n\n[a](Docs/Other.md#setup) [b](Docs/Other.md#setup) [c](Docs/)\n",
			"Docs/Guide.md": "# Guide\n\n## Rest\n",
		}, nil},
	} {
		for _, served := range []bool{false, true} {
			t.Run(name+map[bool]string{false: "", true: " below roots"}[served], func(t *testing.T) {
				dir := testkit.FoldingFolder(t, text)
				if _, err := os.Lstat(filepath.Join(dir, nfd)); err != nil && strings.Contains(name, "form") {
					t.Skip("the file system of temporary files tells Unicode forms apart")
				}
				var docs documents.Set
				if t.Chdir(dir); served {
					docs.Workspace = roots(t, dir)
				}
				before := listed(t, dir)
				reply, err := tt.change(docs)
				var said string
				if err != nil {
					said = err.Error()
				} else {
					said = string(reply.Head)
				}
				if !strings.HasPrefix(said, tt.reply) {
					t.Errorf("it says %s", said)
				}
				for path, want := range tt.after {
					if got, err := os.ReadFile(path); err != nil || string(got) != want {
						t.Errorf("%s: %v\n%s", path, err, got)
					}
				}
				for _, path := range tt.gone {
					if _, err := os.Lstat(path); err == nil {
						t.Errorf("%s is there", path)
					}
				}
				if now := listed(t, dir); tt.after == nil && now != before {
					t.Errorf("there is\n%s, and was\n%s", now, before)
				}
			})
		}
	}
}
