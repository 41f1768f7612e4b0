package planning

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
)

// TestOutcomeOfEndedCalls: a call that has ended after the store was asked to write says that it may
// have, to who asks by the field and to who reads.
func TestOutcomeOfEndedCalls(t *testing.T) {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if err := withOutcome(end, false); err != end { //nolint:errorlint // the very error
			t.Errorf("nothing was asked: %v", err)
		}
		e, ok := errors.AsType[*replies.Error](withOutcome(end, true))
		if !ok || !e.Written || !errors.Is(e, end) || !strings.Contains(e.Error(), "it may have been written or not") {
			t.Errorf("%v: %v", end, e)
		}
	}
	if err := withOutcome(nil, true); err != nil {
		t.Error(err)
	}
}

// TestOutcomeOfSnapshots: where Jujutsu may have taken a snapshot before anything was to be written,
// the error doesn't say that nothing was.
func TestOutcomeOfSnapshots(t *testing.T) {
	stopped := &planstore.Error{Type: planstore.TypeFailed, Message: "`jj log` failed; it may have taken a snapshot of the files", Snapshot: true}
	err := withOutcome(planErr(t.Context(), stopped), false)
	if err == nil || !strings.Contains(err.Error(), "a snapshot of the files; nothing else was written") {
		t.Error(err)
	}
}
