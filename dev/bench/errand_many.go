package main

import (
	"path"
	"strings"
)

// The errands in many documents. Which of them have a line is found by the shell's search in
// both ways where nothing but their names is asked for.

func errandsInMany() []errand {
	return []errand{find(), listAndCreate(), answer(), renameWord(), frontMatter(), intoMany(), moveBetween(), renameHeading()}
}

// pages are the documents of the reference that have errands all over.
var pages = []string{"src/*.md", "src/*/*.md"}

// find finds what a book says of something, and reads that section.
func find() errand {
	const name = "src/destructors.md"
	return errand{
		name: "a section found and read",
		told: "What is the temporary scope of an expression? Read what the reference says.",
		repo: reference, docs: pages,
		want: func(w *wanted) { w.read(name, 259, 280, "### Temporary scopes") },
		ours: func(h *hand) {
			h.call("search_sections", args{"query": "temporary scope of an expression"})
			h.call("read_file", args{"path": name, "heading": "Temporary scopes"})
		},
		shell: func(h *hand) {
			h.sh("grep -rn 'temporary scope' src")
			h.read(name, 259, 90)
		},
	}
}

// listAndCreate lists documents, searches their text, and makes a new one.
func listAndCreate() errand {
	const name, text = "dev-guide/src/glossary.md", "# Glossary\n\n- **Rule**: a paragraph with a name, as in `r[abi.used]`.\n"
	return errand{
		name: "documents listed and searched, one made",
		told: "Which documents has the guide, which of them tells of admonitions? Make a glossary.",
		repo: reference, docs: []string{"dev-guide/src/*.md", "dev-guide/src/*/*.md"},
		want: func(w *wanted) {
			w.answer = []string{strings.Join(sorted(w.sources), "\n")}
			w.read("dev-guide/src/formatting/admonitions.md", 3, 3, "[`mdbook-spec`]")
			w.files[name] = []byte(text)
		},
		ours: func(h *hand) {
			h.call("list_documents", args{"path": []string{"dev-guide"}})
			h.call("search_sections", args{"query": "admonition", "match": "text", "path": []string{"dev-guide"}, "limit": 100})
			h.call("create_document", args{"path": name, "content": text})
		},
		shell: func(h *hand) {
			h.sh("find dev-guide -name '*.md' | sort")
			h.sh("grep -rn 'admonition' dev-guide")
			h.create(name, text)
		},
	}
}

// answer collects what many pages say: how each edition differs.
func answer() errand {
	return errand{
		name: "an answer from many pages",
		told: "What has changed with the edition of 2024? All of it, from src.",
		repo: reference, docs: pages,
		want: func(w *wanted) {
			for name, text := range w.sources {
				lines := strings.Split(string(text), "\n")
				for i, line := range lines {
					if strings.HasPrefix(line, "r[") && strings.HasSuffix(line, "edition2024]") {
						w.read(name, i+3, i+3, "> ")
					}
				}
			}
		},
		ours: func(h *hand) {
			reply := h.call("search_sections", args{"query": "2024 edition|edition 2024", "match": "regex", "path": []string{"src"}, "limit": 100})
			for _, at := range cutOff(reply) {
				h.call("read_file", args{"path": at.name, "start_line": at.line, "end_line": at.line})
			}
		},
		shell: func(h *hand) { h.sh("grep -rn -A 2 'edition2024\\]$' src") },
	}
}

// renameWord renames something in all documents that name it.
func renameWord() errand {
	const from, to = "MetaWord", "MetaPath"
	const search = "grep -rn " + from + " src"
	return errand{
		name: "a name changed in 12 documents",
		told: "Rename MetaWord to MetaPath in all of src.",
		repo: reference, docs: pages,
		want: func(w *wanted) { w.replace(from, to) },
		ours: func(h *hand) { // without a number the reply is a preview, which names the documents and the number
			preview := h.call("edit_file", args{"path": "src", "old_string": from, "new_string": to})
			places, _, _ := strings.Cut(strings.TrimPrefix(preview, "src: "), " ")
			h.call("edit_file", args{"path": "src", "old_string": from, "new_string": to, "expected_count": number(places)})
		},
		shell: func(h *hand) {
			for _, name := range namesIn(h.sh(search)) {
				h.replaceAll(name, from, to)
			}
		},
		sed: func(h *hand) {
			h.sh(search)
			h.sh("grep -rl " + from + " src | xargs sed -i s/" + from + "/" + to + "/g")
		},
	}
}

// frontMatter adds a key to the front matter of all drafts.
func frontMatter() errand {
	const status, key = "status: Draft\n", "last-call-deadline: 2027-01-31\n"
	const search = "grep -l '^status: Draft' EIPS/*"
	return errand{
		name: "a key into the front matter of 23 documents",
		told: "Give each draft in EIPS the key last-call-deadline, below its status.",
		repo: eips, docs: []string{"EIPS/eip-82*.md"},
		want: func(w *wanted) {
			for name, text := range w.sources {
				for i, line := range strings.Split(string(text), "\n") {
					if line+"\n" == status && i < 12 {
						w.cut(name, i+2, 0, "", key)
					}
				}
			}
		},
		ours: func(h *hand) {
			names := strings.Fields(h.sh(search))
			h.call("edit_file", args{"path": "EIPS", "old_string": status, "new_string": status + key, "expected_count": len(names)})
		},
		shell: func(h *hand) {
			for name := range strings.FieldsSeq(h.sh(search)) {
				h.replace(name, status, status+key)
			}
		},
		sed: func(h *hand) { h.sh("sed -i '/^status: Draft/a last-call-deadline: 2027-01-31' EIPS/*") },
	}
}

// intoMany adds a section to 15 of 18 documents.
func intoMany() errand {
	const before, section = "## Security Considerations\n", "## Deployment\n\nClients activate this change at the fork that names it.\n\n"
	const search = "grep -l '^category: Core' $(grep -l '^status: Draft' EIPS/*)"
	return errand{
		name: "a section into 15 of 18 documents",
		told: "Put a section Deployment before Security Considerations, into each draft of the category Core.",
		repo: eips,
		docs: []string{"EIPS/eip-820?.md", "EIPS/eip-821?.md", "EIPS/eip-822?.md", "EIPS/eip-823?.md", "EIPS/eip-824?.md", "EIPS/eip-825?.md", "EIPS/eip-826?.md", "EIPS/eip-8272.md"},
		want: func(w *wanted) {
			for name, text := range w.sources {
				if !strings.Contains(string(text), "\nstatus: Draft\n") || !strings.Contains(string(text), "\ncategory: Core\n") {
					continue
				}
				for i, line := range strings.SplitAfter(string(text), "\n") {
					if line == before {
						w.cut(name, i+1, 0, "## Security", section)
					}
				}
			}
		},
		ours: func(h *hand) {
			names := strings.Fields(h.sh(search))
			for i := range names {
				names[i] = strings.TrimSuffix(strings.TrimPrefix(names[i], "EIPS/eip-"), ".md")
			}
			h.call("edit_section", args{
				"path": "EIPS/eip-{" + strings.Join(names, ",") + "}.md", "heading": "Security Considerations",
				"action": "insert_before", "content": section, "expected_count": len(names),
			})
		},
		shell: func(h *hand) {
			for name := range strings.FieldsSeq(h.sh(search)) {
				h.replace(name, before, section+before)
			}
		},
		sed: func(h *hand) {
			h.sh("sed -i '/^## Security Considerations/i ## Deployment\\n\\nClients activate this change at the fork that names it.\\n' $(" + search[len("grep -l '^category: Core' $("):len(search)-1] + " | xargs grep -l '^category: Core')")
		},
	}
}

// moveBetween moves a section to another page, with its definitions and what links to it.
func moveBetween() errand {
	const from, to, title = "src/glossary.md", "src/items.md", "### Free item"
	const body = "\n\nAn [item] that is not a member of an [implementation], such as a *free function* or a *free const*. Contrast to an [associated item].\n\n"
	const last = "[union definitions]: items/unions.md\n"
	const definitions = "[associated item]: glossary.md#associated-item\n[implementation]: items/implementations.md\n[item]: items.md\n"
	const own, newOwn = "[free item]: #free-item\n", "[free item]: items.md#free-item\n"
	const anchor, newAnchor = "glossary.md#free-item", "items.md#free-item"
	const section = "\n## Free item" + body + definitions
	return errand{
		name: "a section moved to another page, with definitions and links",
		told: "Move Free item from src/glossary.md to the end of Items in src/items.md, with the definitions that it uses; let links to it lead there.",
		repo: reference, docs: pages,
		want: func(w *wanted) {
			w.cut(from, 66, 4, title, "")
			w.cut(from, 328, 1, "[free item]", newOwn)
			w.lines(to, 93, 93, "[union definitions]")
			w.cut(to, 94, 0, "", section)
			for name, line := range map[string]int{"src/expressions/block-expr.md": 362, "src/items/constant-items.md": 114, "src/attributes/testing.md": 190} {
				text := w.lines(name, line, line, "[free")
				w.cut(name, line, 1, "[free", strings.Replace(text, anchor, newAnchor, 1))
			}
		},
		ours: func(h *hand) {
			h.call("move_section", args{"path": from, "heading": title, "action": "move", "to_path": to, "to": "Items", "where": "last", "links": "update"})
		},
		shell: func(h *hand) {
			h.sh("grep -n -A 4 '" + title + "' " + from)
			h.sh("tail -n 40 " + to)
			found := h.sh("grep -rn '#free-item' src")
			h.replace(to, last, last+section)
			h.replace(from, title+body, "")
			h.replace(from, own, newOwn)
			for _, at := range hits(found) {
				if at.name != from {
					h.replace(at.name, anchor, newAnchor)
				}
			}
		},
	}
}

// renameHeading renames a heading and all links to it.
func renameHeading() errand {
	const name, title, to = "src/expressions.md", "Place expressions and value expressions", "Places and values"
	const anchor, newAnchor = "#place-expressions-and-value-expressions", "#places-and-values"
	const search = "grep -rn '" + anchor + "' src"
	return errand{
		name: "a heading renamed, with links in 11 documents",
		told: "Rename Place expressions and value expressions in src/expressions.md to Places and values; let links to it lead there.",
		repo: reference, docs: pages,
		want: func(w *wanted) {
			w.replace(anchor, newAnchor)
			w.replace("\n## "+title+"\n", "\n## "+to+"\n")
		},
		ours: func(h *hand) {
			h.call("edit_section", args{"path": name, "heading": title, "action": "rename", "content": to, "links": "update"})
		},
		shell: func(h *hand) {
			names := namesIn(h.sh(search))
			h.replace(name, "## "+title, "## "+to)
			for _, name := range names {
				h.replaceAll(name, anchor, newAnchor)
			}
		},
		sed: func(h *hand) {
			h.sh(search)
			h.sh("grep -rl '" + anchor + "' src | xargs sed -i 's/" + anchor + "/" + newAnchor + "/'; sed -i 's/^## " + title + "/## " + to + "/' " + name)
		},
	}
}

// namesIn are the documents that grep has found something in, each once.
func namesIn(reply string) (names []string) {
	known := map[string]bool{}
	for _, at := range hits(reply) {
		if name := path.Clean(at.name); !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	return names
}
