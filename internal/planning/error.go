package planning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// PlanError is something that could not be done with a plan. Nothing was written,
// unless the message says otherwise.
type PlanError struct {
	Type     string
	Message  replies.Sentence // what failed
	Hint     replies.Sentence // what to do
	Metadata map[string]any   // what JSON can encode
	// Critical says that a program or the system failed, and not what it was asked
	// for.
	Critical bool
	// Told says that message or hint say what became of the plan.
	Told bool
	Err  error
}

// The types of errors besides those of package planstore.
const (
	planFailed        = string(planstore.TypeFailed)
	planConcurrent    = string(planstore.TypeConcurrent)
	planInvalid       = "commit validation failed"
	planNoTasks       = string(plan.NoTasks)
	planTaskNotFound  = string(plan.TaskNotFound)
	planIncomplete    = string(plan.TasksIncomplete)
	planTaskAmbiguous = string(plan.TaskAmbiguous)
	planInput         = "incorrect input format"
	planNotRecognised = "plan_text_not_recognised"
)

// Error returns type, message and hint in one line.
func (e *PlanError) Error() string {
	return e.Type + ": " + replies.Safe(e.sentence().String())
}

// sentence returns the message with the hint.
func (e *PlanError) sentence() replies.Sentence {
	if e.Hint.IsEmpty() {
		return e.Message
	}
	return replies.Say("%s; %s", e.Message, e.Hint)
}

// Unwrap returns what the error was made from.
func (e *PlanError) Unwrap() error { return e.Err }

// An error as a tool answers it has less characters than maxPlanError, and
// maxPlanSummary of its metadata in the first line.
const (
	maxPlanError   = 2000
	maxPlanSummary = 160
)

// Text returns the error as a tool answers it, in the voice.
func (e *PlanError) Text(v replies.Voice) []byte {
	return e.fitted(func(metadata map[string]any, limit int) []byte { return e.text(v, metadata, limit) })
}

// fitted returns the error as it is rendered with metadata, and at most so many characters of
// message and hint each, that are short enough.
func (e *PlanError) fitted(render func(metadata map[string]any, limit int) []byte) []byte {
	metadata := e.shownMetadata()
	for limit := maxPlanError / 2; ; limit /= 2 {
		text := render(metadata, limit)
		if replies.Chars(text) < maxPlanError || limit == 0 {
			return text
		}
		metadata, _ = shortened(metadata, limit/2).(map[string]any)
	}
}

// text renders the error with at most so many characters of message and hint each.
func (e *PlanError) text(v replies.Voice, metadata map[string]any, limit int) []byte {
	var indented bytes.Buffer
	_ = json.Indent(&indented, replies.JSON(metadata), "", "  ") // it is JSON
	summary := strings.ReplaceAll(string(replies.JSON(metadata)), "`", "'")
	text := fmt.Appendf(nil, "An internal error occurred: %s `%s`\n\nMetadata:\n%s\n\n",
		e.Type, replies.Clip(summary, maxPlanSummary), indented.Bytes())
	message, hint := sentence(replies.Clip(replies.Safe(e.Message.In(v)), limit)), sentence(replies.Clip(replies.Safe(e.Hint.In(v)), limit))
	if e.Critical {
		return append(text, "This is a CRITICAL ISSUE that you can't resolve yourself: stop, tell the user, and wait. "+
			upperFirst(message)+"; "+hint+".\n"...)
	}
	return append(text, upperFirst(message)+"; "+hint+".\n"...)
}

// sentence returns a text as a part of a sentence.
func sentence(text string) string { return strings.TrimRight(text, ". ") }

// upperFirst returns a sentence that begins with a capital letter, unless it begins
// with a name or code.
func upperFirst(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// JSON returns the error as a line of JSON, in the voice.
func (e *PlanError) JSON(v replies.Voice) []byte {
	return e.json(v, e.shownMetadata(), math.MaxInt)
}

// Structured returns the error as JSON in the voice, with as many characters as Text may have.
func (e *PlanError) Structured(v replies.Voice) []byte {
	return e.fitted(func(metadata map[string]any, limit int) []byte { return e.json(v, metadata, limit) })
}

// json renders the error with at most so many characters of message and hint each.
func (e *PlanError) json(v replies.Voice, metadata map[string]any, limit int) []byte {
	return replies.JSON(struct {
		Type     string         `json:"type"`
		Message  string         `json:"message"`
		Metadata map[string]any `json:"metadata"`
		Hint     string         `json:"hint"`
		Next     []string       `json:"next,omitempty"`
		Critical bool           `json:"critical,omitempty"`
	}{e.Type, replies.Clip(e.Message.In(v), limit), metadata, replies.Clip(e.Hint.In(v), limit), e.sentence().Requests(v), e.Critical})
}

// shownMetadata returns the metadata, which is never nil, safe to show.
func (e *PlanError) shownMetadata() map[string]any {
	made, _ := eachText(e.Metadata, replies.SafeLines).(map[string]any)
	if made == nil {
		return map[string]any{}
	}
	return made
}

// shortened returns metadata whose texts have at most so many characters, and whose
// lists as many elements as fit then.
func shortened(value any, limit int) any {
	switch v := value.(type) {
	case string:
		return replies.Clip(v, max(limit, 1))
	case []any:
		made := []any{}
		for i, element := range v {
			if i >= max(limit/32, 1) {
				return append(made, fmt.Sprintf("and %d more", len(v)-i))
			}
			made = append(made, shortened(element, limit/2))
		}
		return made
	case map[string]any:
		made := map[string]any{}
		for key, element := range v {
			made[key] = shortened(element, limit)
		}
		return made
	}
	return value
}

// eachText returns metadata with its texts replaced.
func eachText(value any, replace func(string) string) any {
	switch v := value.(type) {
	case string:
		return replace(v)
	case []string:
		made := make([]any, len(v))
		for i := range v {
			made[i] = replace(v[i])
		}
		return made
	case []any:
		made := make([]any, len(v))
		for i := range v {
			made[i] = eachText(v[i], replace)
		}
		return made
	case map[string]any:
		made := maps.Clone(v)
		for key := range made {
			made[key] = eachText(made[key], replace)
		}
		return made
	}
	return value
}

// AsPlanError gives an error one of the types, unless it has one, and says what its change has
// kept.
func AsPlanError(err error) *PlanError {
	e := asPlanError(err)
	kept := fileerror.KeptOf(err)
	if _, known := e.Metadata["kept"]; known || kept.None() {
		return e
	}
	told := *e
	told.Metadata = map[string]any{"kept": kept.Paths()}
	maps.Copy(told.Metadata, e.Metadata)
	if more := kept.Without(fileerror.KeptOf(e).Paths()); !more.None() {
		sentence := more.String()
		told.Message, told.Err = e.Message.Cut(max(replies.MaxErrorMessage-utf8.RuneCountInString(sentence), replies.MaxErrorMessage/2)).Then("; %s", sentence), err
	}
	return &told
}

// asPlanError gives an error one of the types, unless it has one.
func asPlanError(err error) *PlanError {
	if e, ok := errors.AsType[*PlanError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*planstore.Error](err); ok {
		return fromStore(e)
	}
	if e, ok := errors.AsType[*plan.TaskError](err); ok {
		return fromTaskError(e)
	}
	if e, ok := errors.AsType[*plan.InputError](err); ok {
		metadata := map[string]any{"field": e.Field}
		if e.Line > 0 {
			metadata["line"] = e.Line
		}
		made := &PlanError{Type: planInput, Message: replies.Say("what was sent can't be used: %s: %s", e.Where(), e.Message), Metadata: metadata, Err: err}
		if e.Hint == plan.SendEmptyList {
			made.Message = made.Message.Then("; to remove all tasks, %s", replies.Either{
				Model: replies.Say("send an empty list, []"), Person: replies.Say("say %s", replies.Clear),
			})
		}
		made.Hint, made.Told = callAgain("nothing was written; correct it"), true
		return made
	}
	if e, ok := errors.AsType[plan.FieldError](err); ok {
		return &PlanError{
			Type: planInput, Told: true, Message: replies.Say("what was sent can't be used: %s", e.Error()), Hint: callAgain("nothing was written; correct it"),
			Metadata: map[string]any{"field": e.Field}, Err: err,
		}
	}
	if e, ok := errors.AsType[plan.FieldErrors](err); ok {
		return &PlanError{
			Type: planInput, Message: replies.Text("the form of the plan is wrong: " + e.Error()), Hint: replies.Say("correct `plan.preset` and `plan.presets` in .sectile.yaml"),
			Metadata: map[string]any{"errors": fieldErrors(e)}, Err: err,
		}
	}
	if e, ok := errors.AsType[*config.Error](err); ok {
		return fromConfig(e)
	}
	return fromSystem(err)
}

// fromStore gives an error of the store.
func fromStore(e *planstore.Error) *PlanError {
	metadata := map[string]any{}
	if e.Command != "" {
		metadata["command"] = e.Command
	}
	if e.Type == planstore.TypeExit {
		metadata["exit_code"] = e.Exit
	}
	if e.Version != "" {
		metadata["version"] = e.Version
	}
	return &PlanError{Type: string(e.Type), Message: replies.Text(e.Message), Hint: replies.Text(e.Hint), Metadata: metadata, Critical: e.Critical, Told: e.Told, Err: e}
}

// maxTaskIDs is the number of ids that an error has.
const maxTaskIDs = 20

// fromTaskError gives an error of the tasks. A parent stands for several tasks.
func fromTaskError(e *plan.TaskError) *PlanError {
	made := &PlanError{Type: string(e.Code), Metadata: map[string]any{}, Err: e}
	if e.Code == plan.TaskIsParent {
		made.Type = planTaskAmbiguous
		made.Metadata["parent"] = true
	}
	if e.Query != "" {
		made.Metadata["task_id"] = e.Query
	}
	if len(e.IDs) > 0 {
		made.Metadata["ids"] = e.IDs[:min(len(e.IDs), maxTaskIDs)]
		made.Metadata["total"] = len(e.IDs)
	}
	made.Message, made.Hint = replies.Text(e.Message()), replies.Text(e.Hint())
	return made
}

// callAgain says that a request can be made again, and after what.
func callAgain(after string) replies.Sentence {
	return replies.Say("%s and %s again", after, replies.Either{Model: replies.Say("call"), Person: replies.Say("try")})
}

// maxConfigProblems is the number of problems of the configuration that an error has.
const maxConfigProblems = 6

// fromConfig gives an error of the configuration.
func fromConfig(e *config.Error) *PlanError {
	made := &PlanError{
		Type: planInput, Message: replies.Say("the configuration can't be used"), Hint: callAgain("correct it"), Metadata: map[string]any{}, Err: e,
	}
	if len(e.Problems) == 0 {
		return made
	}
	first := e.Problems[0]
	made.Message = made.Message.Then(": %s", first.String())
	made.Metadata = map[string]any{"file": first.File, "field": first.Field, "line": first.Line, "column": first.Column}
	var others []string
	for _, p := range e.Problems[1:] {
		if len(others) == maxConfigProblems {
			others = append(others, fmt.Sprintf("and %d more", len(e.Problems)-1-maxConfigProblems))
			break
		}
		others = append(others, p.String())
	}
	if others != nil {
		made.Metadata["others"] = others
	}
	return made
}

// fromSystem gives any other error: of files, of arguments, of the guards.
func fromSystem(err error) *PlanError {
	made := &PlanError{Type: planFailed, Message: replies.Text(err.Error()), Hint: replies.Say("see what it says"), Metadata: map[string]any{}, Critical: true, Err: err}
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		made.Message = replies.Say("%s can't be read: %s", e.Path, e.Sentence())
		made.Metadata["code"] = string(e.Code)
		return made
	}
	e, ok := errors.AsType[*replies.Error](err)
	if !ok {
		return made
	}
	made.Metadata["code"] = e.Code
	made.Message, made.Hint = e.Message, replies.Say("read the plan before it is changed again")
	if e.Usage() || e.Code == replies.CodeUnknownArgument {
		made.Type, made.Hint, made.Critical = planInput, callAgain("correct it"), false
		if e.Argument != "" {
			made.Metadata["field"] = e.Argument
		}
	}
	return made
}

// fieldErrors returns errors of fields as metadata.
func fieldErrors(errs plan.FieldErrors) []any {
	list := make([]any, len(errs))
	for i, e := range errs {
		list[i] = map[string]any{"field": e.Field, "message": e.Message, "code": string(e.Code)}
	}
	return list
}

// planErr gives an error its type; the end of the context stays what it is.
func planErr(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return AsPlanError(err)
}

// withOutcome says with an error of a change whether the plan was written, unless the error
// says so itself: nothing was before the store was asked to.
func withOutcome(err error, asked bool) error {
	e, ok := errors.AsType[*PlanError](err)
	switch {
	case !ok && err != nil && asked: // the end of the call
		return &replies.Error{Code: "io_error", Message: replies.Say("the call has ended; it may have been written or not"), Written: true, Err: err}
	case !ok || e.Told:
		return err
	}
	words := "nothing was written"
	inFiles, ofFiles := errors.AsType[*fileerror.Error](e)
	inStore, ofStore := errors.AsType[*planstore.Error](e)
	unwritten := ofFiles && len(inFiles.Written) == 0 || ofStore && inStore.Unwritten
	if ofStore && inStore.Snapshot {
		words = "nothing else was written"
	}
	if asked && !unwritten {
		words = "it may have been written or not"
	}
	told := *e
	told.Told, told.Message = true, e.Message.Cut(replies.MaxErrorMessage).Then("; %s", words)
	return &told
}

// Answer gives the error its code, which is its type.
func (e *PlanError) Answer() *replies.Error {
	made := &replies.Error{Code: e.Type, Message: e.sentence(), Err: e}
	if wrong, ok := errors.AsType[*config.Error](e.Err); ok && len(wrong.Problems) > 1 {
		for _, p := range wrong.Problems[1:] { // the message has the first
			made.Details = append(made.Details, p.String())
		}
	}
	return made
}
