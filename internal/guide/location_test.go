package guide

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestLocation(t *testing.T) {
	for _, c := range []struct{ category, path, want string }{
		{"docs", "intro.md", "guide://category/docs/intro.md"},
		{"docs", "deep/er/intro.md", "guide://category/docs/deep/er/intro.md"},
		{"größe", "日本.md", "guide://category/gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC.md"},
		{"a-b_c", "my notes.md", "guide://category/a-b_c/my%20notes.md"},
		{"docs", `say "hi" 'x'.md`, "guide://category/docs/say%20%22hi%22%20%27x%27.md"},
		{"docs", "a\r\nX: y.md", "guide://category/docs/a%0D%0AX:%20y.md"},
		{"docs", "100%.md", "guide://category/docs/100%25.md"},
		{"docs", "a#b?c;d.md", "guide://category/docs/a%23b%3Fc%3Bd.md"},
		{"docs", `a\b.md`, "guide://category/docs/a%5Cb.md"},
		{"docs", "a%2Fb.md", "guide://category/docs/a%252Fb.md"},
		{"docs", "a\xffb", "guide://category/docs/a%FFb"},
		{"docs", "a+b=c&d@e,f.md", "guide://category/docs/a+b=c&d@e%2Cf.md"},
		{"docs", "...", "guide://category/docs/..."},
	} {
		got := Location(c.category, c.path)
		if got != c.want {
			t.Errorf("%q of %q is at %s, not %s", c.path, c.category, got, c.want)
		}
		category, path, anchor, err := ParseLocation(got + "#an%20anchor")
		if category != c.category || path != c.path || anchor != "an anchor" || err != nil {
			t.Errorf("%s is %q of %q at %q, %v", got, path, category, anchor, err)
		}
	}
}

func TestParseLocation(t *testing.T) {
	for _, c := range []struct{ uri, category, path, anchor string }{
		{"guide://category/docs/intro.md#install", "docs", "intro.md", "install"},
		{"GUIDE://Category/docs/intro.md", "docs", "intro.md", ""},
		{"guide://category/docs/my notes/größe.md#Erste Schritte", "docs", "my notes/größe.md", "Erste Schritte"},
		{"guide://category/docs/a%2eb.md", "docs", "a.b.md", ""},
		{"guide://category/docs/a.md#", "docs", "a.md", ""},
		{"guide://category/docs/a.md#x#y?z/..", "docs", "a.md", "x#y?z/.."},
		{"guide://category/docs/a+b.md#c+d", "docs", "a+b.md", "c+d"},
		{"guide://category/a%20b/c:d@e.md", "a b", "c:d@e.md", ""},
	} {
		category, path, anchor, err := ParseLocation(c.uri)
		if category != c.category || path != c.path || anchor != c.anchor || err != nil {
			t.Errorf("%s is %q of %q at %q, %v", c.uri, path, category, anchor, err)
		}
	}
}

func TestParseLocationErrors(t *testing.T) {
	for uri, part := range map[string]string{
		"":                                       "doesn't begin with guide://",
		"docs/intro.md":                          "doesn't begin with guide://",
		"guide:category/docs/a.md":               "doesn't begin with guide://",
		"file:///etc/passwd":                     "doesn't begin with guide://",
		"#guide://category/docs/a.md":            "doesn't begin with guide://",
		"guide://":                               "only guide://category/",
		"guide://plan/docs/a.md":                 "only guide://category/",
		"guide://category:80/docs/a.md":          "only guide://category/",
		"guide://me@category/docs/a.md":          "only guide://category/",
		"guide://%63ategory/docs/a.md":           "only guide://category/",
		"guide://category":                       "names no category",
		"guide://category/":                      "names no category",
		"guide://category//a.md":                 "names no category",
		"guide://category/docs":                  "names no file",
		"guide://category/docs/":                 "names no file",
		"guide://category/docs/#x":               "names no file",
		"guide://category/docs/a?.md":            "as %3F",
		"guide://category/docs/a.md?x=1":         "write",
		"guide://category/docs/../a.md":          `component 1 of the path is ".."`,
		"guide://category/docs/x/%2E%2e/a.md":    `component 2 of the path is ".."`,
		"guide://category/docs/./a.md":           `is "."`,
		"guide://category/../a.md":               `the category's name is ".."`,
		"guide://category/docs/x//a.md":          "component 2 of the path is empty",
		"guide://category/docs/x/":               "component 2 of the path is empty",
		"guide://category/docs/a%00b.md":         "NUL",
		"guide://category/docs/a\x00b.md":        "NUL",
		"guide://category/docs/..%2f..%2fpasswd": "an encoded slash",
		"guide://category/a%2Fb/c.md":            "an encoded slash",
		"guide://category/docs/100%.md":          "write %25",
		"guide://category/%zz/a.md":              "write %25",
		"guide://category/docs/a.md#%":           "the anchor",
	} {
		category, path, anchor, err := ParseLocation(uri)
		typed, ok := errors.AsType[*Error](err)
		if !ok || typed.Type != ValidationError || category != "" || path != "" || anchor != "" {
			t.Errorf("%q is %q of %q at %q, %v", uri, path, category, anchor, err)
			continue
		}
		if !strings.Contains(typed.Message, part) || !strings.Contains(typed.Message, "guide://category/NAME/PATH") {
			t.Errorf("%q: %q doesn't say %q and how it is written", uri, typed.Message, part)
		}
	}
}

// FuzzLocation turns any names into a URI and back: it is plain ASCII that
// another parser understands in the same way, and gives the same names. Any text
// is read without a panic, and what is read from it has a URI of its own.
func FuzzLocation(f *testing.F) {
	for _, path := range []string{"a.md", "a b/c.md", "%2e%2e/x", "a\r\nb", "größe", "a\xff", "a;b?c#d", `\`, "a//b", "/a", "..", ""} {
		f.Add("docs", path, "an anchor")
		f.Add(path, "a.md", path)
		f.Add("guide://category/docs/"+path+"#x", path, "")
	}
	f.Fuzz(func(t *testing.T, category, path, anchor string) {
		if c, p, a, err := ParseLocation(category); err == nil {
			checkLocation(t, c, p, a)
		}
		if isName(category) && isPath(path) {
			checkLocation(t, category, path, anchor)
		} else if !strings.Contains(category, "/") {
			if _, _, _, err := ParseLocation(Location(category, path)); err == nil {
				t.Errorf("%q of %q is no path, and is accepted", path, category)
			}
		}
	})
}

func checkLocation(t *testing.T, category, path, anchor string) {
	t.Helper()
	uri := Location(category, path)
	if strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"'<>\^{|}`+"`", r) }) {
		t.Errorf("%q of %q is at %q", path, category, uri)
	}
	uri += "#" + url.PathEscape(anchor)
	c, p, a, err := ParseLocation(uri)
	if c != category || p != path || a != anchor || err != nil {
		t.Errorf("%q of %q at %q came back as %q of %q at %q, %v", path, category, anchor, p, c, a, err)
	}
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "guide" || u.Host != "category" || u.Path != "/"+category+"/"+path || u.Fragment != anchor || u.RawQuery != "" {
		t.Errorf("%q is read by net/url as %+v, %v", uri, u, err)
	}
}

func isPath(path string) bool {
	for component := range strings.SplitSeq(path, "/") {
		if !isName(component) {
			return false
		}
	}
	return true
}

func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}
