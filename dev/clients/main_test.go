package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	yes, no := true, false
	long := lines("a <b> ", 3000)
	for _, tt := range []struct {
		name string
		want expected
		got  result
		as   verdict
	}{
		{"alone", expected{"a\n<b>\n", false}, result{parts: []string{"a\n<b>\n"}}, verdict{verbatim: true}},
		{
			"with a head",
			expected{"a\n<b>\n", false},
			result{parts: []string{"Output:", "a\n<b>\n"}, beside: []string{"hint"}},
			verdict{verbatim: true, around: []string{"hint", "Output:"}},
		},
		{
			"in a text",
			expected{"<b>", false},
			result{parts: []string{"Output:\n<b>\nend"}},
			verdict{verbatim: true, around: []string{"Output:\n…\nend"}},
		},
		{
			"a boundary of its own",
			expected{"guide-boundary-00000000-0000-4000-8000-000000000000", false},
			result{parts: []string{"guide-boundary-11111111-1111-4111-8111-111111111111"}},
			verdict{verbatim: true},
		},
		{
			"a mark of its own",
			expected{"mark: aaaaaa begins every line that is sectile's\naaaaaa a.md:1\na\n", false},
			result{parts: []string{"Output:\nmark: bbbbbb begins every line that is sectile's\nbbbbbb a.md:1\na\n"}},
			verdict{verbatim: true, around: []string{"Output:\n"}},
		},
		{"escaped", expected{"a\n<b>\n", false}, result{parts: []string{`{"text":"a\n<b>\n"}`}}, verdict{how: "escaped"}},
		{"HTML escaped", expected{"a <b>", false}, result{parts: []string{"a &lt;b&gt;"}}, verdict{how: "other: `\"a &lt;b&gt;\"`"}},
		{"other JSON", expected{"head\n<b>\n", false}, result{parts: []string{`Output: {"b":1}`}}, verdict{how: "JSON in its place"}},
		{
			"cut",
			expected{long, false},
			result{parts: []string{long[:1500] + "…" + long[len(long)-500:]}},
			verdict{how: "cut: first 1500, last 500"},
		},
		{
			"escaped and cut",
			expected{long, false},
			result{parts: []string{strings.ReplaceAll(long[:1500], "\n", `\n`) + "…" + strings.ReplaceAll(long[len(long)-500:], "\n", `\n`)}},
			verdict{how: "escaped and cut: first 1516, last 506"},
		},
		{"last newline", expected{"e\n", true}, result{parts: []string{"e"}, failed: &yes}, verdict{verbatim: true, how: trimmed}},
		{"not an error any more", expected{"e", true}, result{parts: []string{"e"}, failed: &no}, verdict{how: "error flag false"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.as, compare(tt.want, tt.got), cmp.AllowUnexported(verdict{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestStandIn goes through a conversation: a request for something else, the first,
// the one with a result, and the same one with another result.
func TestStandIn(t *testing.T) {
	const messagesHead = `{"tools":[{"name":"mcp__sectile__read_file"}],"messages":[`
	for _, tt := range []struct {
		name     string
		dialect  dialect
		requests []string
		answers  []string // what they hold
	}{
		{
			"messages",
			messages{},
			[]string{
				`{"messages":[{"role":"user","content":"title?"}]}`,
				messagesHead + `{"role":"user","content":"go"}]}`,
				messagesHead + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_000","content":[]}]}]}`,
				messagesHead + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_000","content":[]},` +
					`{"type":"tool_result","tool_use_id":"call_001","is_error":true,"content":"<t>"}]}]}`,
				messagesHead + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_000","content":[]},` +
					`{"type":"tool_result","tool_use_id":"call_001","is_error":true,"content":"gone"}]}]}`,
			},
			[]string{"end_turn", `"name":"ToolSearch"`, `"name":"mcp__sectile__read_file"`, "end_turn", "end_turn"},
		},
		{
			"responses",
			responses{search: true},
			[]string{
				`{"input":[]}`,
				`{"input":[{"type":"message","content":"mcp__sectile"}]}`,
				`{"input":[{"type":"message","content":"mcp__sectile"},{"type":"tool_search_output","call_id":"call_000"}]}`,
				`{"input":[{"type":"message","content":"mcp__sectile"},{"type":"tool_search_output","call_id":"call_000"},` +
					`{"type":"function_call_output","call_id":"call_001","output":[{"type":"input_text","text":"<t>"}]}]}`,
				`{"input":[{"type":"message","content":"mcp__sectile"},{"type":"tool_search_output","call_id":"call_000"},` +
					`{"type":"function_call_output","call_id":"call_001","output":"gone"}]}`,
			},
			[]string{`"done"`, `"tool_search_call"`, `"namespace":"mcp__sectile"`, `"done"`, `"done"`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStandIn(tt.dialect, []string{"read_file"}, []*call{{tool: "read_file"}}, "")
			for i, body := range tt.requests {
				w := httptest.NewRecorder()
				s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, tt.dialect.path(), strings.NewReader(body)))
				if got := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(got, tt.answers[i]) {
					t.Errorf("request %d is answered with %d, without %s:\n%s", i, w.Code, tt.answers[i], got)
				}
			}
			if diff := cmp.Diff([]string{"<t>"}, s.results["call_001"].parts); diff != "" {
				t.Errorf("the result: %s", diff)
			}
			if diff := cmp.Diff(map[string]bool{"call_001": true}, s.changed); diff != "" {
				t.Errorf("what changed: %s", diff)
			}
		})
	}
}

// TestReport has a reply that is changed below the limit of its client, and the same
// above.
func TestReport(t *testing.T) {
	rows := []row{{about: "r", characters: 10, bytes: 10}}
	for limit, want := range map[int]bool{9: true, 10: false} {
		c := &column{way: &way{limit: limit}, verdicts: map[string]verdict{"r": {how: "cut"}}, surfaces: []*surface{{}, {}}}
		if got := report(new(strings.Builder), rows, []*column{c}); got != want {
			t.Errorf("limit %d: %v", limit, got)
		}
	}
}
