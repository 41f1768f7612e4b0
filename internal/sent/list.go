package sent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/replies"
)

// editMember is a member of an edit in JSON.
type editMember struct {
	name string
	want string               // what its value should be
	into func(item *Edit) any // where that goes
}

func editMembers() []editMember {
	const text, truth, number = "a text", "true or false", "a whole number"
	return []editMember{
		{"old_string", text, func(i *Edit) any { return &i.OldString }},
		{"new_string", text, func(i *Edit) any { return &i.NewString }},
		{"replace_all", truth, func(i *Edit) any { return &i.ReplaceAll }},
		{"heading", text, func(i *Edit) any { return &i.Heading }},
		{"action", text, func(i *Edit) any { return &i.Action }},
		{"content", text, func(i *Edit) any { return &i.Content }},
		{"scope", text, func(i *Edit) any { return &i.Scope }},
		{"occurrence", number, func(i *Edit) any { return &i.Occurrence }},
		{"expected_hash", text, func(i *Edit) any { return &i.ExpectedHash }},
		{"expected_count", number, func(i *Edit) any { return &i.ExpectedCount }},
		{"unless_present", truth, func(i *Edit) any { return &i.UnlessPresent }},
		{"renumber", truth, func(i *Edit) any { return &i.Renumber }},
		{"path", text, func(i *Edit) any { return &i.Path }},
	}
}

// ParseEdits reads a list of edits from JSON: an array of objects, whose members
// are called as those of Edit, in small letters with low lines. What is wrong
// with one of them, a member that there is none of such as, editing.EditFile tells together
// with all else that fails; for an edit without it would be another one. A byte order
// mark before the array is dropped. The error is a *replies.Error.
func ParseEdits(text string) ([]Edit, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil || raw == nil {
		message := `the edits are no JSON array of objects such as [{"old_string": "…", "new_string": "…"}]`
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			message += "; line " + fmt.Sprint(1+strings.Count(text[:min(int(syntax.Offset), len(text))], "\n")) + ": " + syntax.Error()
		}
		return nil, replies.Invalid(replies.Text(message))
	}
	items := make([]Edit, len(raw))
	for i, object := range raw {
		items[i] = parseEdit(object)
	}
	return items, nil
}

// parseEdit reads an edit.
func parseEdit(raw json.RawMessage) (item Edit) {
	if raw[0] != '{' {
		item.Wrong = `it is no JSON object such as {"old_string": "…", "new_string": "…"}`
		return item
	}
	members := editMembers()
	given := map[string][]byte{}
	var unknown, wrong []string
	for m := range rawjson.Members(raw) {
		known := slices.ContainsFunc(members, func(e editMember) bool { return e.name == m.Name })
		switch {
		case !known && !m.Again:
			message := fmt.Sprintf("there is no %q", replies.Clip(m.Name, replies.MaxShown))
			if question := nearest.Question("", m.Name, memberNames(members)); question != "" {
				message += ", " + strings.TrimSpace(question)
			}
			unknown = append(unknown, message)
		case known && m.Again:
			wrong = append(wrong, m.Name+" is given twice; give it once")
		}
		given[m.Name] = m.Value
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		item.Wrong = strings.Join(unknown[:min(len(unknown), 3)], "; ") + "; there are " + strings.Join(memberNames(members), ", ")
		return item
	}
	slices.Sort(wrong)
	wrong = slices.Compact(wrong) // one that is given three times
	for _, m := range members {
		value, there := given[m.name]
		switch {
		case !there:
		case !rawjson.IsWhole(value):
			wrong = append(wrong, m.name+": "+rawjson.Broken)
		case json.Unmarshal(value, m.into(&item)) != nil:
			wrong = append(wrong, fmt.Sprintf("%s should be %s, not %s", m.name, m.want, shownJSON(value)))
		default:
			if message := emptyMember(m, &item); message != "" {
				wrong = append(wrong, message)
			}
		}
	}
	item.Wrong = strings.Join(wrong, "; ")
	return item
}

// emptyMember says what is wrong with a member that guards an edit or says where it
// is made, and is given and empty or 0: an edit without it would be another one. It
// returns "" if nothing is.
func emptyMember(m editMember, item *Edit) string {
	if m.name == "expected_count" && item.ExpectedCount == 0 {
		return "expected_count is 0; give the number of places, or leave it out"
	}
	into, ok := m.into(item).(*string)
	switch {
	case !ok || strings.TrimSpace(*into) != "":
		return ""
	case m.name == "expected_hash":
		return EmptyHash().String()
	case m.name == "path":
		return "path is empty; name the document, or leave it out for that of the call"
	case m.name == "heading":
		return "heading is empty; name the part, or for a text leave it out to search the whole file"
	}
	return ""
}

// shownJSON is how a value is shown: on one line, and cut if it is long.
func shownJSON(raw json.RawMessage) string {
	most := min(len(raw), replies.MaxShown*utf8.UTFMax)
	return replies.Clip(replies.Safe(strings.Join(strings.Fields(string(raw[:most])), " ")), replies.MaxShown)
}

func memberNames(members []editMember) []string {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	return names
}
