package reading

import (
	"strings"
	"testing"
)

// TestQueries takes apart an address with one query and one document, and no more: the text of an
// address that has thousands would be looked for as often.
func TestQueries(t *testing.T) {
	for _, test := range []struct{ address, want string }{
		{"Install?head=1", "(1 of 14 lines)"},
		{"Install?full=true", "stdin:11-24 "},
		{"stdin::Install?head=1", "(1 of 14 lines)"},
		{"stdin::Linux", "stdin:19-24 "},
		{"stdin:11-12?head=1", "stdin:11 "},
		{"Install?head=1?head=2", "heading_not_found"},
		{"stdin::stdin::Install", "heading_not_found"},
		{"Install" + strings.Repeat("?head=1", 1<<16), "heading_not_found"},
	} {
		reply, err := read([]byte(guideText), ReadRequest{Heading: test.address})
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = string(reply.Text)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%.40q gives %.200q, not %q", test.address, got, test.want)
		}
	}
}
