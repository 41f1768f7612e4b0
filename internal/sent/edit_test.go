package sent

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
)

// TestOp makes operations of edits in all their forms.
func TestOp(t *testing.T) {
	a, b, none := new("a"), new("b"), new("")
	rows := [][]string{{"x"}}
	for name, test := range map[string]struct {
		item Edit
		want edit.Op
	}{
		"a text":             {Edit{OldString: a, NewString: b}, edit.Op{Action: edit.ReplaceText, Old: "a", Text: "b"}},
		"a text that goes":   {Edit{OldString: a, NewString: none, ReplaceAll: true}, edit.Op{Action: edit.ReplaceText, Old: "a", All: true}},
		"a text of a part":   {Edit{OldString: a, NewString: b, Heading: "A", Occurrence: 2, ExpectedHash: " " + replies.HashMark + "12 "}, edit.Op{Action: edit.ReplaceText, Address: "A", Old: "a", Text: "b", Occurrence: 2, ExpectedHash: "12"}},
		"a part":             {Edit{Heading: "A", Action: "replace", Content: a, Scope: "body", ExpectedHash: "12"}, edit.Op{Action: edit.Replace, Address: "A", Text: "a", Scope: edit.ScopeBody, ExpectedHash: "12"}},
		"a part that clears": {Edit{Heading: "A", Action: "replace", Content: none, Scope: "section"}, edit.Op{Action: edit.Replace, Address: "A", Scope: edit.ScopeSection}},
		"removed":            {Edit{Heading: "A", Action: "remove", Occurrence: 1, ExpectedCount: 3}, edit.Op{Action: edit.Remove, Address: "A", Occurrence: 1, ExpectedCount: 3}},
		"deleted":            {Edit{Heading: "A", Action: "Delete"}, edit.Op{Action: edit.Remove, Address: "A"}},
		"rows":               {Edit{Heading: "A/table.0", Action: "append", Rows: rows}, edit.Op{Action: edit.Append, Address: "A/table.0", Rows: rows}},
		"flags":              {Edit{Heading: "A", Action: "append", Content: a, UnlessPresent: true, Renumber: true}, edit.Op{Action: edit.Append, Address: "A", Text: "a", UnlessPresent: true, Renumber: true}},
	} {
		got, message := test.item.Op()
		if diff := cmp.Diff(test.want, got); diff != "" || !message.IsEmpty() {
			t.Errorf("%s: %s %s", name, message, diff)
		}
	}
	for _, action := range Actions() {
		if got, message := (&Edit{Heading: "A", Action: action, Content: a}).Op(); !message.IsEmpty() || string(got.Action) != action {
			t.Errorf("%s: %s", action, message)
		}
	}
}

// TestOpRefused has edits that are none, and what is said of each.
func TestOpRefused(t *testing.T) {
	a, b := new("a"), new("b")
	const actions = "it is one of replace, insert_before, insert_after, remove, append, prepend, rename, set"
	for want, item := range map[string]Edit{
		"why": {Wrong: "why", OldString: a},
		"it has both a text (old_string, new_string, replace_all) and an action (action, content, scope); make two edits of it": {OldString: a, NewString: b, Heading: "A", Action: "remove"},
		"it says nothing to do; give old_string and new_string, or heading and action":                                          {Heading: "A"},
		"action is missing; " + actions:                                                            {Heading: "A", Content: a},
		`there is no action "x"; ` + actions:                                                       {Heading: "A", Action: "x"},
		`there is no action "apend"; did you mean append? ` + actions:                              {Heading: "A", Action: "apend"},
		`"Insert" doesn't say where; use append or prepend for text in the section, insert_before`: {Heading: "A", Action: "Insert"},
		"heading is missing; name the part to change, by its heading or another address":           {Action: "remove", Heading: " "},
		`there is no scope "x"; it is one of body, section`:                                        {Heading: "A", Action: "remove", Scope: "x"},
		`there is no scope "sections"; did you mean section? it is one of`:                         {Heading: "A", Action: "remove", Scope: "sections"},
		"content is missing; send the new text, or an empty one and scope to clear what is there":  {Heading: "A", Action: "replace", Scope: "section"},
		"content is missing; rename needs the text to put there":                                   {Heading: "A", Action: "rename"},
		"rows and content are both there; send one of them":                                        {Heading: "A", Action: "append", Content: a, Rows: [][]string{}},
		"expected_hash is empty; leave it out or give the hash":                                    {Heading: "A", Action: "remove", ExpectedHash: " " + replies.HashMark},
		"occurrence and expected_hash belong to a section; name it with part, or leave them out":   {OldString: a, NewString: b, Occurrence: 2},
		"part is blank; leave it out to search the whole file":                                     {OldString: a, NewString: b, Heading: "\t"},
		"old_string is missing; send the text that is to be replaced":                              {ReplaceAll: true},
		"new_string is missing; send an empty one to delete the text":                              {OldString: a},
	} {
		op, got := item.Op()
		if text := got.String(); len(text) < len(want) || text[:len(want)] != want || !cmp.Equal(op, edit.Op{}) {
			t.Errorf("%+v, %q, want %s", op, text, want)
		}
	}
	if _, got := (&Edit{OldString: a, NewString: b, Heading: "A", ExpectedHash: "\t"}).Op(); got.String() != EmptyHash().String() {
		t.Errorf("%s", got)
	}
}

// TestGuard reads hashes and versions as replies show them and as they are.
func TestGuard(t *testing.T) {
	for given, want := range map[string]string{"": "", " ": "", replies.HashMark: "", "ab12": "ab12", " " + replies.HashMark + "ab12\n": "ab12"} {
		if got := GuardOf(given); got != want || IsBlankGuard(given) != (given != "" && want == "") {
			t.Errorf("%q: %q, %v", given, got, IsBlankGuard(given))
		}
	}
	if got := EmptyVersion().String(); got != "expected_version is empty; leave it out or give the version" {
		t.Error(got)
	}
}

// TestEditsAsJSON: an edit in JSON is the one that its members say, in whatever order they are.
func TestEditsAsJSON(t *testing.T) {
	members := map[string]any{
		"old_string": "a\nb", "new_string": "", "replace_all": true, "heading": "A > B", "action": "append", "content": "é\u2028", "scope": "body",
		"occurrence": 3, "expected_hash": "12", "expected_count": 4, "unless_present": true, "renumber": true, "path": "a.md",
	}
	want := Edit{
		OldString: new("a\nb"), NewString: new(""), ReplaceAll: true, Heading: "A > B", Action: "append", Content: new("é\u2028"), Scope: "body",
		Occurrence: 3, ExpectedHash: "12", ExpectedCount: 4, UnlessPresent: true, Renumber: true, Path: "a.md",
	}
	names := memberNames(editMembers())
	if len(names) != len(members) {
		t.Fatalf("there are %v", names)
	}
	for i := range names {
		text := "{"
		for k, name := range slices.Concat(names[i:], names[:i]) {
			value, err := json.Marshal(members[name])
			if err != nil {
				t.Fatal(err)
			}
			if k > 0 {
				text += ", "
			}
			text += `"` + name + `": ` + string(value)
		}
		got, err := ParseEdits("[" + text + "}]")
		if diff := cmp.Diff([]Edit{want}, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", text, err, diff)
		}
	}
	for text, want := range map[string]string{
		`{"path": " "}`: "path is empty; name the document, or leave it out for that of the call",
		`{"action": "remove", "heading": "A", "heading": "B", "heading": "C"}`: "heading is given twice; give it once",
		`{"content": "\ud800"}`:                    "content: it has half a surrogate pair (\\ud800 to \\udfff), or bytes that are not UTF-8, and would arrive as another text; send whole characters",
		`{"expected_count": 0}`:                    "expected_count is 0; give the number of places, or leave it out",
		`{"expected_count": 99999999999999999999}`: "expected_count should be a whole number, not 99999999999999999999",
	} {
		if got, err := ParseEdits("[" + text + "]"); err != nil || got[0].Wrong != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}
