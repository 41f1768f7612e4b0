package mcpserver

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestSentBack reads sections and blocks by a tool and sends the text of the reply back by
// another one: nothing changes, and with a letter changed that byte of the file does.
func TestSentBack(t *testing.T) {
	testkit.OneGoroutine(t)
	flush := "---\ntitle: x\n---\n# Top\nintro text\n## One\nwords:\n- a\n- b\n  - deep\n\n    ```sh\n    make all\n    ```\n## Two\n> quoted\n> words\n>> again\n\n| a | b |\n|---|---|\n| c | d |\n```\ncode\n```\n## Three\n\tindented\n\n<div>\nhtml\n</div>\n"
	lines := strings.SplitAfter(flush, "\n")
	for i := range lines {
		if i%3 > 0 {
			lines[i] = strings.ReplaceAll(lines[i], "\n", "\r\n")
		}
	}
	texts := []string{flush, strings.ReplaceAll(flush, "\n", "\r\n"), strings.Join(lines, ""), strings.TrimSpace(flush)}
	if testkit.Long() {
		texts = append(texts, string(testkit.SmallFixture().Source), string(testkit.MediumFixture().Source))
	}
	hash := regexp.MustCompile(`#([0-9a-f]{16})`)
	dir := docs(t, map[string]string{"a.md": ""})
	path := filepath.Join(dir, "a.md")
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
	sent := 0
	for _, text := range texts {
		doc, err := markdown.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		testkit.WriteFile(t, path, text)
		for b := range doc.Blocks {
			node := address.NodeOfBlock(doc, b)
			selector := address.SelectorOf(doc, node)
			if res, err := address.Resolve(doc, selector); err != nil || res.Node != node {
				continue
			}
			reply, failed := ask(t, session, "read_file", object{"path": "a.md", "heading": selector})
			found := hash.FindStringSubmatch(reply)
			if failed || found == nil {
				t.Errorf("%s: %s", selector, reply)
				continue
			}
			read, _ := theirs(reply)
			write := object{"path": "a.md", "heading": selector, "action": "replace", "content": read, "expected_version": doc.Version()}
			if reply, failed := ask(t, session, "edit_section", write); !failed || !strings.HasPrefix(unmarked(reply), "no_change: ") {
				t.Fatalf("%s of %q, sent as it was read, %q: %s", selector, text, read, reply)
			}
			at, span := strings.LastIndexAny(read, "abcdefghi"), node.Span(doc)
			if sent++; at < 0 {
				continue
			}
			write["content"] = read[:at] + "x" + read[at+1:]
			reply, failed = ask(t, session, "edit_section", write)
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if want := text[:span.Start+at] + "x" + text[span.Start+at+1:]; failed || string(got) != want {
				t.Errorf("%s of %q, sent as %q, is %q: %s", selector, text, write["content"], got, reply)
			}
			testkit.WriteFile(t, path, text)
		}
	}
	if sent < 80 {
		t.Errorf("only %d parts were sent", sent)
	}
}
