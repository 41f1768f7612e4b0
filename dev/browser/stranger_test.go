package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// What a stranger does who has read nothing: the page is used by what it says alone, the roles and
// names that the browser tells to assistive technology.

// see returns the first thing on the page with a role and a name that has the text, once it is
// there, and that name.
func (l *looked) see(role, text string) (cdp.BackendNodeID, string) {
	l.Helper()
	var all []string // as they were last
	for {
		nodes, err := l.withRole(role)
		if err == nil {
			all = nil
		}
		for _, n := range nodes {
			if n.Ignored || n.Name == nil {
				continue
			}
			var name string
			if json.Unmarshal(n.Name.Value, &name) == nil && strings.Contains(name, text) {
				return n.BackendDOMNodeID, name
			}
			all = append(all, name)
		}
		if l.ctx.Err() != nil {
			l.Fatalf("there is no %s %q, but %q (%v)", role, text, all, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// withRole returns what has a role on the page.
func (l *looked) withRole(role string) (nodes []*accessibility.Node, err error) {
	return nodes, chromedp.Do(l.ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		page, err := cdp.Call(ctx, t, dom.GetDocument, dom.GetDocumentParams{})
		if err != nil {
			return err
		}
		found, err := cdp.Call(ctx, t, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{NodeID: page.Root.NodeID, Role: role})
		nodes = found.Nodes
		return err
	}))
}

// click clicks in the middle of what see returns.
func (l *looked) click(role, text string) {
	l.Helper()
	id, _ := l.see(role, text)
	var x, y float64
	l.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: id}); err != nil {
			return err
		}
		found, err := cdp.Call(ctx, t, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: id})
		if err != nil {
			return err
		}
		corners := found.Quads[0]
		x, y = (corners[0]+corners[4])/2, (corners[1]+corners[5])/2
		return nil
	}))
	l.do(chromedp.MouseClickXY(x, y))
}

// TestStranger has somebody who knows nothing of the page look at this project: find a section by
// search, see what an agent that runs meanwhile reads and changes in it, and take its change back.
// A page that only shows says by which command.
func TestStranger(t *testing.T) {
	needBrowser(t)
	for name, flags := range map[string][]string{"sectile view": nil, "sectile view --view-writes": {"--view-writes"}} {
		t.Run(name, func(t *testing.T) {
			place := t.TempDir()
			root := filepath.Join(place, "sectile")
			if err := copyMarkdown(filepath.Join("..", ".."), root); err != nil {
				t.Fatal(err)
			}
			readme := filepath.Join(root, "README.md")
			before, err := os.ReadFile(readme)
			if err != nil {
				t.Fatal(err)
			}
			l := lookAt(t, place, root, flags...)
			agent, err := l.agent(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer agent.Close()

			l.do(sized(1280, 800, false)) // the outline at the side: a browser tells nothing of what it hasn't laid out
			l.see("heading", "sectile")
			l.click("searchbox", "Search sections")
			l.do(chromedp.KeyEvent("install doctor"))
			l.click("link", "README.md › ") // as one types
			l.see("heading", "Install")
			if _, name := l.see("link", "Install 23"); strings.Contains(name, "changed") || strings.Contains(name, "read") {
				t.Errorf("before anything was done: %s", name)
			}

			if err := call(t.Context(), agent, "read_file", map[string]any{"path": "README.md", "heading": "## Install"}); err != nil {
				t.Fatal(err)
			}
			l.see("link", "Install read")
			if err := call(t.Context(), agent, "edit_section", map[string]any{"path": "README.md", "heading": "## Install", "action": "append", "content": "Nobody needs this sentence."}); err != nil {
				t.Fatal(err)
			}
			l.see("StaticText", "Nobody needs this sentence.")
			l.see("link", "Install changed")

			l.click("link", "Watch")
			l.see("heading", "Changed in the last 24 hours")
			l.see("StaticText", agentName)
			l.see("link", "README.md")
			l.see("heading", "Read by agents")
			l.click("link", "Difference of")
			l.see("heading", "Change of README.md")
			l.see("StaticText", "+Nobody needs this sentence.")
			if flags == nil {
				_, command := l.see("StaticText", "sectile undo ")
				words := regexp.MustCompile(`^sectile (undo) ([a-z0-9]+)$`).FindStringSubmatch(command)
				if words == nil {
					t.Fatalf("the command is %q", command)
				}
				if out, err := l.command(t.Context(), words[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				l.see("StaticText", "undone")
			} else {
				l.click("button", "Undo this change")
				l.see("StaticText", " is taken back by ")
			}
			if now, err := os.ReadFile(readme); err != nil || !bytes.Equal(now, before) {
				t.Errorf("the document isn't what it was: %v", err)
			}
		})
	}
}
