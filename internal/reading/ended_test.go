package reading

import (
	"context"
	"errors"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// askedToEnd is a context that is cancelled once it has been asked for its end some times.
type askedToEnd struct {
	context.Context //nolint:containedctx // it is one
	left            int
}

func (c *askedToEnd) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestReadEndsBetweenHeadings has a request for many parts, none of which is there or all
// of which are, and counts that it looks for its end at each of them.
func TestReadEndsBetweenHeadings(t *testing.T) {
	doc := mustParse(t, "# Guide\n\ntext\n")
	for _, addr := range []string{"absent", "# Guide"} {
		headings := make([]string, maxHeadings)
		for i := range headings {
			headings[i] = addr
		}
		for _, calls := range []int{0, 1, maxHeadings / 2, maxHeadings - 1} {
			ctx := &askedToEnd{t.Context(), calls}
			req := ReadRequest{Headings: headings, MaxChars: 5000, work: (*documents.Memory)(nil).Begin(ctx, nil)}
			if reply, err := readIn(doc, "a.md", req); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: ended after %d calls: a reply %v, error %v", addr, calls, reply != nil, err)
			}
			if ctx.left < -1 {
				t.Errorf("%s: ended after %d calls: asked %d times more", addr, calls, -1-ctx.left)
			}
		}
	}
}

// TestReadEndsBetweenPassages has an end that comes while the parts are rendered.
func TestReadEndsBetweenPassages(t *testing.T) {
	doc := mustParse(t, "# Guide\n\ntext\n")
	ctx := &askedToEnd{t.Context(), 3}
	req := ReadRequest{Headings: []string{"# Guide", "# Guide"}, work: (*documents.Memory)(nil).Begin(ctx, nil)}
	if _, err := readIn(doc, "a.md", req); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestReadTooManyHeadings refuses them before the document is opened.
func TestReadTooManyHeadings(t *testing.T) {
	_, err := Read(documents.Set{Paths: []string{"absent.md"}}, ReadRequest{Headings: make([]string, maxHeadings+1)})
	if e, ok := errors.AsType[*replies.Error](err); !ok || e.Code != replies.CodeInvalidArgument {
		t.Errorf("error %v", err)
	}
}
