// The command scenarios goes through what an agent does with a document that it
// has never seen, over the protocol, and prints what came back:
//
//	scripts/dev scenarios FILE [PROGRAM]
//
// Without PROGRAM it builds the one of this repository.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: scripts/dev scenarios FILE [PROGRAM]")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "scenarios:", err)
		os.Exit(1)
	}
}

// copyOf returns a new folder with a copy of the file.
func copyOf(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "scenarios-")
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, filepath.Base(path)), text, 0o600)
}

// run goes through the scenarios with a server whose root is a folder with a copy of
// the file.
func run(ctx context.Context, file string, program []string) error {
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if len(program) == 0 {
		dir, err := os.MkdirTemp("", "scenarios-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		program = []string{filepath.Join(dir, "sectile")}
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", program[0], "./cmd/sectile").CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	copied, err := copyOf(path)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(copied) }()
	if err := os.WriteFile(filepath.Join(copied, ".sectile.yaml"), []byte(guides), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program[0], "mcp", "--root", copied)
	cmd.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "scenarios", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	a := &agent{ctx: ctx, session: session, file: filepath.Base(path)}
	for i, s := range scenarios {
		fmt.Printf("\n=== %d. %s\n", i+1, s.title)
		if err := s.play(a); err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
	}
	return nil
}

// scenarios are what the tools are made for. The first six are those of the tools that
// navigate.
var scenarios = []struct {
	title string
	play  func(a *agent) error
}{
	{"Explore: the outline of a document that nobody has read", explore},
	{"Search: a heading by a word of it", search},
	{"Survey: all headings of a level, in pages", survey},
	{"Extract: the bounds of a section, and its text", extract},
	{"Mistake: a heading that is not there", mistake},
	{"Work: a hundred reads of the same document", work},
	{"Select: the selectors of the document, and the first paragraph of it", selecting},
	{"Edit: a section that was read, what was not, and what has changed since (in a copy)", editing},
	{"Guides: what categories there are, one of them, and a pattern that nothing matches", guidance},
	{"Plan: from a goal to finished tasks (in a file), with the mistakes on the way", planning},
}

// guides is a configuration in which the document is a category.
const guides = "categories:\n  docs: {dir: ., patterns: ['*.md', '*.markdown'], description: The document}\n"

// agent calls tools about a file.
type agent struct {
	ctx     context.Context
	session *mcp.ClientSession
	file    string
	names   []string // of the sections, by survey
}

// planTools are the tools that are about no document.
const planTools = " gather_requirements set_overarching_goal set_detailed_goal set_plan mark_task finish_job new_commit "

// maxShown is the number of bytes of a reply that are printed.
const maxShown = 600

// ask calls a tool and prints the call, the time and the beginning of the reply.
func (a *agent) ask(tool string, arguments map[string]any) (text string, failed bool, err error) {
	if _, ofGuides := arguments["category"]; !ofGuides && tool != "list_categories" && !strings.Contains(planTools, " "+tool+" ") {
		arguments["file_path"] = a.file
	}
	start := time.Now()
	result, err := a.session.CallTool(a.ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", false, err
	}
	took := time.Since(start)
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	spelled, err := json.Marshal(arguments)
	if err != nil {
		return "", false, err
	}
	shown := strings.TrimSuffix(text, "\n")
	if len(shown) > maxShown {
		shown = strings.ToValidUTF8(shown[:maxShown], "") + fmt.Sprintf("… (%d bytes)", len(text))
	}
	fmt.Printf("%s %s: %.2f ms, error %v\n  %s\n", tool, spelled, float64(took.Microseconds())/1000, result.IsError,
		strings.ReplaceAll(shown, "\n", "\n  "))
	return text, result.IsError, nil
}

func explore(a *agent) error {
	_, _, err := a.ask("markdown_tree", map[string]any{"max_depth": 2})
	if err == nil {
		_, _, err = a.ask("markdown_tree", map[string]any{"format": "ascii", "max_depth": 1})
	}
	return err
}

// page is a page of a list of sections.
type page struct {
	Sections []struct {
		Name  string `json:"name"`
		Level string `json:"level"`
	} `json:"sections"`
	Count int    `json:"count"`
	Next  string `json:"next_cursor"`
}

func survey(a *agent) error {
	arguments := map[string]any{"heading_level": "ALL", "max_sections": 5}
	for range 2 {
		text, _, err := a.ask("markdown_list_sections", arguments)
		if err != nil {
			return err
		}
		var p page
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			return err
		}
		for _, s := range p.Sections {
			a.names = append(a.names, s.Name)
		}
		if p.Next == "" {
			break
		}
		arguments["cursor"] = p.Next
	}
	return nil
}

func search(a *agent) error {
	text, _, err := a.ask("markdown_list_sections", map[string]any{"max_sections": 1})
	if err != nil {
		return err
	}
	var p page
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return err
	}
	word := "install"
	if len(p.Sections) > 0 {
		word = strings.Fields(p.Sections[0].Name + " x")[0]
	}
	for _, tool := range []string{"markdown_tree", "markdown_list_sections"} {
		if _, _, err = a.ask(tool, map[string]any{"pattern": word}); err != nil {
			return err
		}
	}
	return nil
}

func extract(a *agent) error {
	for _, name := range a.names {
		text, failed, err := a.ask("markdown_section_bounds", map[string]any{"section_name": name})
		if err != nil {
			return err
		}
		if failed { // several have this name: the first candidate says how to name it
			fmt.Println("  ->", strings.Count(text, "\n"), "candidates")
			if _, _, err = a.ask("markdown_section_bounds", map[string]any{"section_name": name, "occurrence": 1}); err != nil {
				return err
			}
			continue
		}
		for _, below := range []bool{true, false} {
			if _, _, err = a.ask("markdown_read_section", map[string]any{"section_name": name, "include_subsections": below, "max_chars": 2000}); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

func mistake(a *agent) error {
	name := "Uninstallation of nothing"
	if len(a.names) > 0 {
		name = a.names[0] + "x"
	}
	_, _, err := a.ask("markdown_read_section", map[string]any{"section_name": name})
	return err
}

func work(a *agent) error {
	start := time.Now()
	for range 100 {
		_, err := a.session.CallTool(a.ctx, &mcp.CallToolParams{Name: "markdown_read_section", Arguments: map[string]any{
			"file_path": a.file, "section_name": "h1.0",
		}})
		if err != nil {
			return err
		}
	}
	fmt.Printf("100 reads: %.2f ms each\n", float64(time.Since(start).Microseconds())/100_000)
	return nil
}

// hashLine is the line above a section, which has its hash.
var hashLine = regexp.MustCompile(`:\d+(?:-\d+)? \S+ #([0-9a-f]{16})`)

func editing(a *agent) error {
	const first = "h1.0"
	text, _, err := a.ask("read_file", map[string]any{"heading": first, "max_chars": 1000})
	if err != nil {
		return err
	}
	hash := hashLine.FindStringSubmatch(text)
	if hash == nil {
		return fmt.Errorf("the head has no hash: %s", text)
	}
	for _, step := range []map[string]any{
		{"heading": first, "action": "prepend", "content": "A word before all."}, // a position alone
		{"heading": first, "action": "prepend", "content": "```", "expected_hash": hash[1]},
		{"heading": first, "action": "prepend", "content": "A word before all.", "expected_hash": hash[1], "dry_run": true},
		{"heading": first, "action": "prepend", "content": "A word before all.", "expected_hash": hash[1]},
		{"heading": first, "action": "prepend", "content": "Another one.", "expected_hash": hash[1]}, // of what is no more
	} {
		if _, _, err := a.ask("edit_section", step); err != nil {
			return err
		}
	}
	_, _, err = a.ask("edit_file", map[string]any{"edits": []map[string]any{
		{"old_string": "A word before all.", "new_string": "A word before the rest."}, {"heading": "No such heading", "action": "remove"},
	}})
	return err
}

func selecting(a *agent) error {
	_, _, err := a.ask("mdsel_index", map[string]any{"max_chars": 1000})
	if err == nil {
		_, _, err = a.ask("mdsel_select", map[string]any{"selector": "para.0"})
	}
	return err
}

func guidance(a *agent) error {
	_, _, err := a.ask("list_categories", map[string]any{})
	for _, arguments := range []map[string]any{
		{"category": "docs"}, {"category": "docs", "pattern": "missing"}, {"category": "doc"},
	} {
		if err == nil {
			_, _, err = a.ask("get_category_content", arguments)
		}
	}
	return err
}

// planning goes through the stages of a plan, with an id that is not there, a parent,
// and an end that comes too soon.
func planning(a *agent) error {
	for _, c := range []struct {
		tool   string
		args   map[string]any
		failed bool
	}{
		{"gather_requirements", map[string]any{}, false},
		{"set_overarching_goal", map[string]any{"goal": map[string]any{"type": "docs", "scope": "guide", "title": "say what it is for"}}, false},
		{"set_plan", map[string]any{"plan": "- [ ] read it\n- [ ] write it\n  - [ ] the first sentence\n  - [ ] an example"}, false},
		{"set_detailed_goal", map[string]any{"description": "Readers don't know what it is for.", "constraints": []string{"Never: make it longer"}}, false},
		{"mark_task", map[string]any{"task_id": "3"}, true},
		{"mark_task", map[string]any{"task_id": "2"}, true},
		{"mark_task", map[string]any{"task_id": "1"}, false},
		{"finish_job", map[string]any{}, true},
		{"mark_task", map[string]any{"task_id": "first sentence"}, false},
		{"mark_task", map[string]any{"task_id": "2.2"}, false},
		{"finish_job", map[string]any{}, false},
		{"new_commit", map[string]any{}, false},
	} {
		text, failed, err := a.ask(c.tool, c.args)
		if err != nil {
			return err
		}
		if failed != c.failed {
			return fmt.Errorf("%s %v: error %v: %s", c.tool, c.args, failed, text)
		}
	}
	return nil
}
