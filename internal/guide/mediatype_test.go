package guide

import (
	"mime"
	"strings"
	"testing"
)

func TestContentType(t *testing.T) {
	const markdown, plain = "text/markdown; charset=utf-8", "text/plain; charset=utf-8"
	for name, want := range map[string]string{
		"intro.md": markdown, "a/b/INTRO.MD": markdown, "x.Markdown": markdown, "x.mdx": markdown,
		"x.txt": plain, "LICENSE": plain, "Makefile": plain, "x.unknown": plain, "x.go": plain, "x.py": plain,
		".md": markdown, ".gitignore": plain, "a.md/b": plain, "a.json/b.md": markdown, "x.md.bak": plain, "x.": plain, "": plain,
		"x.json": "application/json", "x.yaml": "application/yaml", "x.yml": "application/yaml", "x.toml": "application/toml",
		"x.html": "text/html; charset=utf-8", "x.HTM": "text/html; charset=utf-8", "x.css": "text/css; charset=utf-8",
		"x.csv": "text/csv; charset=utf-8", "x.xml": "text/xml; charset=utf-8", "x.js": "text/javascript; charset=utf-8",
		"x.svg": "image/svg+xml",
	} {
		if got := ContentType(name); got != want {
			t.Errorf("%q is %s, not %s", name, got, want)
		}
	}
	for ext := range mediaTypes {
		kind, params, err := mime.ParseMediaType(ContentType("x" + ext))
		if err != nil || (params["charset"] == "utf-8") != strings.HasPrefix(kind, "text/") || strings.ToLower(ext) != ext {
			t.Errorf("%s is %s with %v, %v", ext, kind, params, err)
		}
	}
}
