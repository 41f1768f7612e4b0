package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Malformed lines stand among good ones. Each call is answered once, whatever stands
// beside it, with the error that it deserves and its id where that can be known; each
// other line that is no message is answered with no id. The server ends well with its
// input.

// lines starts server after server, at least one, until the context ends.
func (r *run) lines(ctx context.Context, dir string, random *rand.Rand) error {
	if err := os.WriteFile(filepath.Join(dir, "lf.md"), []byte(newDocuments()[0].Text), 0o600); err != nil {
		return err
	}
	for {
		if err := r.talk(dir, random); err != nil || ctx.Err() != nil {
			return err
		}
		pause(ctx, random, 200*time.Millisecond)
	}
}

// talk sends lines to a server and reads what it answers.
func (r *run) talk(dir string, random *rand.Rand) error {
	var input bytes.Buffer
	input.Write(append(request(1, "initialize", hello), '\n'))
	input.WriteString(started)
	var sent []sentLine
	for n := range 50 + random.IntN(150) {
		line := goodLine(random, fmt.Sprintf("good-%d", n))
		if random.IntN(3) > 0 {
			line = badLine(random, fmt.Sprintf("bad-%d", n))
		}
		sent = append(sent, line)
		input.WriteString(line.text + pick(random, []string{"\n", "\n", "\r\n"}))
	}
	cmd := command(dir, r.program, "mcp")
	cmd.Stdin = bytes.NewReader(input.Bytes())
	e, err := finish(cmd, nil)
	if err == nil && !e.state.Success() {
		err = fmt.Errorf("the server ends with %s and logs %.300s", e.state, e.log)
	}
	if err == nil {
		err = checkAnswers(e.out, sent)
	}
	if err != nil {
		_ = os.WriteFile(filepath.Join(dir, "input"), input.Bytes(), 0o600) // for whoever looks for what went wrong
		return fmt.Errorf("%d lines: %w", len(sent), err)
	}
	for _, line := range sent {
		r.tally.add(line.counts(), 1)
	}
	return nil
}

// sentLine is a line, and the answer that it must get.
type sentLine struct {
	text    string
	id      string // of a call; empty where none can be known
	code    int    // of the error that answers the call; 0 for a result
	orphans []int  // the codes of errors that come with no id
	damaged bool   // by chance, so that it gets one answer at most, of whatever kind
	good    bool
}

// counts returns the line of the table where a line counts that was answered well.
func (l *sentLine) counts() string {
	switch {
	case l.good:
		return "good lines answered"
	case l.damaged:
		return "lines damaged by chance"
	case l.id != "":
		return "malformed lines answered with their id"
	case len(l.orphans) > 0:
		return "malformed lines answered with no id"
	}
	return "lines without an answer"
}

// answers are those of a server.
type answers struct {
	code    map[string]int // by the id of the call
	orphans map[int]int    // how many errors with no id have a code
}

// readAnswers reads what a server has written: a message a line, or a list of them, which
// answers a batch. No call is answered twice.
func readAnswers(out []byte) (*answers, error) {
	a := &answers{map[string]int{}, map[int]int{}}
	for line := range bytes.Lines(out) {
		var list []*message
		if bytes.HasPrefix(line, []byte("[")) {
			if err := json.Unmarshal(line, &list); err != nil {
				return nil, fmt.Errorf("%w in the answer %.200q", err, line)
			}
		} else {
			m := new(message)
			if err := json.Unmarshal(line, m); err != nil {
				return nil, fmt.Errorf("%w in the answer %.200q", err, line)
			}
			list = append(list, m)
		}
		for _, m := range list {
			id := string(m.ID)
			if id == "" || id == "null" {
				if m.Error == nil {
					return nil, fmt.Errorf("the answer %.200q has no id and is no error", line)
				}
				a.orphans[m.Error.Code]++
				continue
			}
			if _, twice := a.code[id]; twice {
				return nil, fmt.Errorf("the call %s was answered twice", id)
			}
			a.code[id] = 0
			if m.Error != nil {
				a.code[id] = m.Error.Code
			}
		}
	}
	return a, nil
}

// checkAnswers checks that each line was answered as it must be, and that there are no
// more answers than that.
func checkAnswers(out []byte, sent []sentLine) error {
	got, err := readAnswers(out)
	if err != nil {
		return err
	}
	delete(got.code, "1") // of what begins
	damaged := 0
	for _, line := range sent {
		if line.damaged {
			damaged++
			continue
		}
		if line.id != "" {
			id := string(encoded(line.id))
			code, found := got.code[id]
			if !found {
				return fmt.Errorf("the call %s was not answered: %.200q", id, line.text)
			}
			if code != line.code {
				return fmt.Errorf("the call %s was answered with error %d instead of %d: %.200q", id, code, line.code, line.text)
			}
			delete(got.code, id)
		}
		for _, code := range line.orphans {
			if got.orphans[code]--; got.orphans[code] < 0 {
				return fmt.Errorf("a line was not answered that must be, with error %d and no id, such as %.200q", code, line.text)
			}
		}
	}
	more := len(got.code)
	for _, n := range got.orphans {
		more += n
	}
	if more > damaged {
		return fmt.Errorf("%d answers more than lines that may have one: %v, with no id %v", more-damaged, got.code, got.orphans)
	}
	return nil
}

// goodLine returns a call that must be answered with a result.
func goodLine(random *rand.Rand, id string) sentLine {
	m := object{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": object{
		"name": "markdown_tree", "arguments": object{"file_path": "lf.md"},
	}}
	switch random.IntN(4) {
	case 0:
		m["method"], m["params"] = "ping", object{}
	case 1:
		m["params"] = object{"name": "read_file", "arguments": object{"path": "lf.md", "heading": "Part 1."}}
	case 2: // an error of the tool is a result as well
		m["params"] = object{"name": "read_file", "arguments": object{"path": "none.md"}}
	}
	return sentLine{text: string(encoded(m)), id: id, good: true}
}

// encoded returns a value as JSON.
func encoded(m any) []byte {
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err) // all of them are made here
	}
	return raw
}

// The codes of errors that the protocol has.
const (
	notJSON       = -32700
	noMessage     = -32600
	noMethod      = -32601
	badParameters = -32602
)

// unanswerable are lines that are no message, or have no id that could be known, by the
// error that they get.
var unanswerable = map[int][]string{
	notJSON: {"x", "{", "}", "\x00", "\xff\xfe", "\ufeff{}", "\x1b[31m", "Content-Length: 12", `{"jsonrpc":"2.0","id":"bad"`},
	noMessage: {
		"[]", "[[]]", "{}", "null", "true", "1", `""`, `{"jsonrpc":"2.0"}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":[],"method":"ping"}`,
		`{"jsonrpc":"2.0","id":99999999999999999999999,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"bad","id":"worse","method":"ping"}`,
	},
}

// badCalls are what stands after the id of calls that can't be answered well, by the
// error that they get.
var badCalls = map[int][]string{
	0: { // an error of the tool
		`"method":"tools/call","params":{"name":"read_file","arguments":[1]}`,
		`"method":"tools/call","params":{"name":"read_file","arguments":{"path":{"a":1}}}`,
	},
	noMessage: {
		`"method":7`, `"method":"tools/call"`, `"method":"initialize","params":{}`, `"method":"ping","method":"ping"`, `"method":"ping","params":"x"`,
	},
	noMethod: {`"method":"none"`, `"method":""`, `"method":"` + strings.Repeat("m", 60_000) + `"`},
	badParameters: {
		`"method":"tools/call","params":[]`, `"method":"tools/call","params":{"name":"none"}`,
		`"method":"resources/read","params":{"uri":"doc://%zz"}`,
	},
}

// silent are lines that get no answer: nothing, notifications, and answers.
var silent = []string{
	"", " ", "\t \t", `{"jsonrpc":"2.0","id":"bad","result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}`, `{"jsonrpc":"2.0","method":"notifications/none"}`,
}

// badLine returns a line that is malformed, or a call that was damaged on its way.
func badLine(random *rand.Rand, id string) sentLine {
	call := encoded(object{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": object{
		"name": "read_file", "arguments": object{"path": "lf.md"},
	}})
	orphan := func(code int, text string) sentLine { return sentLine{text: text, orphans: []int{code}} }
	switch random.IntN(10) {
	case 0: // its end is missing
		return orphan(notJSON, string(call[:1+random.IntN(len(call)-1)]))
	case 1: // one byte is another one, but no line end
		at := random.IntN(len(call))
		for begin := bytes.Index(call, []byte(id)); at >= begin && at < begin+len(id); { // which would be another call's
			at = random.IntN(len(call))
		}
		call[at] = byte(' ' + random.IntN(224))
		return sentLine{text: string(call), damaged: true}
	case 2: // two lines in one
		return orphan(notJSON, string(call)+string(call))
	case 3:
		return orphan(notJSON, strings.Repeat(pick(random, []string{"[", `{"a":`, "x"}), 1+random.IntN(3000)))
	case 4:
		return sentLine{text: pick(random, silent)}
	case 5: // a batch
		return sentLine{text: fmt.Sprintf(`[{"jsonrpc":"2.0","id":%q,"method":"ping"},7]`, id), id: id, orphans: []int{noMessage}}
	case 6, 7:
		code := pick(random, []int{notJSON, noMessage})
		return orphan(code, pick(random, unanswerable[code]))
	}
	code := pick(random, []int{0, noMessage, noMethod, badParameters})
	return sentLine{text: fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,%s}`, id, pick(random, badCalls[code])), id: id, code: code}
}
