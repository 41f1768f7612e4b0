package sent

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/replies"
)

func TestParseEdits(t *testing.T) {
	all := cmp.AllowUnexported(Edit{})
	got, err := ParseEdits(` [{"old_string": "a", "new_string": "", "replace_all": true, "content": null}, {"heading": "A", "action": "remove", "occurrence": 2}] `)
	want := []Edit{
		{OldString: new("a"), NewString: new(""), ReplaceAll: true}, {Heading: "A", Action: "remove", Occurrence: 2},
	}
	if diff := cmp.Diff(want, got, all); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
	if got, err := ParseEdits("[]"); got == nil || len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	const none = `the edits are no JSON array of objects such as [{"old_string": "…", "new_string": "…"}]`
	for text, want := range map[string]string{
		"":            none + "; line 1: unexpected end of JSON input",
		"[\n{},\n x]": none + "; line 3: invalid character 'x' looking for beginning of value",
		"null":        none,
		"{}":          none,
		`"[]"`:        none,
	} {
		_, err := ParseEdits(text)
		if e, ok := errors.AsType[*replies.Error](err); !ok || !e.Usage() || e.Message.String() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"1":                     "it is no JSON object",
		"null":                  "it is no JSON object",
		`{"oldstring": "a"}`:    `there is no "oldstring", did you mean old_string?; there are old_string, `,
		`{"x": 1}`:              `there is no "x"; there are old_string, `,
		`{"Action": 1, "Q": 2}`: `there is no "Action", did you mean action?; there is no "Q"; there are `,
		`{"heading": "A", "action": "remove", "expected_hash": ""}`: "expected_hash is empty; leave it out or give the hash",
		`{"heading": "", "old_string": "a", "new_string": "b"}`:     "heading is empty; ",
		`{"occurrence": 2.5}`: "occurrence should be a whole number, not 2.5",
		`{"replace_all": "yes", "old_string": {"a": [1,
			2]}}`: `old_string should be a text, not {"a": [1, 2]}; replace_all should be true or false, not "yes"`,
	} {
		got, err := ParseEdits("[{}, " + text + "]")
		if err != nil {
			t.Fatal(err)
		}
		if _, message := got[1].Op(); !strings.HasPrefix(message.String(), want) {
			t.Errorf("%s: %s, want %s", text, message, want)
		}
	}
}
