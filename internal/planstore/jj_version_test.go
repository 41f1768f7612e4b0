//go:build unix

package planstore

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Requests that ask for jj's version while it hangs don't wait for one another: each asks,
// and ends with its context.
func TestVersionIsAskedAtOnce(t *testing.T) {
	t.Parallel()
	dir, _ := newJJ(t)
	asked := filepath.Join(t.TempDir(), "asked")
	fake := script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf("echo asked >> '%s'; exec sleep 600", asked))
	s := newJJStore(&Options{Root: dir, JJ: fake, Timeout: time.Hour, Log: slog.New(slog.DiscardHandler)}, dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const requests = 3
	ended := make(chan error, requests)
	for range requests {
		go func() {
			_, err := s.ask(ctx)
			ended <- err
		}()
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(asked) // until it is there
		if n := bytes.Count(text, []byte("\n")); n == requests {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%d of %d requests have asked", n, requests)
		}
	}
	cancel()
	for range requests {
		if err := <-ended; err != context.Canceled { //nolint:errorlint // the context's own
			t.Errorf("error %v", err)
		}
	}
}

// A repository's configuration may name the number that identifiers of changes are drawn from:
// each change begun would be called as the one before it, and both be divergent.
func TestJJSeed(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	run(t, dir, jj, "config", "set", "--repo", "debug.randomness-seed", "7")
	s := jjStoreIn(t, dir, jj)
	names := map[string]bool{}
	for range 3 {
		save(t, s, plan)
		after, _, err := s.New(t.Context(), never)
		if err != nil || names[after.Name] {
			t.Fatalf("a plan begun: %+v %v, after %v", after, err, names)
		}
		names[after.Name] = true
	}
}
