package mcpserver

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/testkit"
)

// A project's configuration is written by anybody. Each test here makes a project whose
// configuration, links and names try to have a server read or write what it must not,
// starts the server in a folder of the project, and asks it all that a client could.

// confined is one attack.
type confined struct {
	name   string
	config string            // of the project
	files  map[string]string // more of them, by their paths below the base
	links  map[string]string
	roots  []string // of the server, below the base; proj/docs if there are none
	ask    []string // patterns that categories are asked with, and paths of resources
	want   string   // in some reply, of a server that writes
	user   string   // the user's configuration; BASE stands for the folder of all
	wrote  string   // the only file that a plan may be in, if one is written at all
}

// hiding returns the files that every attack finds: what has "SECRET" in it must stay
// where it is.
func hiding() map[string]string {
	secret := func(paths ...string) map[string]string {
		found := map[string]string{}
		for _, path := range paths {
			found[path] = "# SECRET of " + path + "\n"
		}
		return found
	}
	all := secret(
		// Beside the server's root, in the project and out of it.
		"proj/README.md", "proj/.env", "proj/secret.md", "proj/.ssh/id_rsa", "proj/docs/sub/.git/config", "proj/.github/workflows/ci.yml", "proj/documents/b.md", "other/secret.md", "secret.md", "home/.ssh/id_rsa", "home/notes/n.md",
		// In the root, by names that are protected.
		"proj/docs/.env", "proj/docs/.env.md", "proj/docs/id_rsa", "proj/docs/id_rsa.md", "proj/docs/tls.pem", "proj/docs/.vscode/settings.json", "proj/docs/.vscode/a.md",
		"proj/docs/.github/workflows/w.md", "proj/docs/.github/workflows/ci.yml", "proj/docs/.ssh/config", "proj/docs/.claude/settings.json", "proj/docs/.hg/hgrc",
	)
	all["proj/docs/a.md"] = "# Open\n\nText.\n"
	all["proj/docs/.claude/rules.md"] = "# Rules\n"
	return all
}

// confinedAttacks are the attacks on what a project's configuration may say.
func confinedAttacks() []confined {
	category := func(fields string) string { return "categories: {x: {" + fields + "}}\n" }
	plan := func(file string) string { return "plan: {store: file, file: " + file + "}\n" }
	all := `patterns: ["**", "**/.*", ".env", ".ssh/*", ".vscode/*", ".github/**", ".claude/**", "*.pem", "id_rsa*", "sub/.git/*", ".hg/*"]`
	list := []confined{
		// Categories outside of the roots.
		{name: "the whole project", config: category("dir: ., " + all), ask: []string{"README.md", "secret.md", ".env", "docs/a.md"}, want: "--root"},
		{name: "a folder beside", config: category("dir: documents, " + all), ask: []string{"b.md"}, want: "the user's own configuration"},
		{name: "a name that begins as the root's", config: category("dir: documents, patterns: ['*.md']"), ask: []string{"*"}, want: "--root"},
		{name: "a folder beside through a link", config: category("dir: docs/out, " + all), links: map[string]string{"proj/docs/out": "../documents"}, ask: []string{"b.md"}, want: "--root"},
		{name: "out of the project through a link", config: category("dir: docs/out, " + all), links: map[string]string{"proj/docs/out": "../../other"}, ask: []string{"secret.md"}, want: "leaves the project"},
		{name: "an absolute link", config: category("dir: docs/out, " + all), links: map[string]string{"proj/docs/out": "BASE/other"}, ask: []string{"secret.md"}, want: "leaves the project"},
		{name: "up", config: category("dir: docs/../documents, " + all), want: "must not contain .."},
		{name: "up with backslashes", config: category(`dir: 'docs\..\documents', ` + all), want: "must not contain .."},
		{name: "absolute", config: category("dir: BASE/other, " + all), want: "must be relative"},
		{name: "home", config: category("dir: ~/notes, " + all), want: "must be relative"},
		{name: "of a user", config: category("dir: ~root, " + all), want: "--root"},
		{name: "in other case", config: category("dir: DOCUMENTS, " + all), ask: []string{"b.md"}, want: "--root"},
		{name: "the root in other case", config: category("dir: Docs, " + all)},
		{name: "without a pattern", config: category("dir: ."), ask: []string{"**", "*", "README.md", "docs/a.md"}, want: "--root"},
		{name: "above two roots", config: category("dir: ., " + all), roots: []string{"proj/docs", "proj/documents/sub"}, files: map[string]string{"proj/documents/sub/c.md": "# C\n"}, want: "--root"},
		{name: "a configuration beside the roots", config: category("dir: documents, " + all), roots: []string{"proj/docs", "third"}, files: map[string]string{"third/c.md": "# C\n"}, want: "--root"},
		{name: "a collection of others", config: "categories: {x: {dir: documents}, y: {dir: docs, patterns: ['*.md']}}\ncollections: {z: [x/*.md, y]}\n", ask: []string{"*"}, want: "--root"},

		// Protected names in the roots, and by all the ways that lead to them.
		{name: "hidden patterns", config: category("dir: docs, " + all), ask: []string{".env", ".env.md", "id_rsa", "id_rsa.md", "tls.pem", ".vscode/a.md", ".github/workflows/w.md", ".ssh/config", ".claude/settings.json", "**/.e*", ".{env,env.md}"}, want: "Rules"},
		{name: "a protected folder", config: category("dir: docs/.vscode, " + all), want: "never read or written"},
		{name: "a protected folder below another", config: category("dir: docs/.github/workflows, " + all), want: "never read or written"},
		{name: "a link to a protected folder", config: category("dir: docs/code, " + all), links: map[string]string{"proj/docs/code": ".vscode"}, ask: []string{"a.md", "settings.json"}, want: "never read or written"},
		{name: "links to protected files", config: category("dir: docs, " + all), links: map[string]string{"proj/docs/env.txt": ".env", "proj/docs/key.md": "id_rsa", "proj/docs/flow": ".github/workflows", "proj/docs/set.md": ".claude/settings.json"}, ask: []string{"env.txt", "key.md", "flow/w.md", "set.md", "*.txt"}, want: "outside"},
		{name: "half of the way by a link", config: category("dir: docs/hub, " + all), links: map[string]string{"proj/docs/hub": ".github"}, ask: []string{"workflows/w.md", "workflows/*"}},
		{name: "names of other systems", config: category("dir: docs, " + all), files: map[string]string{"proj/docs/ENV~1": "# SECRET\n", "proj/docs/.ENV": "# SECRET\n", "proj/docs/.env.": "# SECRET\n", "proj/docs/.e\u200dnv": "# SECRET\n", "proj/docs/.Git/x.md": "# SECRET\n"}, ask: []string{"ENV~1", ".ENV", ".env.", ".e\u200dnv", ".Git/x.md", ".env::$DATA"}},
		{name: "partials", config: category("dir: docs, patterns: [t1, t2, t3, t4, t5.md, t6]"), files: map[string]string{
			"proj/docs/t1.mustache": "{{> .env}}", "proj/docs/t2.mustache": "{{> ../.env}}", "proj/docs/t3.mustache": "{{> .vscode/a}}", "proj/docs/t4.mustache": "{{> ./x/../.env.md}}",
			"proj/docs/t5.md.mustache": "{{> id_rsa}}", "proj/docs/t6.mustache": "{{> p}}",
		}, links: map[string]string{"proj/docs/p": ".env"}, ask: []string{"t1", "t2", "t3", "t4", "t5.md", "t6"}, want: "never read or written"},
		{name: "variables for partials", config: category("dir: docs, patterns: [t], vars: {name: .env}"), files: map[string]string{"proj/docs/t.mustache": "{{> {{name}}}} {{> name}} {{name}}"}, ask: []string{"t"}},
		{name: "templates by protected names", config: category("dir: docs, patterns: [.env.x, key.pem]"), files: map[string]string{"proj/docs/.env.x.mustache": "SECRET", "proj/docs/key.pem.mustache": "SECRET"}, ask: []string{".env.x", "key.pem"}},
		{name: "templates in a folder of agents", config: category("dir: docs/.claude, patterns: ['**']"), files: map[string]string{"proj/docs/.claude/hook.json.mustache": "SECRET", "proj/docs/.claude/hook.mustache": "SECRET"}, ask: []string{"hook.json", "hook"}, want: "Rules"},
		{name: "agents' folders of a root", config: "{}\n", roots: []string{"proj/docs/.github"}, files: map[string]string{
			"proj/docs/.github/.sectile.yaml":          category("dir: prompts, patterns: ['**']"),
			"proj/docs/.github/prompts/a.md":           "# Open\n",
			"proj/docs/.github/prompts/w.yml":          "# SECRET\n",
			"proj/docs/.github/prompts/w.xml.mustache": "SECRET",
		}, ask: []string{"w.yml", "w.xml", "prompts/w.yml", "workflows/w.md", "workflows/ci.yml"}, want: "Open", wrote: "proj/docs/.github/.sectile"},

		// Plans.
		{name: "a plan in variables", config: plan(".env"), want: "keys and passwords"},
		{name: "a plan in variables that is there", config: plan("docs/.env.md"), want: "keys and passwords"},
		{name: "a plan for the shell", config: plan(".envrc"), want: "keys and passwords"},
		{name: "a plan as a workflow", config: plan(".github/workflows/x.yml"), want: "run or obey"},
		{name: "a plan as a workflow in Markdown", config: plan("docs/.github/workflows/x.md"), want: "run or obey"},
		{name: "a plan as a command of agents", config: plan("docs/.claude/commands/x.md"), want: "coding agents"},
		{name: "a plan in a program", config: plan("docs/Makefile"), want: "a Markdown file"},
		{name: "a plan in a script in .sectile in other case", config: plan("docs/.SECTILE/x.sh"), want: "a Markdown file"},
		{name: "a plan beside the roots", config: plan("secret.md"), want: "--root"},
		{name: "a plan beside the roots that is not there", config: plan("new/plan.md"), want: "--root"},
		{name: "the usual plan beside the roots", config: "plan: {store: file}\n", want: "--root"},
		{name: "a plan outside of the project", config: plan("docs/../../other/secret.md"), want: "must not contain .."},
		{name: "a plan by an absolute path", config: plan("BASE/other/secret.md"), want: "must be relative"},
		{name: "a plan in the home", config: plan("~/notes/n.md"), want: "must be relative"},
		{name: "a plan through a link", config: plan("docs/plan.md"), links: map[string]string{"proj/docs/plan.md": "../secret.md"}, want: "--root"},
		{name: "a plan through a link to nothing", config: plan("docs/plan.md"), links: map[string]string{"proj/docs/plan.md": "../new.md"}, want: "--root"},
		{name: "a plan through a link to variables", config: plan("docs/plan.md"), links: map[string]string{"proj/docs/plan.md": ".env"}, want: "set `plan.file`"},
		{name: "a plan through a link to a script", config: plan("docs/plan.md"), links: map[string]string{"proj/docs/plan.md": "run.sh"}, files: map[string]string{"proj/docs/run.sh": "# SECRET\n"}, want: "set `plan.file`"},
		{name: "a plan through a folder that leads out", config: plan("docs/p/plan.md"), links: map[string]string{"proj/docs/p": "../documents"}, want: "--root"},
		{name: "a plan through a folder that leads to workflows", config: plan("docs/p/plan.md"), links: map[string]string{"proj/docs/p": ".github/workflows"}, want: "set `plan.file`"},
		{name: "a plan in agents' folder of a root", config: "{}\n", roots: []string{"proj/docs/.github"}, files: map[string]string{"proj/docs/.github/.sectile.yaml": plan("prompts/p.md"), "proj/docs/.github/prompts/a.md": "# Open\n"}, want: "coding agents"},
		{name: "a plan in agents' folder of a root that is not there", config: "{}\n", roots: []string{"proj/docs/.github"}, files: map[string]string{"proj/docs/.github/.sectile.yaml": plan("agents/p.md")}, want: "coding agents"},
		{name: "a plan where .sectile leads out", config: plan(".sectile/plan.md"), links: map[string]string{"proj/.sectile": "documents"}, want: "--root"},
		{name: "a plan where .sectile leads into the root", config: plan(".sectile/run"), links: map[string]string{"proj/.sectile": "docs"}, want: "is not made, and nothing was written"},
		{name: "a plan where .sectile leads to agents", config: plan(".sectile/plan.md"), links: map[string]string{"proj/.sectile": "docs/.claude"}, want: "set `plan.file`"},
		{name: "a plan where .sectile makes workflows", config: plan(".sectile/actions/plan.md"), links: map[string]string{"proj/.sectile": "docs/.github"}, want: "set `plan.file`"},
		{name: "a plan with old ones that lead out", config: plan("docs/plan.md"), links: map[string]string{"proj/docs/plan.1.md": "../secret.md", "proj/docs/plan.2.md": ".env"}, wrote: "proj/docs/plan"},
		{name: "a plan as a configuration", config: plan("docs/.sectile.yaml"), want: "is a configuration"},

		// Whose word it is.
		{name: "trusts itself", config: "trust: {folders: ['*']}\n" + category("dir: docs, patterns: ['*.md']"), want: "only the user's own file"},
		{name: "the user names protected files", config: "{}\n", user: "categories: {x: {dir: BASE/proj/docs, " + all + "}, y: {dir: BASE/home/.ssh, patterns: ['*']}}\nplan: {store: file, file: docs/notes.md}\n", ask: []string{".env", "id_rsa", "tls.pem"}, want: "never read or written", wrote: "proj/docs/notes"},
		{name: "the user keeps a plan in variables", config: "{}\n", user: "plan: {store: file, file: .env}\n", want: "keys and passwords"},
	}
	return list
}

// TestConfinedConfigurations makes each attack with a server that reads and writes, and
// with one that reads alone.
func TestConfinedConfigurations(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, attack := range confinedAttacks() {
		for _, readOnly := range []bool{false, true} {
			if readOnly && !strings.Contains(attack.config+attack.user, "plan:") && !testkit.Long() {
				continue // what only reads is the same for both
			}
			t.Run(fmt.Sprint(attack.name, " ", readOnly), func(t *testing.T) { attack.make(t, readOnly) })
		}
	}
}

// make makes the attack.
func (a *confined) make(t *testing.T, readOnly bool) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := strings.NewReplacer("BASE", filepath.ToSlash(base))
	all := hiding()
	maps.Copy(all, a.files)
	all["proj/.sectile.yaml"], all["config/sectile/config.yaml"] = in.Replace(a.config), in.Replace(a.user)
	for path, text := range all {
		writeFile(t, filepath.Join(base, filepath.FromSlash(path)), text)
	}
	for path, target := range a.links {
		if err := os.Symlink(filepath.FromSlash(in.Replace(target)), filepath.Join(base, filepath.FromSlash(path))); err != nil {
			t.Skip(err) // Windows lets few users make links
		}
	}
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(base, "config"))
	t.Setenv("HOME", filepath.Join(base, "home"))
	o := doctor.ServerOptions{ReadOnly: readOnly, TextFiles: true}
	for _, root := range slices.Concat(a.roots, []string{"proj/docs"}[min(len(a.roots), 1):]) {
		o.Roots = append(o.Roots, filepath.Join(base, filepath.FromSlash(root)))
	}
	before := placed(t, base)
	replies := a.askAll(t, connect(t, start(t, o), "", nil), readOnly)
	for _, reply := range replies {
		if strings.Contains(reply, "SECRET") {
			t.Errorf("a reply has a secret: %s", reply)
		}
	}
	if !readOnly && !strings.Contains(strings.Join(replies, "\n"), a.want) {
		t.Errorf("no reply has %q: %s", a.want, strings.Join(replies, "\n"))
	}
	after := placed(t, base)
	for path, text := range after {
		isPlan := !readOnly && a.wrote != "" && strings.HasPrefix(path, a.wrote)
		if old, was := before[path]; (!was || old != text) && !isPlan {
			t.Errorf("%s is written: %q", path, text)
		}
	}
	for path := range before {
		if _, is := after[path]; !is {
			t.Errorf("%s is gone", path)
		}
	}
}

// askAll asks what a client can ask, and returns all replies.
func (a *confined) askAll(t *testing.T, session *mcp.ClientSession, readOnly bool) (replies []string) {
	call := func(tool string, arguments object) {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			replies = append(replies, err.Error())
			return
		}
		for _, content := range result.Content {
			if text, ok := content.(*mcp.TextContent); ok {
				replies = append(replies, text.Text)
			}
		}
	}
	call(toolCategories, object{})
	for _, category := range []string{"x", "y", "z"} {
		call(toolCategory, object{"category": category})
		for _, pattern := range a.ask {
			call(toolCategory, object{"category": category, "pattern": pattern})
			read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "guide://category/" + category + "/" + guiding.TemplateValue(pattern)})
			if err != nil {
				replies = append(replies, err.Error())
				continue
			}
			text, _ := json.Marshal(read.Contents)
			replies = append(replies, string(text))
		}
		for _, typed := range []string{"", "."} {
			completed, err := session.Complete(t.Context(), &mcp.CompleteParams{
				Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: guiding.GuideTemplate},
				Argument: mcp.CompleteParamsArgument{Name: "path", Value: typed},
				Context:  &mcp.CompleteContext{Arguments: map[string]string{"name": category}},
			})
			if err != nil {
				replies = append(replies, err.Error())
				continue
			}
			for _, name := range completed.Completion.Values {
				if reason := filenames.FileProtection(name); reason != "" {
					t.Errorf("%q is offered as %q", name, typed)
				}
			}
		}
	}
	for _, path := range a.ask {
		call(toolReadFile, object{"path": path})
	}
	call(toolGather, object{"include_diff": true})
	if readOnly {
		return replies
	}
	for _, path := range a.ask {
		call("edit_file", object{"path": path, "old_string": "SECRET", "new_string": "written"})
	}
	call("set_overarching_goal", object{"goal": object{"type": "docs", "scope": "x", "title": "written"}, "replace_existing": true})
	call("set_plan", object{"plan": "- [ ] written"})
	call("new_commit", object{"force": true})
	call(toolGather, object{})
	return replies
}

// writeFile writes a file, with its folder.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// placed returns what is in a folder and below it by its path: the text of a file, where
// a link leads, nothing of a folder.
func placed(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var text []byte
		switch {
		case d.Type() == fs.ModeSymlink:
			var target string
			target, err = os.Readlink(path)
			text = []byte("-> " + target)
		case !d.IsDir():
			text, err = os.ReadFile(path)
		}
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
