package selecting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestSelectAddress asks for addresses that are no selectors: all that they fit is shown, in one
// document and several, with and without a limit; what fits nothing is told as a wrong selector,
// with what there is.
func TestSelectAddress(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{
		"a.md": "---\ntitle: x\n---\nBefore.\n\n# T\n\n- [ ] one\n- [x] two\n- [ ] three\n\n## Install\n\n```sh\na\nb\n```\n\n| F | P |\n|---|---|\n| x | 1 |\n",
		"b.md": "# Other\n\n## Install\n\ntext\n",
	}))
	for _, c := range []struct {
		paths, selector string
		want            string // the text, or what is in the error
		kinds           string // of the matches, in JSON
	}{
		{"a.md", "task[open]", "h1.0/list.0/item.0:\n- [ ] one\nh1.0/list.0/item.2:\n- [ ] three\n", "item item"},
		{"a.md", "T/task[done]", "- [x] two\n", "item"},
		{"a.md", "#install?head=1", "## Install\n", "section"},
		{"a.md", "Install/code[sh]?tail=2", "b\n```\n", "code"},
		{"a.md", `table["x", "P"]`, "1\n", "table_cell"},
		{"a.md", `table["P"]`, "| F | P |\n|---|---|\n| x | 1 |\n", "column"},
		{"a.md", "@frontmatter.title", "x\n", "key"},
		{"a.md", "@frontmatter", "---\ntitle: x\n---\n", "frontmatter"},
		{"a.md", "@preamble", "Before.\n", "preamble"},
		{"a.md", "L9", "", "section"},
		{"a.md b.md", "b::Install?head=1", "## Install\n", "section"},
		{"a.md b.md", "Install?head=1", "a::h2.0:\n## Install\nb::h2.0:\n## Install\n", "section section"},
		{"a.md", "code[go]", `as an address: none of the 1 code block is in the language "go"; there are "sh"`, ""},
		{"a.md", "@frontmatter.none", "the front matter has no key \"none\"; use one of these addresses: @frontmatter.title", ""},
		{"a.md b.md", "nothing", "no document has it as an address", ""},
		{"a.md", "?", "INVALID", ""},
		{"a.md", "h9", "INVALID_HEADING_LEVEL: Unknown selector 'h9' - use h1-h6, code, para, list, table, quote, root, or section\n", ""},
	} {
		docs := documents.Set{Paths: strings.Fields(c.paths)}
		for _, most := range []int{0, 4000} {
			var out, errs bytes.Buffer
			err := Select(t.Context(), docs, SelectRequest{Selector: c.selector, MaxChars: most}, &out, &errs)
			text := out.String() + errs.String()
			if c.kinds == "" && (err == nil || !strings.Contains(text, c.want)) || c.kinds != "" && c.want != "" && (err != nil || strings.ReplaceAll(text, "\n\n", "\n") != c.want) {
				t.Errorf("%s in %s, %d: %q, %v", c.selector, c.paths, most, text, err)
			}
		}
		var out bytes.Buffer
		_ = Select(t.Context(), docs, SelectRequest{Selector: c.selector, JSON: true}, &out, nil)
		var reply struct {
			Data struct{ Matches []struct{ Type string } }
		}
		if err := json.Unmarshal(out.Bytes(), &reply); err != nil {
			t.Fatalf("%v: %s", err, out.Bytes())
		}
		var kinds []string
		for _, m := range reply.Data.Matches {
			kinds = append(kinds, m.Type)
		}
		if got := strings.Join(kinds, " "); got != c.kinds {
			t.Errorf("%s in %s: kinds %q", c.selector, c.paths, got)
		}
		out.Reset()
		if err := Select(t.Context(), docs, SelectRequest{Selector: c.selector, Alone: true}, &out, &out); err == nil {
			t.Errorf("%s alone: %q", c.selector, out.String())
		}
	}
}

// TestSelectAddressOfMany: parts that are more than a reply is about are told as that; without a
// limit all are there, each with its selector.
func TestSelectAddressOfMany(t *testing.T) {
	for parts, want := range map[int]string{maxEffort: "h1.0/link.1:\n[a](b)", maxEffort + 1: "as an address it stands for more than 10000 parts"} {
		var out bytes.Buffer
		src := []byte("# Many\n\n" + strings.Repeat("[a](b) ", parts) + "\n")
		_ = Select(t.Context(), onStdin(src)(), SelectRequest{Selector: "@document/link", MaxChars: 1000}, &out, &out)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%d: %.300s", parts, out.String())
		}
	}
	const parts = address.MaxNamed + 500
	src := []byte("# Many\n\n" + strings.Repeat("- [ ] task\n", parts))
	for asJSON, name := range map[bool]string{false: "\nh1.0/list.0/item.%d:\n", true: `list.0/item.%d","type"`} {
		var out bytes.Buffer
		_ = Select(t.Context(), onStdin(src)(), SelectRequest{Selector: `task["task"]`, JSON: asJSON}, &out, &out)
		for i := 1; i < parts; i++ {
			if !strings.Contains(out.String(), fmt.Sprintf(name, i)) {
				t.Fatalf("JSON %v: part %d has no selector", asJSON, i)
			}
		}
	}
}

// TestLabels selects by each selector that replies about files with all kinds of names print, of a
// match and of what is left out of one: it stands for that match in that file.
func TestLabels(t *testing.T) {
	text := "---\ntitle: x\n---\n" + strings.Repeat("Before, in many words of many lines.\n", 20) + "\n# The title\n\n- [ ] one\n- [ ] two\n\n" +
		"## Install\n\n```sh\na\nb\n```\n\n[link](x.md)\n\n| F | P |\n|---|---|\n| x | 1 |\n"
	names := []string{"other.md", "release notes.md", "it's.md", "a#b.md", "h1.0.md", "[x].md", "a%20b.md", "ключ é.md", "task[open].md", "@document.md", "a & b.md"}
	if runtime.GOOS != "windows" {
		names = append(names, `say "x".md`, "a:b.md", "a::b.md", "a?b.md", `a\b.md`, "a?head=1.md", "h1::h2.md", `"x"::@preamble.md`)
	}
	files := map[string]string{}
	for _, name := range names {
		files[name] = text
	}
	t.Chdir(testkit.Folder(t, files))
	rest := regexp.MustCompile(`rest: (.*)\]\n`)
	for _, name := range names[1:] {
		docs := documents.Set{Paths: []string{names[0], "./" + name}}
		for _, selector := range []string{"@document", "@preamble", "@frontmatter", "@frontmatter.title", "The title", "#install", "task[open]", "link.0", "h1", "h2.0", "code", "code[sh]", `table["P"]`, `table["x", "P"]`} {
			type match struct {
				Selector, Content string
			}
			selected := func(selector string) (list []match) {
				var out bytes.Buffer
				err := Select(t.Context(), docs, SelectRequest{Selector: selector, JSON: true, Full: true, Literal: true}, &out, nil)
				var reply struct{ Data struct{ Matches []match } }
				if err != nil || json.Unmarshal(out.Bytes(), &reply) != nil {
					t.Fatalf("%q in %s: %v\n%s", selector, name, err, out.Bytes())
				}
				return reply.Data.Matches
			}
			all := selected(selector)
			if len(all) < 2 {
				t.Errorf("%q in %s: %q", selector, name, all)
			}
			for _, m := range all {
				if again := selected(m.Selector); len(again) != 1 || again[0] != m {
					t.Errorf("%q in %s names %s, which is %q", selector, name, m.Selector, again)
				}
			}
			var out bytes.Buffer
			if err := Select(t.Context(), docs, SelectRequest{Selector: selector, MaxChars: 700, Literal: true}, &out, nil); err != nil {
				t.Fatal(err)
			}
			found := rest.FindAllStringSubmatch(out.String(), -1)
			if (selector == "@document" || selector == "@preamble") && len(found) < 2 {
				t.Errorf("%q in %s leaves out nothing:\n%s", selector, name, out.String())
			}
			for _, f := range found {
				if again := selected(f[1]); len(again) != 1 {
					t.Errorf("%q in %s has the rest %s, which is %q", selector, name, f[1], again)
				}
			}
		}
	}
}
