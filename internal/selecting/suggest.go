package selecting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Why a selector found nothing, and what was probably meant.

const (
	maxSuggestions = 5
	minRatio       = 0.4 // of what is equal; what has less of it was not meant
	maxNamespaces  = 20  // that an error lists
)

// hint is a selector that may have been meant.
type hint struct {
	selector string
	ratio    float64
}

// hintSelectors notes what may have been meant in a document.
func (s *selecting) hintSelectors(doc *markdown.Document, f *documents.NamedFile) {
	prefix := ""
	if s.many || s.selector.Namespace != "" {
		prefix = documents.InNamespace(f.Namespace)
	}
	typed := (&address.Selector{Steps: s.selector.Steps}).String()
	for _, suggestion := range s.suggest(doc) {
		s.hints = append(s.hints, hint{prefix + suggestion, nearest.Ratio(typed, suggestion)})
	}
	s.closest()
}

// hintNamespace notes a document whose namespace may have been meant. The error is
// that of the context.
func (s *selecting) hintNamespace(ctx context.Context, doc *markdown.Document, f *documents.NamedFile) error {
	near := nearest.Ratio(strings.ToLower(s.selector.Namespace), f.Namespace)
	if near < minRatio {
		return nil
	}
	bare := *s.selector
	bare.Namespace = ""
	switch _, err := s.choose(ctx, doc, f.Path); {
	case documents.IsEnd(err):
		return err
	case err == nil || tooMany(err): // which is said of the right name then
		bare.Namespace = f.Namespace
		s.hints = append(s.hints, hint{bare.String(), near})
	default:
		for _, suggestion := range s.suggest(doc) {
			s.hints = append(s.hints, hint{documents.InNamespace(f.Namespace) + suggestion, near})
		}
	}
	s.closest()
	return nil
}

// suggest returns what may have been meant in a document in which the selector has
// no match, without a namespace.
func (s *selecting) suggest(doc *markdown.Document) []string {
	steps := s.selector.Steps
	if n := s.tooWide(doc); n > 0 { // it fails at one of these
		steps = steps[:n]
	}
	return address.Suggest(doc, &address.Selector{Steps: steps})
}

// closest keeps the closest hints, the earlier ones of equals.
func (s *selecting) closest() {
	slices.SortStableFunc(s.hints, func(a, b hint) int {
		switch {
		case a.ratio > b.ratio:
			return -1
		case a.ratio < b.ratio:
			return 1
		}
		return 0
	})
	s.hints = s.hints[:min(len(s.hints), maxSuggestions)]
}

// suggestions returns the selectors that may have been meant, closest first.
func (s *selecting) suggestions() []string {
	list := []string{} // [] in JSON
	for _, h := range s.hints {
		list = append(list, h.selector)
	}
	return list
}

// why says why the selector found nothing.
func (s *selecting) why() string {
	part := ""
	if s.isPart() {
		part = " in these documents"
	}
	switch {
	case !s.known:
		var names []string
		seen := map[string]bool{}
		for i := range s.files {
			if name := s.files[i].Namespace; !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		more := ""
		if n := len(names) - maxNamespaces; n > 0 {
			names, more = names[:maxNamespaces], fmt.Sprintf(" and %d more", n)
		}
		namespace := s.selector.Namespace
		if s.MaxChars > 0 {
			namespace = replies.Clip(namespace, maxEcho)
		}
		return fmt.Sprintf("Namespace '%s' not found%s. Available namespaces: %s%s",
			namespace, part, strings.Join(names, ", "), more)
	case part != "":
		return "No matches found" + part
	case s.reason == nil || s.searched != 1 && !tooMany(s.reason):
		return "No matches found in any document"
	}
	if s.MaxChars > 0 {
		return replies.ClipMiddle(s.reason.Error(), maxReason)
	}
	return s.reason.Error()
}

// selectorFailure spells an error of ParseSelector.
func selectorFailure(err error) failure {
	f := failure{Type: "INVALID_SELECTOR", Message: err.Error()}
	if bad, ok := errors.AsType[*address.SelectorError](err); ok {
		f.Code, f.Message, f.Selector, f.Position = string(bad.Code), bad.Message, &bad.Selector, &bad.Position
	}
	return f
}
