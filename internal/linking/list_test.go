package linking

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestPagesOfObjects: the objects of a page are the links of its text, and the pages that
// follow from the first have each link once.
func TestPagesOfObjects(t *testing.T) {
	text := "# Head\n\n"
	const links = 40
	for i := range links {
		text += "[x](#head) [y](#gone" + strconv.Itoa(i) + ")\n"
	}
	docs := documents.Set{Paths: []string{testkit.Folder(t, map[string]string{"a.md": text})}, MaxBytes: 1 << 20}
	req := Request{MaxChars: 500, Broken: true, Structured: true}
	pages := 0
	var found []string
	for more := true; more; pages++ {
		var shown strings.Builder
		res, err := Links(t.Context(), docs, &req, func(text []byte) error {
			shown.Write(text)
			return nil
		}, func(e *replies.Error) error { return e })
		if err != nil || len(res.Items) != res.Shown {
			t.Fatalf("%+v, %v", res, err)
		}
		for _, item := range res.Items {
			var link linkJSON
			if err := json.Unmarshal(item, &link); err != nil || !strings.Contains(shown.String(), link.Destination+":") {
				t.Errorf("%s: %v, not in %q", item, err, shown.String())
			}
			found = append(found, link.Destination)
		}
		more = res.Next > 0
		req.Cursor = strconv.Itoa(res.Next)
	}
	for i, destination := range found {
		if destination != "#gone"+strconv.Itoa(i) {
			t.Errorf("link %d: %s", i, destination)
		}
	}
	if len(found) != links || pages < 2 {
		t.Errorf("%d links on %d pages", len(found), pages)
	}
}

// TestObjectsHaveRoom: the objects of a page take no more than its text may.
func TestObjectsHaveRoom(t *testing.T) {
	text := "# Head\n\n"
	for i := range 40 {
		text += "[x](" + strings.Repeat("y", 1000) + strconv.Itoa(i) + ".md)\n"
	}
	docs := documents.Set{Paths: []string{testkit.Folder(t, map[string]string{"a.md": text})}, MaxBytes: 1 << 20}
	req := Request{MaxChars: 5000, Structured: true}
	res, err := Links(t.Context(), docs, &req, func([]byte) error { return nil }, func(e *replies.Error) error { return e })
	if err != nil || res.Shown == 0 || res.Next == 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	size := 0
	for _, item := range res.Items {
		size += len(item)
	}
	if size > req.MaxChars {
		t.Errorf("%d objects of %d characters", res.Shown, size)
	}
}
