package finding

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
)

// TestPushNamesWhatFailed has the path of a document that could not be read in JSON, as a search
// has it.
func TestPushNamesWhatFailed(t *testing.T) {
	path := filepath.Join(testkit.Folder(t, map[string]string{"bad.md": "# \xff\n"}), "bad.md")
	_, err := (&textfile.Reader{}).Read(path)
	p := &pushing{done: PushedRoot{Name: "root"}}
	p.fail(path, err)
	text := string(replies.AppendJSON(nil, &PushReply{Roots: []PushedRoot{p.done}}))
	if want := `"failed":[{"file_path":` + string(replies.JSON(replies.DisplayPath(path))) + `,"code":"encoding_error",`; !strings.Contains(text, want) {
		t.Errorf("%s in %s", want, text)
	}
}
