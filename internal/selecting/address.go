package selecting

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// What is no selector may be another address: a heading, an anchor, a part by its text, a key of
// front matter. It stands for all that it fits, as a selector does, and may have a namespace
// before it and head and tail behind.

// matches are the parts of a document that were asked for, in order: all of them counted, and
// the first of them kept.
type matches interface {
	Count() int
	Len() int
	Node(i int) address.Node
	Selector(i int) string
}

// resolved are the parts of a document that an address stands for.
type resolved struct {
	nodes []address.Node
	names *address.Names
}

func (r resolved) Count() int              { return len(r.nodes) }
func (r resolved) Len() int                { return len(r.nodes) }
func (r resolved) Node(i int) address.Node { return r.nodes[i] }
func (r resolved) Selector(i int) string   { return r.names.Selector(r.nodes[i]) }

// parseAddress returns the namespace and the query of what is asked for, and keeps the address
// between them; nil if there is none.
func (s *selecting) parseAddress() *address.Selector {
	text := strings.TrimSpace(s.Selector)
	if s.Alone || len(text) > maxSelector || s.MaxChars > 0 && strings.Count(text, "/") > maxSteps {
		return nil
	}
	parsed := &address.Selector{}
	if rest, query := address.SplitQuery(text); query != nil {
		parsed, text = query, rest
	}
	name, rest := address.SplitNamespace(text) // as it is printed
	if name == "" {
		name, rest, _ = strings.Cut(text, "::")
	}
	if rest != "" && slices.ContainsFunc(s.files, func(f documents.NamedFile) bool { return isNamed(&f, name) }) {
		parsed.Namespace, text = name, rest
	}
	if s.address = strings.TrimSpace(text); s.address == "" {
		return nil
	}
	return parsed
}

// resolve returns what the address stands for in a document.
func (s *selecting) resolve(doc *markdown.Document, path string) (matches, error) {
	found, err := s.docs.Resolver(path, doc).Nodes(s.address)
	if err != nil {
		return nil, err
	}
	if s.MaxChars > 0 && len(found) > maxEffort {
		return nil, address.ErrTooManyMatches
	}
	return resolved{found, address.NewNames(doc)}, nil
}

// noAddress tells what is wrong with what is no selector, and no address that fits anything: of
// one document also how it nearly fits.
func (s *selecting) noAddress(err error) failure {
	f := selectorFailure(err)
	if strings.Trim(s.address, "h.,-0123456789") == "" {
		return f // it has the letters of a selector alone
	}
	if tooMany(s.reason) {
		f.Message += fmt.Sprintf("; as an address it stands for more than %d parts: choose them in a smaller one", maxEffort)
		return f
	}
	e, ok := errors.AsType[*address.Error](s.reason)
	if !ok || s.searched != 1 {
		f.Message += "; no document has it as an address"
		return f
	}
	f.Message += "; as an address: " + replies.Clip(e.Message, maxReason)
	if e.Code == address.HeadingNotFound {
		var there []string
		for _, c := range e.Candidates[:min(len(e.Candidates), maxSuggestions)] {
			there = append(there, replies.Safe(c.Selector))
		}
		if len(there) > 0 {
			f.Message += ": " + strings.Join(there, ", ")
		}
	}
	return f
}
