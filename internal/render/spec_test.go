package render

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// The specified HTML of the examples is not part of the project. Modules that other tests
// use have it among their own tests, and so it is in the module cache: goldmark that of
// CommonMark 0.31.2, rsc.io/markdown that of GFM 0.29 and of the extensions' tests.

// moduleFolder returns the folder of a module.
func moduleFolder(t testing.TB, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	folder := strings.TrimSpace(string(out))
	if err != nil || folder == "" {
		testkit.Missing(t, "the module "+module)
	}
	return folder
}

// html returns the document as HTML.
func html(t testing.TB, src string, o markdown.Options) string {
	t.Helper()
	d, err := (&markdown.Parser{Options: o}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return string(AppendHTML(nil, d, Options{}))
}

func TestCommonMarkSpecification(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(moduleFolder(t, "github.com/yuin/goldmark"), "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Markdown, HTML string
		Example        int
	}
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) != 652 {
		t.Errorf("%d examples", len(examples))
	}
	for _, e := range examples {
		if got := html(t, e.Markdown, markdown.CommonMark()); got != e.HTML {
			t.Errorf("example %d: %q\ngot  %q\nwant %q", e.Example, e.Markdown, got, e.HTML)
		}
	}
}

// gfmExample is an example in an archive of rsc.io/markdown.
type gfmExample struct{ name, markdown, html string }

// gfmExamples returns those of an archive.
func gfmExamples(t testing.TB, file string) []gfmExample {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`(?m)^-- (.*)\.(md|html|json) --\n`)
	marks := parts.FindAllSubmatchIndex(data, -1)
	var examples []gfmExample
	for i, m := range marks {
		end := len(data)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		text := strings.ReplaceAll(string(data[m[1]:end]), "^J", "")
		name, kind := string(data[m[2]:m[3]]), string(data[m[4]:m[5]])
		switch kind {
		case "md":
			examples = append(examples, gfmExample{name: name, markdown: text})
		case "html":
			examples[len(examples)-1].html = text
		}
	}
	return examples
}

// gfmContradicts has the examples of GFM 0.29 that CommonMark 0.31.2 contradicts, with the
// reason.
var gfmContradicts = map[string]string{
	"spec0.29.txt 622": "a comment may hold two hyphens since 0.31",
	"spec0.29.txt 623": "<!--> and a comment that ends with --- are comments since 0.31",
}

func TestGFMSpecification(t *testing.T) {
	folder := filepath.Join(moduleFolder(t, "rsc.io/markdown"), "testdata")
	compared := map[string]bool{}
	for _, file := range []string{"spec0.29.txt", "table.txt", "task.txt", "del.txt", "autoext.txt", "gfm_ext.txt"} {
		options := markdown.Options{NoFrontMatter: true}
		if file == "spec0.29.txt" { // what GFM has of CommonMark
			options = markdown.CommonMark()
		}
		for _, e := range gfmExamples(t, filepath.Join(folder, file)) {
			// The other examples of these files are rsc.io/markdown's own.
			if file != "spec0.29.txt" && file != "gfm_ext.txt" && !strings.HasPrefix(e.name, "gfm") {
				continue
			}
			compared[e.markdown] = true
			got := html(t, e.markdown, options)
			if reason := gfmContradicts[file+" "+e.name]; reason != "" {
				if got == e.html {
					t.Errorf("%s %s is as specified, in spite of %q", file, e.name, reason)
				}
				continue
			}
			if got != e.html {
				t.Errorf("%s %s: %q\ngot  %q\nwant %q", file, e.name, e.markdown, got, e.html)
			}
		}
	}
	if len(compared) < 690 {
		t.Errorf("%d examples", len(compared))
	}
}

// TestTagFilter is the example of GFM 6.11, which rsc.io/markdown lacks.
func TestTagFilter(t *testing.T) {
	const src = "<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>\n"
	const want = "<p><strong> &lt;title> &lt;style> <em></p>\n<blockquote>\n  &lt;xmp> is disallowed.  &lt;XMP> is also disallowed.\n</blockquote>\n"
	if got := html(t, src, markdown.Options{}); got != want {
		t.Errorf("got %q", got)
	}
}
