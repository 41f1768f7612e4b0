package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/runes"
)

// Documents are resources too: for people who attach them to a conversation, and
// for links in replies.

const (
	docPrefix   = "doc:///"
	docTemplate = docPrefix + "{+path}"
	// maxResource is the size in bytes beyond which a document is not handed out
	// whole.
	maxResource = 1 << 20
)

// addResources adds the documents of the workspace.
func (s *server) addResources() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: docTemplate, Name: "document", Title: "Markdown document",
		Description: "A document of the workspace as it is; with #anchor one section of it.",
		MIMEType:    "text/markdown",
	}, s.readDocument)
	if s.servesGuides() {
		s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: guiding.GuideTemplate, Name: "guide", Title: "Guide document",
			Description: "A document of a category as get_category_content gives it; with #anchor one section of it.",
		}, s.readGuide)
	}
	s.mcp.AddReceivingMiddleware(s.plainURIs)
}

// plainURIs lets URIs through that are not encoded as they should be, and explains those
// that can't be understood. Without it they match no template, and the client is told
// that there is no such resource and not why.
func (s *server) plainURIs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		read, ok := req.(*mcp.ReadResourceRequest)
		if !ok {
			return next(ctx, method, req)
		}
		asked := read.Params.URI
		uri, err := s.encodedURI(asked)
		if err != nil {
			return nil, err
		}
		params := *read.Params
		params.URI = uri
		canonical := *read
		canonical.Params = &params
		result, err := next(ctx, method, &canonical)
		if found, ok := result.(*mcp.ReadResourceResult); ok && found != nil {
			for _, c := range found.Contents { // the client knows it by what it asked for
				c.URI = asked
			}
		}
		if failed, ok := errors.AsType[*jsonrpc.Error](err); ok && failed.Data != nil && !json.Valid(failed.Data) {
			failed.Data = uriData(asked) // the library has it in quotes as Go writes them
		}
		return result, err
	}
}

// encodedURI returns a URI of a document or guide as its template has it.
func (s *server) encodedURI(uri string) (string, error) {
	scheme, _, _ := strings.Cut(uri, ":")
	switch {
	case strings.EqualFold(scheme, "guide") && s.servesGuides():
		encoded, err := guiding.GuideURI(uri)
		if err != nil {
			return "", resourceError(uri, err)
		}
		return encoded, nil
	case strings.EqualFold(scheme, "doc"):
		path, address, err := splitDocURI(uri)
		if err != nil {
			return "", err
		}
		encoded := docPrefix + (&url.URL{Path: path}).EscapedPath()
		if address != "" {
			encoded += "#" + (&url.URL{Fragment: address[1:]}).EscapedFragment()
		}
		return encoded, nil
	}
	return uri, nil
}

// servesGuides reports whether guides are offered: who leaves their tools out
// doesn't want them.
func (s *server) servesGuides() bool {
	return slices.ContainsFunc(s.tools, func(t *tool) bool { return t.set == setGuide })
}

// readGuide returns a document of a category, or the section that an anchor names.
func (s *server) readGuide(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	work := s.workspace.Begin(ctx, leaver(ctx))
	defer work.End()
	d, err := s.guides.Document(ctx, work, uri)
	if err != nil {
		return nil, resourceError(uri, err)
	}
	return resource(uri, d.Type, d.Text), nil
}

// readDocument returns a document, or the section that an anchor names.
func (s *server) readDocument(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	path, address, err := splitDocURI(uri)
	if err != nil {
		return nil, err
	}
	work := s.workspace.Begin(ctx, leaver(ctx))
	defer work.End()
	c := call{workspace: s.workspace, work: work, session: s.session, reader: s.readerOf(req)}
	text, err := reading.Passage(c.documents(path), address, maxResource)
	if err != nil {
		return nil, resourceError(uri, err)
	}
	return resource(uri, "text/markdown", text), nil
}

// resource is the answer for a resource. An empty text would be left out of the JSON, as
// the library has it, and what has neither text nor blob is none for clients.
func resource(uri, mediaType string, text []byte) *mcp.ReadResourceResult {
	c := &mcp.ResourceContents{URI: uri, MIMEType: mediaType, Text: string(text)}
	if len(text) == 0 {
		c.Blob = []byte{}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}
}

// splitDocURI returns the path and the address that a URI of a document names. The
// address is empty for all of it.
func splitDocURI(uri string) (path, address string, err error) {
	prefix, rest := uri[:min(len(uri), len(docPrefix))], uri[min(len(uri), len(docPrefix)):]
	rest, anchor, found := strings.Cut(rest, "#")
	path, err = url.PathUnescape(rest)
	if err == nil {
		anchor, err = url.PathUnescape(anchor)
	}
	if err != nil || path == "" || !strings.EqualFold(prefix, docPrefix) {
		return "", "", invalidParams("a document is " + docTemplate + ", with #anchor for a section; % is written %25")
	}
	if found && anchor != "" {
		address = "#" + anchor
	}
	return path, address, nil
}

// resourceError is the error for a resource that can't be read.
func resourceError(uri string, err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: errorText(toolVoice, err), Data: uriData(uri)}
}

// uriData tells of which URI an error is, as the protocol wants it.
func uriData(uri string) json.RawMessage {
	data, _ := json.Marshal(map[string]string{"uri": runes.Clip(uri, maxErrorChars)}) // a text can't fail
	return data
}
