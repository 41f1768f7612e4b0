package terminal

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"
)

// Who does not wait sees no bar.
func TestNoProgress(t *testing.T) {
	var shown bytes.Buffer
	p := NewProgress(io.Discard, &shown)
	if p.bar || p.delay < time.Second {
		t.Errorf("a bar: %v, after %v", p.bar, p.delay)
	}
	p.bar, p.delay = true, time.Hour
	go p.Run(t.Context(), func(context.Context) int { return 0 })
	p.Stop()
	if shown.Len() > 0 {
		t.Errorf("%q", shown.String())
	}
}
