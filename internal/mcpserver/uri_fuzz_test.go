package mcpserver

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/guiding"
)

// FuzzResourceURI reads any URI of a document or a guide. What comes is a part of a
// document that is there, or an error of the protocol that is not long; and the URI of a
// path stands for that path.
func FuzzResourceURI(f *testing.F) {
	for _, rest := range []string{
		"guide.md", "guide.md#usage", "a%20b.md", "%2e%2e/x.md", "../x", "%zz", "guide.md#%zz", "", "#usage", "/etc/passwd", "guide.md?x#y", "\x00", "größe.md", "guide.md#L3", "a//b", "\xff", "sub/",
	} {
		f.Add(docPrefix+rest, rest)
		f.Add("guide://category/rules/"+rest, rest)
		f.Add(rest, rest)
	}
	dir := docs(f, guided(nil))
	s := start(f, doctor.ServerOptions{Roots: []string{dir}})
	f.Fuzz(func(t *testing.T, uri, path string) {
		for _, read := range []mcp.ResourceHandler{s.readDocument, s.readGuide} {
			result, err := read(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: uri}})
			if err != nil {
				checkResourceError(t, dir, err)
				continue
			}
			if len(result.Contents) != 1 || result.Contents[0].URI != uri || !utf8.ValidString(result.Contents[0].Text) {
				t.Errorf("%q: %+v", uri, result)
			}
		}
		if path == "" || strings.HasPrefix(path, "/") || !utf8.ValidString(path) {
			return
		}
		if got, address, err := splitDocURI(docPrefix + guiding.TemplateValue(path)); err != nil || got != path || address != "" {
			t.Errorf("%q is written %q and read %q, %q, %v", path, docPrefix+guiding.TemplateValue(path), got, address, err)
		}
	})
}

// checkResourceError checks the form of an error, and that it names no place on this
// machine.
func checkResourceError(t *testing.T, dir string, err error) {
	t.Helper()
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Message == "" || utf8.RuneCountInString(e.Message) > maxErrorChars || !utf8.ValidString(e.Message) ||
		e.Data != nil && !json.Valid(e.Data) || strings.Contains(e.Message, dir) {
		t.Errorf("%#v", err)
	}
}
