package doctor

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readEvent is an event as Claude Code sends it after a read, with some of what it
// says replaced.
func readEvent(replace ...string) string {
	text := `{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/w","permission_mode":"default","hook_event_name":"PostToolUse",` +
		`"tool_name":"Read","tool_input":{"file_path":"/w/docs/a.md"},"tool_response":{"type":"text","file":{"filePath":"/w/docs/a.md",` +
		`"content":"` + strings.Repeat("word ", 201) + `","numLines":1,"startLine":1,"totalLines":1}},"tool_use_id":"u","duration_ms":3}`
	return strings.NewReplacer(replace...).Replace(text)
}

func TestClaudeHook(t *testing.T) {
	const path, lines = `"file_path":"/w/docs/a.md"`, `"numLines":1,"startLine":1,"totalLines":1`
	long := strings.Repeat("word ", 201)
	for _, tt := range []struct {
		name, in, minWords, want string // want is how the reminder begins; empty for none
	}{
		{"whole", readEvent(), "", "docs/a.md was read whole, 201 words. "},
		{"one word less", readEvent("word word ", "word "), "", ""},
		{"other extension in capitals", readEvent(path, `"file_path":"/w/A.MDX"`), "", "A.MDX was read whole, 201 words. "},
		{"no Markdown", readEvent(path, `"file_path":"/w/a.go"`), "", ""},
		{"outside of the folder", readEvent(path, `"file_path":"/etc/a.md"`), "", "/etc/a.md was read whole"},
		{"a path that would move a cursor", readEvent(path, `"file_path":"/w/\u001b[2J\n.md"`), "", "\uFFFD[2J .md was read whole"},
		{"a long path", readEvent(path, `"file_path":"/w/`+strings.Repeat("x", 1000)+`.md"`), "", strings.Repeat("x", 99) + "…"},
		{"a part", readEvent(path, path+`,"offset":5,"limit":10`, lines, `"numLines":10,"startLine":5,"totalLines":90`), "", ""},
		{"from the start, not all", readEvent(path, path+`,"limit":10`, lines, `"numLines":10,"startLine":1,"totalLines":90`), "", ""},
		{"a part that is all", readEvent(path, path+`,"limit":2000`), "", "docs/a.md was read whole"},
		{"null is no part", readEvent(path, path+`,"offset":null,"limit":null`, lines, `"numLines":9,"startLine":1`), "", "docs/a.md was read whole"},
		{"cut by the client", readEvent(lines, `"numLines":5,"startLine":1,"totalLines":900`), "", ""},
		{"cut by the client at its start", readEvent(lines, `"numLines":1,"startLine":2,"totalLines":1`), "", ""},
		{"no lines are told", readEvent(","+lines, ""), "", "docs/a.md was read whole"},
		{"no lines are told of a part", readEvent(path, path+`,"limit":10`, ","+lines, ""), "", ""},
		{"nothing new was delivered", readEvent(`"type":"text"`, `"type":"file_unchanged"`), "", ""},
		{"no text", readEvent(`"content"`, `"contents"`), "", ""},
		{"before the call", readEvent("PostToolUse", "PreToolUse"), "", ""},
		{"another tool", readEvent(`"Read"`, `"Write"`), "", ""},
		{"fewer words allowed", readEvent(long, "two words "), "1", "docs/a.md was read whole, 2 words. "},
		{"more words allowed", readEvent(), " 201 ", ""},
		{"no limit", readEvent(long, "one"), "0", "docs/a.md was read whole, 1 word. "},
		{"broken limit", readEvent(), "many", "docs/a.md was read whole"},
		{"negative limit", readEvent(long, "one"), "-1", ""},
		{"fractional limit", readEvent(), "1e3", "docs/a.md was read whole"},
		{"limit beyond numbers", readEvent(), "99999999999999999999", "docs/a.md was read whole"},
		{"arguments of another form", readEvent(`{`+path+`}`, `["/w/docs/a.md"]`), "", ""},
		{"no arguments", readEvent(`"tool_input"`, `"input"`), "", ""},
		{"no object", `[1]`, "", ""},
		{"cut", readEvent()[:200], "", ""},
		{"nothing", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) { checkReminder(t, tt.in, tt.minWords, tt.want) })
	}
}

// checkReminder checks what the hook prints: an object of one form, whose text begins
// as wanted, or nothing.
func checkReminder(t *testing.T, in, minWords, want string) {
	t.Helper()
	out := ClaudeHook(HookRequest{In: strings.NewReader(in), MinWords: minWords})
	if want == "" || len(out) == 0 {
		if len(out) > 0 || want != "" {
			t.Errorf("printed %q, want it to begin with %q", out, want)
		}
		return
	}
	var got map[string]map[string]string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text := got["hookSpecificOutput"]["additionalContext"]
	form := map[string]map[string]string{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": text}}
	if diff := cmp.Diff(form, got); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(text, want) || len(text) > 1000 {
		t.Errorf("the reminder is %q, want it to begin with %q", text, want)
	}
	// What every choice of tools has comes first, then what every shell has.
	last := -1
	for _, word := range []string{"markdown_tree", "read_file", "sectile tree", "sectile read", "sectile select", "mdsel_index", "mdsel_select"} {
		at := strings.Index(text, word)
		if at <= last {
			t.Errorf("the reminder %q names %s in the wrong place", text, word)
		}
		last = at
	}
}

// A client that does not hand over the text has the file counted, unless a part was
// asked for or there is no such file.
func TestClaudeHookReadsFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	if err := os.WriteFile(file, []byte(strings.Repeat("word\n", 300)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.md"), 0o750); err != nil {
		t.Fatal(err)
	}
	event := func(input string) string {
		return fmt.Sprintf(`{"hook_event_name":"PostToolUse","tool_name":"Read","cwd":%q,"tool_input":%s,"tool_response":"1\tword"}`, dir, input)
	}
	const want = "a.md was read whole, 300 words. "
	checkReminder(t, event(fmt.Sprintf(`{"file_path":%q}`, file)), "", want)
	checkReminder(t, event(`{"file_path":"a.md"}`), "", want)
	checkReminder(t, event(`{"file_path":"a.md","limit":10}`), "", "")
	checkReminder(t, event(`{"file_path":"folder.md"}`), "", "")
	checkReminder(t, event(`{"file_path":"missing.md"}`), "", "")
}

// Whatever comes in, nothing or one line of valid JSON goes out.
func FuzzClaudeHook(f *testing.F) {
	for _, in := range []string{readEvent(), readEvent("text", "image"), readEvent("1", "null"), `{"hook_event_name":"PostToolUse"}`, "", "[]"} {
		f.Add(in, "")
		f.Add(in, "0")
	}
	f.Fuzz(func(t *testing.T, in, minWords string) {
		out := ClaudeHook(HookRequest{In: strings.NewReader(in), MinWords: minWords})
		if len(out) == 0 {
			return
		}
		if !json.Valid(out) || strings.Count(string(out), "\n") != 1 || !strings.Contains(in, "PostToolUse") && !strings.Contains(in, `\u`) {
			t.Errorf("printed %q", out)
		}
	})
}
