package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Report says what is wrong with a document. Its JSON has the keys isValid, errors
// and, if there are any, warnings.
type Report struct {
	IsValid  bool        `json:"isValid"`            // there are no errors
	Errors   FieldErrors `json:"errors"`             // in the order of the document, never nil
	Warnings []string    `json:"warnings,omitempty"` // sentences without a full stop
}

// Validate checks a document by the words and limits of a configuration, nil for the
// default. It doesn't ask whether the document can be written: that is for Format.
// If the configuration is wrong, its errors are those of the report.
func Validate(d Document, cfg *Config) Report {
	return validate(cfg, func(v *validator) { v.document(d) })
}

// ValidateResult is Validate for what Parse returned. Only what is Parsed is valid;
// all else gives INVALID_PARSE_STATE.
func ValidateResult(r *Result, cfg *Config) Report {
	return validate(cfg, func(v *validator) {
		if v.state(string(r.State), r.Halt) {
			v.document(r.Document)
		}
	})
}

// ValidateJSON is ValidateResult for the JSON of a result that may come from
// anywhere: values of the wrong type are errors of their fields, INVALID_TYPE. JSON
// that can't be decoded is one of the whole, whose field is "".
func ValidateJSON(data []byte, cfg *Config) Report {
	return validate(cfg, func(v *validator) {
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			v.fail("", InvalidFormat, "It is not JSON: %v", err)
			return
		}
		v.json(value)
	})
}

func validate(cfg *Config, check func(*validator)) Report {
	v := validator{report: Report{Errors: FieldErrors{}}}
	var errs FieldErrors
	if v.grammar, errs = compile(cfg); errs != nil {
		return Report{Errors: errs}
	}
	check(&v)
	v.report.IsValid = len(v.report.Errors) == 0
	return v.report
}

// validator checks one document. Values have the type any, nil for what is absent,
// so that what comes from JSON and what is a Document are checked by the same rules.
type validator struct {
	*grammar
	report Report
}

func (v *validator) fail(field string, code Code, format string, args ...any) {
	v.report.Errors = append(v.report.Errors, FieldError{field, fmt.Sprintf(format, args...), code})
}

// text returns a string that must be there; if it isn't one, that is reported.
func (v *validator) text(field string, value any) (text string, ok bool) {
	if text, ok = value.(string); !ok {
		v.fail(field, InvalidType, "%s", expected("string", value))
	}
	return text, ok
}

// optional returns nil for an empty string: documents have none that are empty.
func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (v *validator) state(state any, halt *Diagnostic) bool {
	switch {
	case state == string(Parsed):
		return true
	case halt != nil && halt.Code == InputTooLong:
		v.fail("state", InvalidParseState, "The text has %d characters, and max_input is %d", halt.Length, v.MaxInput)
	case halt != nil:
		v.fail("state", InvalidParseState, "The text is a plan only up to line %d: %s", halt.Line, halt.Code)
	default:
		v.fail("state", InvalidParseState, "Only a parsed document is valid, this one is %.40v", state)
	}
	return false
}

func (v *validator) document(d Document) {
	if d.Header == nil {
		v.noHeader()
	} else {
		v.header(d.Header.Type, optional(d.Header.Scope), d.Header.Breaking, optional(d.Header.Title))
	}
	for i, c := range d.Constraints {
		v.constraint(i, c.Key, c.Value)
	}
	nodes := flatten(d.Tasks)
	v.taskCount(len(nodes))
	for i := range nodes {
		n := &nodes[i]
		switch {
		case n.depth > v.MaxDepth+1 || n.depth > v.MaxDepth && n.index > 0: // below or beside one that is reported
		case n.depth > v.MaxDepth:
			v.fail(taskPath(nodes, i), TooBig, "%s", tooDeep(v.MaxDepth))
		case blank(n.text):
			v.task("", nil, taskPath(nodes, i)+".1", n.text)
		}
	}
	newSchedule(nodes).check(func(i int, message string) { v.fail(taskPath(nodes, i)+".1", Custom, "%s", message) })
	v.directive(d.Directive)
}

func (v *validator) noHeader() {
	v.fail("header", MissingHeader, "Header is required for parsed documents")
}

// header checks the fields of a header in their order.
func (v *validator) header(kind, scope, breaking, title any) {
	if text, ok := v.text("header.type", kind); ok {
		v.kind(text)
	}
	if scope != nil {
		v.checkScope(scope)
	} else if text, ok := title.(string); ok && text != "" && !v.titleAlone {
		v.fail("header.scope", Required, "A title needs a scope")
	}
	if _, ok := breaking.(bool); !ok {
		v.fail("header.breaking", InvalidType, "%s", expected("boolean", breaking))
	}
	if title != nil {
		v.title(title)
	}
}

func (v *validator) kind(text string) {
	switch {
	case !v.typed && text != "":
		v.fail("header.type", InvalidValue, "Headers of this form have no type")
	case v.typed && len(v.Types) > 0 && !slices.Contains(v.Types, text):
		v.fail("header.type", InvalidValue, "Commit type must be one of: %s", strings.Join(v.Types, ", "))
	}
}

func (v *validator) checkScope(value any) {
	scope, ok := v.text("header.scope", value)
	if !ok {
		return
	}
	if v.scope != nil && !v.matches(v.scope, scope) {
		message := "Scope must start with a letter and contain only lowercase letters, numbers, hyphens, dots and slashes"
		if v.Scope != scopePattern {
			message = "Scope must match " + v.Scope
		}
		v.fail("header.scope", InvalidFormat, "%s", message)
	}
	if strings.ToLower(scope) != scope {
		v.report.Warnings = append(v.report.Warnings, "Scope should be lowercase: "+scope)
	}
}

func (v *validator) title(value any) {
	title, ok := v.text("header.title", value)
	switch {
	case !ok:
	case title == "":
		v.fail("header.title", TooSmall, "Title cannot be empty")
	case strings.TrimSpace(title) != title:
		v.fail("header.title", Custom, "Title should not have leading or trailing whitespace")
	}
	if utf8.RuneCountInString(title) > v.MaxTitle {
		v.fail("header.title", TooBig, "Title exceeds %d characters", v.MaxTitle)
	}
}

func (v *validator) constraint(i int, key, value any) {
	field := numbered("constraints", i)
	if text, ok := v.text(field+".0", key); ok && len(v.Prefixes) > 0 && !slices.Contains(v.Prefixes, text) {
		v.fail(field+".0", InvalidValue, "Constraint prefix must be one of: %s", strings.Join(v.Prefixes, ", "))
	}
	text, ok := v.text(field+".1", value)
	if !ok {
		return
	}
	if blank(text) {
		v.fail(field+".1", TooSmall, "Constraint value cannot be empty")
	}
	if text == "" || text[0] < 'a' || 'z' < text[0] {
		v.fail(field+".1", Custom, "Constraint value should start with lowercase")
	}
}

func (v *validator) taskCount(n int) {
	if n > v.MaxTasks {
		v.fail("tasks", TooBig, "There are more than %d tasks", v.MaxTasks)
	}
}

// task checks a task's values; doneAt is empty if done can't be wrong.
func (v *validator) task(doneAt string, done any, textAt string, text any) {
	if _, ok := done.(bool); !ok && doneAt != "" {
		v.fail(doneAt, InvalidType, "%s", expected("boolean", done))
	}
	if s, ok := v.text(textAt, text); ok && blank(s) {
		v.fail(textAt, TooSmall, "Task description must be a non-empty string")
	}
}

func (v *validator) directive(value any) {
	if value == nil || value == "" {
		return
	}
	if text, ok := v.text("directive", value); ok && !isDirective(strings.TrimSpace(text)) {
		v.fail("directive", InvalidFormat, "A directive has capital letters and spaces only")
	}
}

// json checks a decoded result.
func (v *validator) json(value any) {
	keys, ok := value.(map[string]any)
	if !ok {
		v.fail("", InvalidType, "%s", expected("object", value))
		return
	}
	if !v.state(keys["state"], nil) {
		return
	}
	switch header := keys["header"].(type) {
	case nil:
		v.noHeader()
	case map[string]any:
		v.header(header["type"], header["scope"], header["breaking"], header["title"])
	default:
		v.fail("header", InvalidType, "%s", expected("object", header))
	}
	v.optionalText("description", keys)
	v.jsonConstraints(keys["constraints"])
	v.jsonTasks(keys["tasks"])
	v.optionalText("direction", keys)
	v.directive(keys["directive"])
	d := decoder{}
	if keys["skipped"] != nil {
		d.texts("skipped", keys["skipped"])
	}
	v.report.Errors = append(v.report.Errors, d.errs...)
	v.optionalText("ignored_title", keys)
}

func (v *validator) optionalText(field string, keys map[string]any) {
	if keys[field] != nil {
		v.text(field, keys[field])
	}
}

func (v *validator) jsonConstraints(value any) {
	list, ok := value.([]any)
	if !ok && value != nil {
		v.fail("constraints", InvalidType, "%s", expected("array", value))
	}
	for i, entry := range list {
		field := numbered("constraints", i)
		switch pair, ok := entry.([]any); {
		case !ok:
			v.fail(field, InvalidType, "%s", expected("array", entry))
		case len(pair) != 2:
			v.fail(field, InvalidFormat, "Expected [key, value]")
		default:
			v.constraint(i, pair[0], pair[1])
		}
	}
}

func (v *validator) jsonTasks(value any) {
	if value == nil {
		return
	}
	r := tupleReader{maxDepth: v.MaxDepth, fail: func(field string, code Code, message string) { v.fail(field, code, "%s", message) }}
	r.read(value, "tasks")
	v.taskCount(len(r.tasks))
	nodes := make([]node, len(r.tasks))
	for i := range r.tasks {
		t := &r.tasks[i]
		v.task(t.doneAt, t.done, t.textAt, t.text)
		nodes[i].parent = t.parent
		nodes[i].text, _ = t.text.(string)
	}
	newSchedule(nodes).check(func(i int, message string) { v.fail(r.tasks[i].textAt, Custom, "%s", message) })
}
