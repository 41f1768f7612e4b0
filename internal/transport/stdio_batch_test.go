package transport

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// batchAnswers are the ids and codes of the answers on a line that is an array.
func batchAnswers(t *testing.T, line string) []string {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(line), &raw); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if err := checkWire(line); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	var answers []string
	for _, one := range raw {
		answers = append(answers, fmt.Sprintf("%s %d", idOf(string(one)), codeOf(string(one))))
	}
	return answers
}

func TestStdioBatches(t *testing.T) {
	const notification = `{"jsonrpc":"2.0","method":"x"}`
	many := make([]string, maxBatch)
	var answers []string
	for i := range many {
		many[i] = ping(fmt.Sprint(i))
		answers = append(answers, fmt.Sprintf("%d 0", i))
	}
	tests := []struct {
		name    string
		members []string
		want    []string // nil for no line
	}{
		{"one", []string{ping("1")}, []string{"1 0"}},
		{"two", []string{ping("1"), callTool("2", "echo")}, []string{"1 0", "2 0"}},
		{"with notifications", []string{notification, ping("1"), notification}, []string{"1 0"}},
		{"notifications alone", []string{notification, notification}, nil},
		{"responses alone", []string{`{"jsonrpc":"2.0","id":1,"result":{}}`}, nil},
		{"bad members", []string{"1", ping("1"), "{}", `{"jsonrpc":"2.0","id":2}`, "null"}, []string{"null -32600", "1 0", "null -32600", "2 -32600", "null -32600"}},
		{"bad members alone", []string{"1", `"a"`}, []string{"null -32600", "null -32600"}},
		{"batch in a batch", []string{"[" + ping("1") + "]", ping("2"), "[]"}, []string{"null -32600", "2 0", "null -32600"}},
		{"id twice", []string{ping("1"), ping("1"), ping(`"1"`)}, []string{"1 0", "null -32600", `"1" 0`}},
		{"unknown method", []string{`{"jsonrpc":"2.0","id":1,"method":"x"}`}, []string{"1 -32601"}},
		{"as many as allowed", many, answers},
		{"a member too deep", []string{ping("1"), `{"jsonrpc":"2.0","id":2,"method":"ping","params":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}"}, []string{"1 0", "2 -32600"}},
	}
	p := startStdio(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.send(" [ "+strings.Join(tt.members, " , ")+" ] ", ping(`"after"`))
			var got []string
			line := p.receive()
			if line[0] == '[' {
				got = batchAnswers(t, line)
				line = p.receive()
			} else if tt.want != nil { // the call after may be answered before
				got = batchAnswers(t, p.receive())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			if idOf(line) != `"after"` {
				t.Errorf("the next call was answered with %s", line)
			}
		})
	}
	if rest := p.end(); len(rest) > 0 {
		t.Errorf("more was written: %q", rest)
	}
}

// A batch is answered when its last call is, and its ids are in use until then.
func TestStdioBatchWaits(t *testing.T) {
	p := startStdio(t, nil)
	p.send("["+ping("1")+","+callTool("2", "slow")+","+callTool("3", "slow")+"]", ping("4"))
	if got := p.receive(); idOf(got) != "4" {
		t.Errorf("answer before the batch was complete: %s", got)
	}
	p.waitRunning(t, 2)
	one, _ := jsonrpc.MakeID(1.0)
	for answered := false; !answered; {
		p.conn.mu.Lock()
		answered = p.conn.open[one].answered
		p.conn.mu.Unlock()
	}
	if err := p.conn.Write(t.Context(), &jsonrpc.Response{ID: one, Error: errors.New("a second answer")}); err != nil {
		t.Error(err)
	}
	p.send(cancelCall("1"), ping("1"))
	if got := p.receive(); idOf(got) != "null" || codeOf(got) != -32600 {
		t.Errorf("an id of the batch: %s", got)
	}
	p.send(cancelCall("3"))
	p.waitRunning(t, 1)
	close(p.release)
	got := p.end()
	if len(got) != 1 {
		t.Fatalf("answers: %q", got)
	}
	if diff := cmp.Diff([]string{"1 0", "2 0", "3 0"}, batchAnswers(t, got[0])); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// A batch whose input ends is answered as one.
func TestStdioBatchAtEndOfInput(t *testing.T) {
	p := startStdio(t, nil)
	p.send("[" + callTool("1", "slow") + "," + listen("2") + "," + listen("3") + "]")
	p.waitRunning(t, 1)
	p.acknowledged(2)
	_ = p.in.Close()
	close(p.release)
	got := p.end()
	if len(got) != 1 {
		t.Fatalf("answers: %q", got)
	}
	if diff := cmp.Diff([]string{"1 0", "2 0", "3 0"}, batchAnswers(t, got[0])); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}
