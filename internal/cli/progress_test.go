package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/documents"
)

// Who does not wait sees no bar.
func TestNoProgress(t *testing.T) {
	var shown bytes.Buffer
	p := newProgress(Streams{Err: &shown})
	if p.bar || p.delay < time.Second {
		t.Errorf("a bar: %v, after %v", p.bar, p.delay)
	}
	p.bar, p.delay = true, time.Hour
	go p.run(t.Context(), documents.Set{})
	p.stop()
	if shown.Len() > 0 {
		t.Errorf("%q", shown.String())
	}
}
