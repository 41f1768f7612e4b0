package finding

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sectile/sectile/internal/documents"
)

// TestListOfVeryMany lists documents of which none is there: what copies the lines before it for each one takes
// an hour.
func TestListOfVeryMany(t *testing.T) {
	const documentsListed = 400_000
	list := make([]*listed, documentsListed)
	for i := range list {
		list[i] = &listed{Path: fmt.Sprintf("docs/%d.md", i), err: errors.New("it is gone")}
	}
	if _, err := listing(t.Context(), &documents.Set{}, &ListRequest{Limit: -1}, list, 0); err == nil {
		t.Error("there is no error")
	}
}
