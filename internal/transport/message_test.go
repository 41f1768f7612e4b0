package transport

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/sectile/sectile/internal/testkit"
)

// Every line that is no message is answered once, and the server goes on.
func TestStdioMalformedLines(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	tests := []struct {
		name, line string
		code       int64
		id         string // "null" if empty
	}{
		{"words", "hello", -32700, ""},
		{"header of another protocol", "Content-Length: 12", -32700, ""},
		{"half", `{"jsonrpc":"2.0","id":1`, -32700, ""},
		{"two on a line", ping("1") + ping("2"), -32700, ""},
		{"text behind", ping("1") + " x", -32700, ""},
		{"byte order mark", "\ufeff" + ping("1"), -32700, ""},
		{"single quotes", `{'jsonrpc':'2.0','id':1,'method':'ping'}`, -32700, ""},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}", -32700, ""},
		{"half a surrogate in UTF-8", "\"\xed\xa0\x80\"", -32700, ""},
		{"NUL", "\x00", -32700, ""},
		{"control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"\x01\",\"method\":\"ping\"}", -32700, ""},
		{"number", "1", -32600, ""},
		{"string", `"ping"`, -32600, ""},
		{"null", "null", -32600, ""},
		{"empty object", "{}", -32600, ""},
		{"no version", `{"id":1,"method":"ping"}`, -32600, "1"},
		{"version 1.0", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, "1"},
		{"version a number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, -32600, "1"},
		{"version in capitals", `{"JSONRPC":"2.0","id":1,"method":"ping"}`, -32600, "1"},
		{"method absent", `{"jsonrpc":"2.0","id":1}`, -32600, "1"},
		{"method in capitals", `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, -32600, "1"},
		{"method a number", `{"jsonrpc":"2.0","id":"a","method":1}`, -32600, `"a"`},
		{"method null", `{"jsonrpc":"2.0","id":"a","method":null}`, -32600, `"a"`},
		{"params a string", `{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}`, -32600, "1"},
		{"params a number", `{"jsonrpc":"2.0","id":1,"method":"ping","params":0}`, -32600, "1"},
		{"params a truth", `{"jsonrpc":"2.0","id":1,"method":"ping","params":true}`, -32600, "1"},
		{"notification with params a string", `{"jsonrpc":"2.0","method":"x","params":"x"}`, -32600, ""},
		{"id null", ping("null"), -32600, ""},
		{"id true", ping("true"), -32600, ""},
		{"id an object", ping(`{"a":1}`), -32600, ""},
		{"id an array", ping(`[1]`), -32600, ""},
		{"id a fraction", ping("1.5"), -32600, ""},
		{"id an integer with a fraction", ping("1.0"), -32600, ""},
		{"id with an exponent", ping("1e3"), -32600, ""},
		{"id too great", ping("9007199254740992"), -32600, ""},
		{"id too small", ping("-9007199254740992"), -32600, ""},
		{"id much too great", ping("99999999999999999999999"), -32600, ""},
		{"id half a surrogate", ping(`"\ud800"`), -32600, ""},
		{"two ids", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, -32600, ""},
		{"two ids, one escaped", `{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"ping"}`, -32600, ""},
		{"two methods", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, -32600, "1"},
		{"two params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}`, -32600, "1"},
		{"two ids and two methods", `{"method":"a","id":1,"id":1,"method":"b"}`, -32600, ""},
		{"too deep", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + deep(1000) + `}`, -32600, "1"},
		{"far too deep", deep(1_000_000), -32700, ""},
		{"deep and not closed", strings.Repeat(`{"a":`, 1_000_000), -32700, ""},
		{"long method", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 129) + `"}`, -32601, "1"},
		{"cancellation with an id", `{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":1}}`, -32600, "1"},
		{"empty batch", "[]", -32600, ""},
		{"batch of too many", "[" + strings.Repeat("1,", 100) + "1]", -32600, ""},
	}
	p := startStdio(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.send(tt.line, ping(`"after"`))
			line := p.receive()
			m, err := parseLine(line)
			if err != nil || m.Error == nil {
				t.Fatalf("no error: %.300s", line)
			}
			want := tt.id
			if want == "" {
				want = "null"
			}
			if string(m.ID) != want || m.Error.Code != tt.code {
				t.Errorf("code %d, id %s: want %d, %s", m.Error.Code, m.ID, tt.code, want)
			}
			checkErrorText(t, m.Error.Message)
			if got := p.receive(); idOf(got) != `"after"` {
				t.Errorf("the next call was answered with %s", got)
			}
		})
	}
	if rest := p.end(); len(rest) > 0 {
		t.Errorf("more was written: %q", rest)
	}
}

// checkErrorText is the law of our own messages: short, one line, nothing unseen.
func checkErrorText(t *testing.T, text string) {
	t.Helper()
	if text == "" || len(text) > 200 {
		t.Errorf("a message of %d bytes: %s", len(text), text)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("characters that act: %q", text)
	}
}

// What is unusual and right is answered under its own id.
func TestStdioWellFormedLines(t *testing.T) {
	tests := []struct{ name, line, id string }{
		{"zero", ping("0"), "0"},
		{"negative", ping("-7"), "-7"},
		{"greatest", ping("9007199254740991"), "9007199254740991"},
		{"smallest", ping("-9007199254740991"), "-9007199254740991"},
		{"empty string", ping(`""`), `""`},
		{"string like a number", ping(`"1.5"`), `"1.5"`},
		{"escapes", ping(`"\u00e9\n\"\\"`), `"é\n\"\\"`},
		{"replacement character", ping(`"�"`), `"�"`},
		{"pair of surrogates", ping(`"\ud83d\ude00"`), `"😀"`},
		{"angle brackets", ping(`"<a>&"`), `"<a>&"`},
		{"CRLF", ping("1") + "\r", "1"},
		{"white space around", " \t" + ping("1") + " ", "1"},
		{"white space within", "{ \"jsonrpc\" : \"2.0\" ,\t\"id\" : 1 , \"method\" : \"ping\" }", "1"},
		{"blank lines before", "\n\r\n  \t\n" + ping("1"), "1"},
		{"escaped key", `{"jsonrpc":"2.0","\u0069d":1,"m\u0065thod":"ping"}`, "1"},
		{"escaped method", `{"jsonrpc":"2.0","id":1,"method":"\u0070ing"}`, "1"},
		{"unknown keys", `{"jsonrpc":"2.0","x":{"id":2},"id":1,"ID":3,"method":"ping","x":[]}`, "1"},
		{"params null", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, "1"},
		{"result as well", `{"jsonrpc":"2.0","id":1,"method":"ping","result":1}`, "1"},
		{"as deep as allowed", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("[", 998) + strings.Repeat("]", 998) + `}}`, "1"},
		{"brackets in a string", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\"` + strings.Repeat("[", 2000) + `"}}`, "1"},
	}
	p := startStdio(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.send(tt.line)
			if got := p.receive(); idOf(got) != tt.id || codeOf(got) != 0 {
				t.Errorf("got %s, want a result for %s", got, tt.id)
			}
		})
	}
}

// No parameters of any method end the library.
func TestStdioOddParams(t *testing.T) {
	methods := []string{
		"initialize", "ping", "server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/read",
		"resources/templates/list", "resources/subscribe", "resources/unsubscribe", "completion/complete", "logging/setLevel", "subscriptions/listen",
		"notifications/initialized", "notifications/progress", "notifications/roots/list_changed", "", "nonsense",
	}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":`
	params := []string{
		"", "null", "{}", "[]", `[null]`, `{"_meta":null}`, `{"_meta":[]}`, `{` + meta + `null}}`, `{` + meta + `{"roots":null}}}`,
		`{` + meta + `{},"io.modelcontextprotocol/clientInfo":null}}`, `{` + meta + `{},"progressToken":{}},"notifications":null}`,
		`{` + meta + `{}},"notifications":{"resourceSubscriptions":["x"]}}`, `{"_meta":{"progressToken":[]},"name":null,"uri":null,"arguments":null}`,
		`{"name":"echo","arguments":null}`, `{"name":"echo","arguments":[]}`, `{"name":"echo","arguments":"\ud800"}`, `{"cursor":"%"}`, `{"cursor":null}`,
		`{"ref":null,"argument":null}`, `{"ref":{"type":"ref/prompt"},"argument":{}}`, `{"level":"\u0000"}`, `{"name":"echo","arguments":{"a":1e999}}`,
		`{"protocolVersion":null,"capabilities":null,"clientInfo":null}`, `{"capabilities":{"roots":null,"sampling":null,"elicitation":[]}}`,
	}
	p := startStdio(t, nil)
	for _, method := range methods {
		for i, text := range params {
			id := fmt.Sprintf(`"%s %d"`, method, i)
			line := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"`
			if text != "" {
				line += `,"params":` + text
			}
			p.send(line+"}", strings.Replace(line, `"id":`+id+`,`, "", 1)+"}")
			if got := p.answer(); idOf(got) != id {
				t.Fatalf("%s %s was answered with %s", method, text, got)
			}
		}
	}
	p.send(ping("1"))
	if got := p.receive(); idOf(got) != "1" {
		t.Errorf("ping: %s", got)
	}
}

func TestStdioLongLines(t *testing.T) {
	testkit.OneGoroutine(t)
	pad := func(line string, size int) string { return line + strings.Repeat(" ", size-len(line)) }
	long := strings.Repeat("x", 17<<20)
	tests := []struct {
		name, line, id string
		code           int64
	}{
		{"as long as allowed, with CRLF", pad(ping("1"), MaxLine) + "\r", "1", 0},
		{"a byte more", pad(ping("1"), MaxLine+1), "1", -32600},
		{"words", long, "null", -32600},
		{"id in front", `{"jsonrpc":"2.0","id":"a","method":"ping","params":{"id":1,"x":"` + long + `"}}`, `"a"`, -32600},
		{"id behind", `{"jsonrpc":"2.0","method":"ping","params":{"id":1,"x":"` + long + `"},"id":"a"}`, "null", -32600},
		{"id that is the line", `{"jsonrpc":"2.0","id":` + strings.Repeat("1", 17<<20), "null", -32600},
	}
	p := startStdio(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.send(tt.line)
			if got := p.receive(); idOf(got) != tt.id || codeOf(got) != tt.code {
				t.Errorf("got %s, want code %d for %s", got, tt.code, tt.id)
			}
			p.send(callTool("2", "echo"))
			if got := p.receive(); idOf(got) != "2" || codeOf(got) != 0 {
				t.Errorf("the call behind it: %s", got)
			}
		})
	}
	t.Run("at the end of input", func(t *testing.T) {
		if _, err := io.WriteString(p.in, long); err != nil {
			t.Fatal(err)
		}
		if got := p.end(); len(got) != 1 || codeOf(got[0]) != -32600 {
			t.Errorf("got %q", got)
		}
	})
}

// A line's memory is its own: the longest leaves nothing behind.
func TestStdioLineMemory(t *testing.T) {
	in := strings.Repeat("a", 17<<20) + "\n" + strings.Repeat("b", 1<<20) + "\nshort\nlast"
	r := lineReader{bufio.NewReaderSize(strings.NewReader(in), readBuffer)}
	type line struct {
		Size, Spare int
		TooLong     bool
	}
	var got []line
	var first []byte
	for {
		text, tooLong, err := r.next()
		got = append(got, line{len(text), (cap(text) - len(text)) >> 20, tooLong})
		if first == nil {
			first = text
		}
		if err != nil {
			break
		}
	}
	want := []line{{headBytes, 0, true}, {1 << 20, 0, false}, {5, 0, false}, {4, 0, false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if !bytes.Equal(first, bytes.Repeat([]byte("a"), headBytes)) {
		t.Error("a later line was read into the first")
	}
}

func TestStdioIDText(t *testing.T) {
	tests := []struct {
		raw, want string
	}{
		{"5", "5"},
		{`"a"`, `"a"`},
		{`"a\nb\u202e"`, `"a\nb\u202e"`},
		{`"` + strings.Repeat("x", 1000) + `"`, `"` + strings.Repeat("x", 63) + `..."`},
		{`"` + strings.Repeat(`\u0001`, 64) + `"`, `"` + strings.Repeat(`\x01`, 15) + `\x0..."`},
	}
	for _, tt := range tests {
		id, ok := parseID([]byte(tt.raw))
		if got := idText(id); !ok || got != tt.want {
			t.Errorf("idText(%.20s) = %s, want %s", tt.raw, got, tt.want)
		}
	}
	if got := idText(jsonrpc.ID{}); got != "<nil>" {
		t.Errorf("idText of none = %s", got)
	}
}
