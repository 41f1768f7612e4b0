package selecting

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// A short selector can ask for a lot: what several steps choose multiplies, and
// each match is named by all of its steps. Whoever asks on the command line may
// wait; a tool that answers others refuses what nobody needs, so that no call
// takes much longer than the document is long.

// The limits of a selector in a reply of limited length.
const (
	maxSelector = 64 << 10 // bytes
	maxSteps    = 64
	maxEffort   = 10_000 // steps times what indexes multiply to
)

// parse parses the selector. The error is an *address.SelectorError.
func (s *selecting) parse() (*address.Selector, error) {
	if s.MaxChars == 0 {
		return address.ParseSelector(s.Selector)
	}
	e := &address.SelectorError{Code: address.InvalidSyntax, Selector: s.Selector, Position: len(s.Selector)}
	if n := len(s.Selector); n > maxSelector {
		e.Message = fmt.Sprintf("Selector is too long: %d bytes, at most %d", n, maxSelector)
		e.Selector, e.Position = s.Selector[:maxSelector], maxSelector
		return nil, e
	}
	parsed, err := address.ParseSelector(s.Selector)
	if err != nil {
		return nil, err
	}
	if n := len(parsed.Steps); n > maxSteps {
		e.Message = fmt.Sprintf("Too many steps: %d, at most %d", n, maxSteps)
		return nil, e
	}
	return parsed, nil
}

// choose returns the matches in a document, of which as many are kept as a reply may
// hold: each takes a character at least. The error is one of address.SelectContext.
func (s *selecting) choose(ctx context.Context, doc *markdown.Document, path string) (matches, error) {
	if s.address != "" {
		return s.resolve(doc, path)
	}
	most := math.MaxInt
	if n := s.tooWide(doc); n > 0 {
		// More often than not there isn't so much, and that is easily found.
		if _, err := address.SelectContext(ctx, doc, &address.Selector{Steps: s.selector.Steps[:n]}, 0); err != nil {
			return nil, err
		}
		return nil, address.ErrTooManyMatches
	}
	if s.MaxChars > 0 && !s.JSON {
		most = s.MaxChars
	}
	found, err := address.SelectContext(ctx, doc, s.selector, most)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// tooWide returns after how many steps the selector asks for too much of a document; 0
// if it doesn't, or may ask for as much as it likes.
func (s *selecting) tooWide(doc *markdown.Document) int {
	if s.MaxChars == 0 {
		return 0
	}
	return tooWide(s.selector.Steps, len(doc.Blocks))
}

// tooWide returns how many steps it takes until their indexes multiply to more
// than maxEffort, in a document with so many blocks; 0 if they don't.
func tooWide(steps []address.Step, blocks int) int {
	effort := len(steps)
	for i := range steps {
		n := 0
		for _, r := range steps[i].Index {
			n++
			if i < len(steps)-1 { // the last step goes over what there is, once
				n += min(r.Last-r.First, blocks)
			}
			if effort*n > maxEffort {
				return i + 1
			}
		}
		effort *= max(n, 1)
	}
	return 0
}

// tooMany reports whether a selector was refused for the number of its matches.
func tooMany(err error) bool { return errors.Is(err, address.ErrTooManyMatches) }
