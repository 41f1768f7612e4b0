package cli_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// Links of the documentation lead to files that are there, and their anchors to
// sections by our own rules. The tests that it names exist.

// pageLink is the target of a link or picture, in Markdown or in HTML.
var pageLink = regexp.MustCompile(`\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"]+)"`)

// codeInText is code in a line, in which nothing is a link.
var codeInText = regexp.MustCompile("`[^`]*`")

// linkedPages are all pages whose links are followed.
func linkedPages(t *testing.T) []string {
	t.Helper()
	pages := docsPages(t)
	for _, pattern := range []string{"*.md", "docs/decisions/*.md"} {
		more, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(more) == 0 {
			t.Fatal("there are no pages", pattern, err)
		}
		pages = append(pages, more...)
	}
	return pages
}

func TestDocumentedLinks(t *testing.T) {
	links := 0
	for _, page := range linkedPages(t) {
		for _, link := range linksOf(readPage(t, page)) {
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if u.Scheme != "" {
				continue
			}
			links++
			if reason := follow(page, u); reason != "" {
				t.Errorf("%s: %s: %s", page, link, reason)
			}
		}
	}
	if links < 40 {
		t.Errorf("%d links were followed, want at least 40", links)
	}
	for link, right := range map[string]bool{"README.md#two-commands": true, "README.md#three-commands": false, "nowhere.md": false} {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		if got := follow(filepath.Join("..", "..", "AGENTS.md"), u); (got == "") != right {
			t.Errorf("%s: %q", link, got)
		}
	}
}

// TestDocumentationIndex sees that docs/README.md names every page.
func TestDocumentationIndex(t *testing.T) {
	links := linksOf(readPage(t, filepath.Join("..", "..", "docs", "README.md")))
	for _, page := range docsPages(t) {
		if name := filepath.Base(page); name != "README.md" && !slices.Contains(links, name) {
			t.Errorf("docs/README.md doesn't name %s", name)
		}
	}
}

// linksOf returns the targets of the links of a document that are not in code.
func linksOf(text string) []string {
	var links []string
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		marks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		switch {
		case fence != "" && trimmed == fence:
			fence = ""
		case fence == "" && len(marks) > 2:
			fence = marks
		case fence == "":
			for _, m := range pageLink.FindAllStringSubmatch(codeInText.ReplaceAllString(line, ""), -1) {
				links = append(links, m[1]+m[2])
			}
		}
	}
	return links
}

// follow says why a link of a page leads nowhere, or nothing.
func follow(page string, u *url.URL) string {
	target := page
	if u.Path != "" {
		target = filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))
	}
	info, err := os.Stat(target)
	if err != nil {
		return "there is no such file"
	}
	if u.Fragment == "" || info.IsDir() {
		return ""
	}
	text, err := os.ReadFile(target)
	if err != nil {
		return err.Error()
	}
	doc, err := markdown.Parse(text)
	if err != nil {
		return err.Error()
	}
	if _, err := address.Resolve(doc, "#"+u.Fragment); err != nil {
		return err.Error()
	}
	return ""
}

// testCommand is a command that runs tests: the folders, the kind of functions and the
// pattern of their names.
var testCommand = regexp.MustCompile(`go test (\./[\w/.]+(?: \./[\w/.]+)*)[^` + "`" + `\n]*? -(run|bench|fuzz) '?([A-Za-z](?:\w|\\?\|)*)`)

// scriptName is the name of a script or of a folder of scripts.
var scriptName = regexp.MustCompile("`((?:scripts|dev)/[a-z-]+(?:/[a-z-]+)?)[` ]")

func TestDocumentedTests(t *testing.T) {
	named := 0
	sources := map[string]string{}
	for _, page := range linkedPages(t) {
		for _, m := range scriptName.FindAllStringSubmatch(readPage(t, page), -1) {
			named++
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
		for _, m := range testCommand.FindAllStringSubmatch(readPage(t, page), -1) {
			if m[3] == "FuzzName" {
				continue // stands for any
			}
			named++
			if reason := missingTest(t, sources, m[1], m[2], m[3]); reason != "" {
				t.Errorf("%s: %s: %s", page, m[0], reason)
			}
		}
	}
	if named < 60 {
		t.Errorf("%d commands were looked at, want at least 60", named)
	}
	if missingTest(t, sources, "./edit", "run", "NoSuchTest") == "" || missingTest(t, sources, "./edit", "bench", "Laws") == "" {
		t.Error("a test that is not there is not missed")
	}
}

// missingTest says that a pattern, or an alternative of it, names no function of the
// folders, or nothing. It keeps the first lines of each folder's functions in sources.
func missingTest(t *testing.T, sources map[string]string, dirs, kind, pattern string) string {
	t.Helper()
	functions := ""
	for dir := range strings.FieldsSeq(dirs) {
		if _, ok := sources[dir]; !ok {
			sources[dir] = functionLines(t, dir)
		}
		functions += sources[dir]
	}
	prefix := map[string]string{"run": "(Test|Fuzz|Example)", "bench": "Benchmark", "fuzz": "Fuzz"}[kind]
	for name := range strings.SplitSeq(strings.ReplaceAll(pattern, `\|`, "|"), "|") {
		defined := regexp.MustCompile(`(?m)^func ` + prefix + `\w*` + name)
		if strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Benchmark") {
			defined = regexp.MustCompile(`(?m)^func ` + name)
		}
		if !defined.MatchString(functions) {
			return "no function has a name with " + name
		}
	}
	return ""
}

// functionLines returns the first line of each function in the tests of a folder.
func functionLines(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		for line := range strings.Lines(readPage(t, file)) {
			if strings.HasPrefix(line, "func ") {
				all.WriteString(line)
			}
		}
	}
	return all.String()
}

// readPage returns the text of a file.
func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
