package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
)

// Models send a plan in the words of whatever task list they know best. What has one
// meaning is put into the words of the tool; the rest is left as it is, for package
// plan to say what is wrong with it and where.

// taskWords are other names of the fields of a task.
var taskWords = map[string][]string{
	"text":     {"title", "task", "name", "content", "description"},
	"done":     {"completed", "complete", "checked", "is_done"},
	"subtasks": {"children", "tasks", "sub_tasks", "subTasks", "items"},
	"after":    {"depends_on", "dependsOn", "dependencies", "blocked_by"},
}

// maxTaskLevels is how deep a plan is looked at: deeper ones are refused.
const maxTaskLevels = 64

// asTasks returns decoded JSON as a plan is read from.
func asTasks(value any) any {
	switch v := value.(type) {
	case map[string]any: // one task, or all of them in an object
		if list, ok := wrapped(v); ok {
			return asTasks(list)
		}
		return asTaskList([]any{v}, maxTaskLevels)
	case []any:
		if text, ok := asChecklist(v); ok {
			return text
		}
		return asTaskList(v, maxTaskLevels)
	}
	return value
}

// wrapped returns the list in an object that has nothing else.
func wrapped(v map[string]any) (list []any, ok bool) {
	for key, value := range v {
		list, ok = value.([]any)
		ok = ok && len(v) == 1 && (key == "plan" || key == "subtasks" || slices.Contains(taskWords["subtasks"], key))
	}
	return list, ok
}

// asChecklist returns the lines of a checklist that come as a list of texts.
func asChecklist(list []any) (text string, ok bool) {
	lines := make([]string, len(list))
	for i, element := range list {
		if lines[i], ok = element.(string); !ok || !strings.HasPrefix(strings.TrimSpace(lines[i]), "- ") {
			return "", false
		}
	}
	return strings.Join(lines, "\n"), len(lines) > 0
}

func asTaskList(list []any, levels int) []any {
	if levels == 0 {
		return list
	}
	made := make([]any, len(list))
	for i, element := range list {
		switch v := element.(type) {
		case string:
			made[i] = map[string]any{"text": v}
		case []any:
			made[i] = asTuple(v, levels)
		case map[string]any:
			made[i] = asTask(v, levels)
		default:
			made[i] = element
		}
	}
	return made
}

// asTuple returns [done, text, [children]].
func asTuple(v []any, levels int) []any {
	v = slices.Clone(v)
	if len(v) > 0 {
		v[0] = asMark(v[0])
	}
	if len(v) > 1 {
		v[1] = asText(v[1])
	}
	const children = 2
	if len(v) > children {
		if v[children] == nil {
			return v[:children]
		}
		if list, ok := v[children].([]any); ok {
			v[children] = asTaskList(list, levels-1)
		}
	}
	return v
}

// asTask returns {text, done, subtasks}.
func asTask(v map[string]any, levels int) map[string]any {
	made := make(map[string]any, len(v))
	for key, value := range v {
		made[taskWord(v, key)] = value
	}
	if mark, ok := made["done"]; ok {
		made["done"] = asMark(mark)
	}
	if text, ok := made["text"]; ok {
		made["text"] = asText(text)
	}
	if list, ok := made["subtasks"].([]any); ok {
		made["subtasks"] = asTaskList(list, levels-1)
	}
	return made
}

// taskWord returns the name of a field of a task, unless the task has that, too.
func taskWord(task map[string]any, key string) string {
	for name, others := range taskWords {
		if _, has := task[name]; has || !slices.Contains(others, key) {
			continue
		}
		for _, other := range others { // the first of them that is there
			if _, has := task[other]; has && other != key {
				return key
			} else if has {
				return name
			}
		}
	}
	return key
}

// asMark returns a truth value that was written otherwise.
func asMark(value any) any {
	switch value {
	case "true", "True", "x", "X", "[x]", "[X]", "done", json.Number("1"):
		return true
	case "false", "False", " ", "", "[ ]", "open", json.Number("0"):
		return false
	}
	return value
}

// asText returns a number as it is written: a task may be called 2024.
func asText(value any) any {
	if number, ok := value.(json.Number); ok {
		return number.String()
	}
	return value
}

// asConstraints returns decoded JSON as constraints are read from: nil for none.
func asConstraints(value any) any {
	switch v := value.(type) {
	case string:
		list := []any{}
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
		return list
	case map[string]any:
		return asConstraints([]any{v})
	case []any:
		made := slices.Clone(v)
		for i, element := range made {
			if object, ok := element.(map[string]any); ok && len(object) == 2 && object["key"] != nil && object["value"] != nil {
				made[i] = []any{object["key"], object["value"]}
			}
		}
		return made
	}
	return value
}
