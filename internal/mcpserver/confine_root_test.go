package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

// What a root that is well meant holds: the lower half of a protected name, folders of
// coding agents, and the user's own configuration by a name that isn't hidden.

// TestRootsHideByTheirOwnName has a server whose root is the upper half of names that are
// protected: neither differences nor completions tell what is below them.
func TestRootsHideByTheirOwnName(t *testing.T) {
	for _, store := range []string{"git", "jj"} {
		t.Run(store, func(t *testing.T) {
			dir := planned(t, store)
			for path, text := range map[string]string{
				".config/gh/hosts.yml": "oauth_token: hidden\n", ".config/gh/hosts.md": "hidden\n", ".config/app/a.md": "# A\n\nopen words\n",
			} {
				writeFile(t, filepath.Join(dir, filepath.FromSlash(path)), text)
			}
			if store == "git" {
				runIn(t, dir, "git", "add", "-Af")
			}
			session := connect(t, start(t, doctor.ServerOptions{Roots: []string{filepath.Join(dir, ".config")}}), "", nil)
			text := do(t, session, toolGather, object{"include_diff": true})
			shows(t, text, "app/a.md", "+open words", "that may not be read here")
			for _, no := range []string{"hidden", "hosts"} {
				if strings.Contains(text, no) {
					t.Errorf("%q is in\n%s", no, text)
				}
			}
			for _, typed := range []string{"", "h", "gh/"} {
				result, err := session.Complete(t.Context(), &mcp.CompleteParams{
					Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: promptReview},
					Argument: mcp.CompleteParamsArgument{Name: "file_path", Value: typed},
				})
				if err != nil || strings.Contains(strings.Join(result.Completion.Values, " "), "hosts") {
					t.Errorf("%q: %+v, %v", typed, result, err)
				}
			}
		})
	}
}

// TestDifferencesHideTheJournal has the user's journal of changes below a root by another name than
// its own, in a commit too: what read_file refuses no difference has.
func TestDifferencesHideTheJournal(t *testing.T) {
	for _, store := range []string{"git", "jj"} {
		t.Run(store, func(t *testing.T) {
			dir := planned(t, store)
			for path, text := range map[string]string{"store/journal/n.md": "# N\n\nhidden1\n", "store/journal/copies/0": "hidden2\n", "store/journal/kept": "hidden3\n", "a.md": "# A\n"} {
				writeFile(t, filepath.Join(dir, filepath.FromSlash(path)), text)
			}
			if store == "git" {
				runIn(t, dir, "git", "add", "-A")
				runIn(t, dir, "git", "commit", "-qm", "x")
			} else {
				runIn(t, dir, "jj", "commit", "-m", "x")
			}
			state := t.TempDir()
			if err := os.Symlink(filepath.Join(dir, "store"), filepath.Join(state, "sectile")); err != nil {
				t.Skip(err) // Windows lets few users make links
			}
			t.Setenv("XDG_STATE_HOME", state)
			for _, path := range []string{"n.md", "copies"} {
				if err := os.RemoveAll(filepath.Join(dir, "store", "journal", path)); err != nil {
					t.Fatal(err)
				}
			}
			writeFile(t, filepath.Join(dir, "store", "journal", "kept"), "hidden4\n")
			writeFile(t, filepath.Join(dir, "a.md"), "# A\n\nopen words\n")
			session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
			gathered := do(t, session, toolGather, object{"include_diff": true})
			shows(t, gathered, "a.md", "+open words", "3 that may not be read here")
			against := map[string]string{"git": "HEAD", "jj": "@-"}[store]
			compared, _ := ask(t, session, toolDiff, object{"path": ".", "against": against, "diff": true})
			shows(t, compared, "+open words")
			one, _ := ask(t, session, toolDiff, object{"path": "store/journal/n.md", "against": against, "diff": true})
			for _, no := range []string{"hidden", "n.md:1", "journal/copies", "journal/kept"} {
				if text := gathered + compared + one; strings.Contains(text, no) {
					t.Errorf("%q is in\n%s", no, text)
				}
			}
		})
	}
}

// TestDifferencesOfAReplacedRoot has a folder take the place of one of two roots: no difference has
// what is in it.
func TestDifferencesOfAReplacedRoot(t *testing.T) {
	for _, store := range []string{"git", "jj"} {
		t.Run(store, func(t *testing.T) {
			dir := planned(t, store)
			one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
			for _, path := range []string{one, two} {
				writeFile(t, filepath.Join(path, filepath.Base(path)+".md"), "# A\n")
			}
			if store == "git" {
				runIn(t, dir, "git", "add", "-A")
				runIn(t, dir, "git", "commit", "-qm", "x")
			} else {
				runIn(t, dir, "jj", "commit", "-m", "x")
			}
			session := connect(t, start(t, doctor.ServerOptions{Roots: []string{one, two}}), "", nil)
			do(t, session, toolGather, object{"include_diff": true})
			if err := os.Rename(two, filepath.Join(t.TempDir(), "old")); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(two, "two.md"), "# A\n\nhidden\n")
			writeFile(t, filepath.Join(one, "one.md"), "# A\n\nopen words\n")
			text := do(t, session, toolGather, object{"include_diff": true})
			shows(t, text, "one.md", "+open words", "and 1 that may not be read here")
			if strings.Contains(text, "hidden") || strings.Contains(text, "two.md") {
				t.Errorf("it is told of:\n%s", text)
			}
		})
	}
}

// TestAgentsFoldersOfARootAreNotWritten edits what coding agents obey below a root .github.
func TestAgentsFoldersOfARootAreNotWritten(t *testing.T) {
	dir := docs(t, map[string]string{"docs/a.md": "# A\n", ".github/prompts/a.md": "# T\n\ntext\n", ".github/a.md": "# T\n\ntext\n"})
	for _, roots := range [][]string{{".github"}, {"docs", ".github"}} {
		o := doctor.ServerOptions{}
		for _, root := range roots {
			o.Roots = append(o.Roots, filepath.Join(dir, root))
		}
		session := connect(t, start(t, o), "", nil)
		text, failed := ask(t, session, "edit_file", object{"path": "prompts/a.md", "old_string": "text", "new_string": "written"})
		if !failed || !strings.Contains(text, "coding agents") {
			t.Errorf("%v: %s", roots, text)
		}
		if text, err := os.ReadFile(filepath.Join(dir, ".github", "prompts", "a.md")); err != nil || strings.Contains(string(text), "written") {
			t.Errorf("%v: %q, %v", roots, text, err)
		}
		if text, failed := ask(t, session, "edit_file", object{"path": filepath.Join(dir, ".github", "a.md"), "old_string": "text", "new_string": "more text"}); failed {
			t.Errorf("%v: beside it nothing is written: %s", roots, text)
		}
	}
}

// TestUserConfigurationIsNotWritten has a root that holds the user's own configuration by
// names that aren't hidden: who may write there could have a server open any folder.
func TestUserConfigurationIsNotWritten(t *testing.T) {
	const before = "# none\n"
	for _, c := range []struct{ name, root, path, text string }{
		{"the folder itself", "dotfiles/config", "sectile/config.yaml", before},
		{"above it", "dotfiles", "config/sectile/config.yaml", before},
		{"a plan that the user keeps there", "dotfiles", "config/sectile/config.yaml", before + "plan: {store: file, file: config/sectile/config.yaml}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := docs(t, map[string]string{"out/s.txt": "OUTSIDE\n", "dotfiles/a.md": "# A\n", "dotfiles/.sectile.yaml": "{}\n", "dotfiles/config/sectile/config.yaml": c.text})
			if err := os.Symlink(filepath.Join("dotfiles", "config"), filepath.Join(base, ".config")); err != nil {
				t.Skip(err) // Windows lets few users make links
			}
			t.Setenv("XDG_CONFIG_HOME", filepath.Join(base, ".config"))
			session := connect(t, start(t, doctor.ServerOptions{Roots: []string{filepath.Join(base, filepath.FromSlash(c.root))}, TextFiles: true}), "", nil)
			for _, more := range []string{"categories: {x: {dir: " + filepath.ToSlash(base) + "/out, patterns: ['**']}}", "trust: {folders: ['*']}"} {
				text, failed := ask(t, session, "edit_file", object{"path": c.path, "old_string": "# none", "new_string": more})
				if !failed || !strings.Contains(text, "the user's own configuration") {
					t.Errorf("it is written: %s", text)
				}
			}
			if text, _ := ask(t, session, toolCategory, object{"category": "x"}); strings.Contains(text, "OUTSIDE") {
				t.Errorf("served: %s", text)
			}
			if text, failed := ask(t, session, toolReadFile, object{"path": c.path}); failed || !strings.Contains(text, "# none") {
				t.Errorf("it isn't read: %s", text)
			}
			if c.text != before {
				text, failed := ask(t, session, "set_overarching_goal", object{"goal": object{"type": "docs", "scope": "x", "title": "written"}, "replace_existing": true})
				if !failed || !strings.Contains(text, "the user's own configuration") {
					t.Errorf("the plan is written there: %s", text)
				}
			}
			if text, err := os.ReadFile(filepath.Join(base, "dotfiles", "config", "sectile", "config.yaml")); err != nil || string(text) != c.text {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}
