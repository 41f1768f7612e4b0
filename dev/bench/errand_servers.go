package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// otherServer is another server of tools that errands are done with, as far as it can.
type otherServer struct {
	name    string
	command func(folder string) []string
	ready   func(*server) error // waits until it has read the folder, or nil
	// shown is what a reply has of documents.
	shown func(tool string, arguments args, reply string) string
	ways  map[string]func(*hand) // by names of errands
	less  string                 // why it can't do the others
}

// otherServers are those that are installed.
func otherServers(ctx context.Context, m *machine) (found []otherServer) {
	if vault(m).find(ctx, m) == nil {
		found = append(found, vaultErrands(m))
	}
	if quantalogic(m).find(ctx, m) == nil {
		found = append(found, quantalogicErrands(m))
	}
	return found
}

// vaultHand calls the tools of markdown-vault-mcp.
type vaultHand struct{ *hand }

// swap changes a text that is in a document once.
func (h vaultHand) swap(name, from, to string) {
	h.call("edit", args{"path": name, "old_text": from, "new_text": to})
}

// read reads a section, or all of a document.
func (h vaultHand) read(name, section string) string {
	arguments := args{"path": name}
	if section != "" {
		arguments["section"] = section
	}
	return vaultNote(h.call("read", arguments))
}

// swapAll reads a document and changes each line of it that has a text.
func (h vaultHand) swapAll(name, from, to string) {
	text := h.read(name, "")
	for i, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, from) {
			continue
		}
		edit := args{"path": name, "old_text": line, "new_text": strings.ReplaceAll(line, from, to)}
		if strings.Count(text, line) > 1 {
			edit["line_start"], edit["line_end"] = i+1, i+1
		}
		h.call("edit", edit)
	}
}

// linking are the documents with links to a heading of another one.
func (h vaultHand) linking(name, fragment string) (names []string) {
	var links []struct {
		Source   string `json:"source_path"`
		Fragment string
	}
	h.err = errors.Join(h.err, json.Unmarshal([]byte(h.call("get_backlinks", args{"path": name})), &links))
	for _, l := range links {
		if l.Fragment == fragment && !slices.Contains(names, l.Source) {
			names = append(names, l.Source)
		}
	}
	return names
}

// drafts are the drafts among the documents, of a category if that is told.
func (h vaultHand) drafts(category string) (names []string) {
	var all []struct {
		Path        string
		Frontmatter map[string]any
	}
	h.err = errors.Join(h.err, json.Unmarshal([]byte(h.call("list_documents", args{"folder": "EIPS"})), &all))
	for _, n := range all {
		if n.Frontmatter["status"] == "Draft" && (category == "" || n.Frontmatter["category"] == category) {
			names = append(names, n.Path)
		}
	}
	return names
}

// edit reads the sections of steps, whose titles it finds in the list of headings where they are not
// told, and makes the changes.
func (h vaultHand) edit(steps []step) {
	for _, s := range steps {
		if s.listed {
			h.call("get_toc", args{"path": s.file})
		}
		h.read(s.file, s.title)
	}
	for _, s := range steps {
		h.swap(s.file, s.from, s.to)
	}
}

// vaultErrands has the ways of markdown-vault-mcp: a section that is named is read by its name, another
// one is found in the list of headings; what is changed is copied from what was read.
func vaultErrands(m *machine) otherServer {
	ways := map[string]func(vaultHand){}
	sectionEdits(func(name string, steps []step) { ways[name] = func(h vaultHand) { h.edit(steps) } })
	ways["a section moved within its page"] = func(h vaultHand) {
		const name, title, next = "src/glossary.md", "Dyn-compatible traits", "### Dynamically sized type\n"
		text := "### " + title + "\n" + h.read(name, title)
		h.swap(name, text, "")
		h.swap(name, next, text+next)
	}
	ways["20 links followed, each to a section"] = func(h vaultHand) {
		for _, l := range followed {
			h.read(l.name, l.title)
		}
	}
	ways["a section found and read"] = func(h vaultHand) {
		h.call("search", args{"query": "temporary scope of an expression"})
		h.read("src/destructors.md", "Temporary scopes")
	}
	ways["documents listed and searched, one made"] = func(h vaultHand) {
		h.call("list_documents", args{"folder": "dev-guide"})
		h.call("search", args{"query": "admonition", "folder": "dev-guide"})
		h.call("write", args{"path": "dev-guide/src/glossary.md", "content": "# Glossary\n\n- **Rule**: a paragraph with a name, as in `r[abi.used]`.\n"})
	}
	ways["a name changed in 12 documents"] = func(h vaultHand) {
		var found []struct{ Path string }
		h.err = errors.Join(h.err, json.Unmarshal([]byte(h.call("search", args{"query": "MetaWord", "folder": "src", "limit": 100})), &found))
		for _, n := range found {
			h.swapAll(n.Path, "MetaWord", "MetaPath")
		}
	}
	ways["a key into the front matter of 23 documents"] = func(h vaultHand) {
		for _, name := range h.drafts("") {
			h.swap(name, "status: Draft\n", "status: Draft\nlast-call-deadline: 2027-01-31\n")
		}
	}
	ways["a section into 15 of 18 documents"] = func(h vaultHand) {
		const before = "## Security Considerations\n"
		for _, name := range h.drafts("Core") {
			h.swap(name, before, "## Deployment\n\nClients activate this change at the fork that names it.\n\n"+before)
		}
	}
	ways["a section moved to another page, with definitions and links"] = func(h vaultHand) {
		const from, to, title, last = "src/glossary.md", "src/items.md", "Free item", "[union definitions]: items/unions.md\n"
		body := h.read(from, title)
		whole := h.read(from, "") // for its definitions
		h.read(to, "")
		names := h.linking(from, "free-item")
		definitions := "[associated item]: glossary.md#associated-item\n[implementation]: items/implementations.md\n[item]: items.md\n"
		h.swap(to, last, last+"\n## Free item\n"+body+definitions)
		h.swap(from, "### Free item\n"+body, "")
		if strings.Contains(whole, "[free item]: #free-item\n") {
			h.swap(from, "[free item]: #free-item\n", "[free item]: items.md#free-item\n")
		}
		for _, name := range names {
			h.swap(name, "glossary.md#free-item", "items.md#free-item")
		}
	}
	ways["a heading renamed, with links in 11 documents"] = func(h vaultHand) {
		const name, title, to = "src/expressions.md", "Place expressions and value expressions", "Places and values"
		const anchor, newAnchor = "#place-expressions-and-value-expressions", "#places-and-values"
		names := h.linking(name, anchor[1:])
		h.swap(name, "## "+title+"\n", "## "+to+"\n")
		for _, other := range append(names, name) {
			h.swapAll(other, anchor, newAnchor)
		}
	}
	done := map[string]func(*hand){}
	for name, way := range ways {
		done[name] = func(h *hand) { way(vaultHand{h}) }
	}
	return otherServer{
		name: "markdown-vault-mcp", command: vaultCommand(m), ways: done, less: "it ranks what it finds, and does not list each place of a text",
		ready: vaultReady, shown: vaultShown,
	}
}

// vaultShown is what a reply of markdown-vault-mcp has of documents.
func vaultShown(tool string, arguments args, reply string) string {
	switch tool {
	case "read": // who has asked by a title has it
		all := []string{vaultNote(reply)}
		if title, ok := arguments["section"].(string); ok {
			for level := 1; level <= 6; level++ {
				all = append(all, strings.Repeat("#", level)+" "+title)
			}
		}
		return strings.Join(all, "\n")
	case "list_documents", "search":
		var notes []struct {
			Path     string
			Sections []struct{ Content string }
		}
		_ = json.Unmarshal([]byte(reply), &notes) // a refusal shows nothing
		var all []string
		for _, n := range notes {
			all = append(all, n.Path)
			for _, s := range n.Sections {
				all = append(all, s.Content)
			}
		}
		return strings.Join(all, "\n")
	}
	return reply
}

// vaultReady waits until markdown-vault-mcp has read its folder.
func vaultReady(s *server) error {
	for {
		status, err := s.call(call{"get_index_status", map[string]any{}})
		if err != nil || !strings.Contains(status, `"status":"building"`) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// vaultNote is the text of a reply of markdown-vault-mcp.
func vaultNote(reply string) string {
	var note struct{ Content string }
	_ = json.Unmarshal([]byte(reply), &note) // a refusal has none
	return note.Content
}

// step is a change of a text in a section, for servers that are told sections by their titles.
type step struct {
	file, title string
	from, to    string
	listed      bool // the title is not told, and found in the list of headings
}

// sectionEdits hands over the errands that change texts of sections in documents that they name.
func sectionEdits(add func(name string, steps []step)) {
	const openssl = "- Switched to `rustls`\n"
	add("an entry into a changelog", []step{{file: "packages/trpl/CHANGELOG.md", title: "0.3.0", from: openssl, to: openssl + "- Removed the dependency on `openssl`\n", listed: true}})
	const float = "| `f64`             | 8                  |\n"
	add("a row into a table, the section read first", []step{{file: "src/type-layout.md", title: "Primitive data layout", from: float, to: float + "| `f128`            | 16                 |\n"}})
	const yes = "| `true` | `true` | `true` |\n| `true` | `false` | "
	add("a cell", []step{{file: "src/types/boolean.md", title: "Logical or", from: yes + "`true` |", to: yes + "**`true`** |"}})
	const syntax = "r[abi.used.syntax]\n"
	add("a section split in two", []step{{file: "src/abi.md", title: "The `used` attribute", from: syntax, to: "### Syntax and positions\n\n" + syntax, listed: true}})
	const last = "`callAsFunction` method call, and finally a dynamic call.\n"
	add("an example into a page with CRLF", []step{{
		file: "proposals/0253-callable.md", title: "When the type is also `@dynamicCallable`", listed: true, from: last,
		to: last + "\n```swift\n@dynamicCallable\nstruct Both {\n  func callAsFunction(_ x: Int) -> Int { x }\n}\n```\n",
	}})
	const tokens, binary = "src/tokens.md", "| Binary integer | `0b1111_0000` | `N/A` |\n"
	add("a row and a cell, in two sections", []step{
		{file: tokens, title: "Numbers", from: binary, to: binary + "| Hex floating-point | `0x1.8p3` | `Required` |\n"},
		{file: tokens, title: "Delimiters", from: "| `{` `}` | Curly braces    |", to: "| `{` `}` | Braces          |"},
	})
}

// quantalogicErrands has the ways of quantalogic-markdown-mcp: the list of sections has the identifier
// of each, by which it is read, and sent back with the change.
func quantalogicErrands(m *machine) otherServer {
	list := func(h *hand, name string) (all []quantalogicSection) {
		var reply struct{ Sections []quantalogicSection }
		h.err = errors.Join(h.err, json.Unmarshal([]byte(h.call("list_sections", args{"document_path": name})), &reply))
		return reply.Sections
	}
	read := func(h *hand, name string, all []quantalogicSection, title string) (id, text string) {
		for _, s := range all {
			if plain := strings.NewReplacer("`", ""); plain.Replace(s.Title) == plain.Replace(title) {
				return s.ID, quantalogicText(h.call("get_section", args{"document_path": name, "section_id": s.ID}))
			}
		}
		h.err = errors.Join(h.err, fmt.Errorf("the list of %s has no section %q", name, title))
		return "", ""
	}
	ways := map[string]func(*hand){}
	sectionEdits(func(name string, steps []step) {
		ways[name] = func(h *hand) {
			for _, s := range steps {
				id, text := read(h, s.file, list(h, s.file), s.title)
				_, body, _ := strings.Cut(text, "\n")
				h.call("update_section", args{"document_path": s.file, "section_id": id, "content": strings.Replace(body, s.from, s.to, 1), "backup": false})
			}
		}
	})
	ways["a section moved within its page"] = func(h *hand) {
		const name = "src/glossary.md"
		all := list(h, name)
		at := func(title string) int {
			return slices.IndexFunc(all, func(s quantalogicSection) bool { return s.Title == title })
		}
		from, to := at("Dyn-compatible traits"), at("Dynamically sized type")
		if from < 0 || to < 0 {
			h.err = errors.Join(h.err, errors.New("the list of the glossary has not both sections"))
			return
		}
		h.call("move_section", args{"document_path": name, "section_id": all[from].ID, "target_position": to, "backup": false})
	}
	ways["20 links followed, each to a section"] = func(h *hand) {
		lists := map[string][]quantalogicSection{}
		for _, l := range followed {
			if lists[l.name] == nil {
				lists[l.name] = list(h, l.name)
			}
			read(h, l.name, lists[l.name], l.title)
		}
	}
	return otherServer{
		name: "quantalogic-markdown-mcp", command: quantalogicCommand(m), ways: ways, less: "it knows one document at a time, and searches none",
		shown: func(tool string, _ args, reply string) string {
			if tool == "get_section" {
				return quantalogicText(reply)
			}
			return reply
		},
	}
}

// quantalogicText is the text of a section in a reply.
func quantalogicText(reply string) string {
	var is struct{ Section struct{ Content string } }
	_ = json.Unmarshal([]byte(reply), &is) // a refusal has none
	return is.Section.Content
}
