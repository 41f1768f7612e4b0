//go:build unix

package planning

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGatherBesidePipes has a pipe in the place of a file that git reads: the plan is told
// all the same, and that the files aren't known.
func TestGatherBesidePipes(t *testing.T) {
	t.Parallel()
	p, dir := newPlansInGit(t)
	if err := syscall.Mkfifo(filepath.Join(dir, ".gitignore"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 16*time.Second)
	defer cancel()
	r, err := p.Gather(ctx, PlanGather{IncludeDiff: true})
	if err != nil || !strings.Contains(r.Changes.Unknown, "took longer") || r.Diff.Unknown != r.Changes.Unknown || r.Stage.Name != "goal" {
		t.Errorf("%v %+v", err, r)
	}
}
