package guiding

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/documents"
)

// bigGuides returns guides of one file of so many control characters.
func bigGuides(t *testing.T, size int, structured bool) *Guides {
	t.Helper()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: [\"*.md\"]}\nguide: {max_file_bytes: 8388608}\n",
		"docs/a.md":     "# A\n\n" + strings.Repeat("\x01", size),
	})
	return NewGuides(GuideOptions{Start: dir, UserFile: "-", Structured: structured})
}

func writeAll(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnswersReserveMemory: an answer with guides has what it takes, until it is sent and
// not only until it is made; more if it comes twice.
func TestAnswersReserveMemory(t *testing.T) {
	const size = 100_000
	for name, tt := range map[string]struct {
		structured bool
		ask        func(g *Guides, w *documents.Work) ([]byte, error)
		least      int64
	}{
		"category": {false, func(g *Guides, w *documents.Work) ([]byte, error) {
			c, err := g.Content(t.Context(), w, "docs", "")
			if err != nil {
				return nil, err
			}
			return c.JSON(), nil
		}, 5 * 7 * size},
		"category with structured content": {true, func(g *Guides, w *documents.Work) ([]byte, error) {
			c, err := g.Content(t.Context(), w, "docs", "")
			if err != nil {
				return nil, err
			}
			return c.JSON(), nil
		}, 2 * 5 * 7 * size},
		"document": {false, func(g *Guides, w *documents.Work) ([]byte, error) {
			d, err := g.Document(t.Context(), w, "guide://category/docs/a.md#a")
			if err != nil {
				return nil, err
			}
			return d.Text, nil
		}, 5 * 7 * size},
	} {
		m := documents.NewMemory(0)
		ctx, sent := context.WithCancel(t.Context())
		w := m.Begin(documents.WithAnswered(ctx), nil)
		text, err := tt.ask(bigGuides(t, size, tt.structured), w)
		if err != nil || len(text) < size {
			t.Fatalf("%s: %v, %d bytes", name, err, len(text))
		}
		for _, when := range []string{"when it is made", "before it is sent"} {
			if got := m.Reserved(); got < tt.least || got > 2*tt.least {
				t.Errorf("%s: %d bytes are reserved %s, want %d at least", name, got, when, tt.least)
			}
			w.End()
		}
		sent()
		atRest(t, m)
	}
}

// TestAnswersKeepToTheBudget: an answer waits for memory that another one has, and one
// that would take more than there is tells the way out.
func TestAnswersKeepToTheBudget(t *testing.T) {
	m := documents.NewMemory(documents.MinMaxMemory)
	g := bigGuides(t, 600_000, false) // one fits into the memory, and two don't
	ctx, sent := context.WithCancel(t.Context())
	defer sent()
	first := m.Begin(documents.WithAnswered(ctx), nil)
	if _, err := g.Content(t.Context(), first, "docs", ""); err != nil {
		t.Fatal(err)
	}
	first.End()
	for _, isSent := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		second := m.Begin(ctx, nil)
		if isSent {
			sent()
		} else {
			cancel() // it would wait
		}
		_, err := g.Content(t.Context(), second, "docs", "")
		if isSent && err != nil || !isSent && !errors.Is(err, context.Canceled) {
			t.Errorf("after the first one was sent: %v: %v", isSent, err)
		}
		second.End()
		cancel()
	}
	w := m.Begin(t.Context(), nil)
	_, err := bigGuides(t, 2_000_000, false).Content(t.Context(), w, "docs", "")
	if err == nil || !bytes.Contains(AsGuideError(err).JSON(), []byte("--max-memory")) {
		t.Errorf("an answer that is too large: %v", err)
	}
	w.End()
	atRest(t, m)
}

// atRest waits until nothing is reserved.
func atRest(t *testing.T, m *documents.Memory) {
	t.Helper()
	for begin := time.Now(); m.Reserved() != 0; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("%d bytes are still reserved", m.Reserved())
		}
	}
}
