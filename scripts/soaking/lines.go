package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Malformed lines stand among good ones. Each good call is answered once, whatever
// stands beside it, and the server ends well with its input.

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
	good, bad := 0, 0
	for range 50 + random.IntN(150) {
		if random.IntN(3) == 0 {
			input.Write(goodLine(random, good))
			good++
		} else {
			input.Write(badLine(random))
			bad++
		}
		input.WriteString(pick(random, []string{"\n", "\n", "\r\n"}))
	}
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, "mcp")
	cmd.Dir, cmd.Stdin = dir, &input
	sent := bytes.Clone(input.Bytes())
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if ctx.Err() != nil {
		err = errHangs
	}
	if line := badLog(log.String()); line != "" {
		err = errors.Join(err, fmt.Errorf("the server logs %s", line))
	}
	if err == nil {
		err = answers(out, good)
	}
	if err != nil {
		_ = os.WriteFile(filepath.Join(dir, "input"), sent, 0o600) // for whoever looks for what went wrong
		return fmt.Errorf("%d good and %d malformed lines: %w", good, bad, err)
	}
	r.tally.add("good lines answered", good)
	r.tally.add("malformed lines", bad)
	return nil
}

// answers checks that each of the good calls has one answer, and that what is written is
// a message a line.
func answers(out []byte, good int) error {
	got := map[string]int{}
	for line := range bytes.Lines(out) {
		m := new(message)
		if err := json.Unmarshal(line, m); err != nil {
			// An answer to a batch is a list.
			if json.Unmarshal(line, new([]message)) == nil {
				continue
			}
			return fmt.Errorf("%w in the answer %.200q", err, line)
		}
		var id string
		if json.Unmarshal(m.ID, &id) != nil || !strings.HasPrefix(id, "good-") {
			continue
		}
		if got[id]++; got[id] > 1 {
			return fmt.Errorf("the call %s was answered twice", id)
		}
		if m.Error != nil {
			return fmt.Errorf("the call %s was answered with error %d: %s", id, m.Error.Code, m.Error.Message)
		}
	}
	for n := range good {
		if id := goodID(n); got[id] != 1 {
			return fmt.Errorf("the call %s was not answered", id)
		}
	}
	return nil
}

// goodID names the n-th good call.
func goodID(n int) string { return fmt.Sprintf("good-%d", n) }

// goodLine returns a call that must be answered with a result.
func goodLine(random *rand.Rand, n int) []byte {
	m := object{"jsonrpc": "2.0", "id": goodID(n), "method": "tools/call", "params": object{
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
	return encoded(m)
}

// encoded returns an object as JSON.
func encoded(m any) []byte {
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err) // all of them are made here
	}
	return raw
}

// malformed are lines that are no message, or none that can be answered well.
var malformed = []string{
	"", " ", "x", "{", "}", "[]", "[[]]", "{}", "null", "true", "1", `""`, "\x00", "\xff\xfe", "\ufeff{}", "\x1b[31m",
	`{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
	`{"jsonrpc":"2.0","id":[],"method":"ping"}`, `{"jsonrpc":"2.0","id":"bad","method":7}`,
	`{"jsonrpc":"2.0","id":"bad","method":"none"}`, `{"jsonrpc":"2.0","id":"bad","method":"tools/call"}`,
	`{"jsonrpc":"2.0","id":"bad","method":"tools/call","params":[]}`,
	`{"jsonrpc":"2.0","id":"bad","method":"tools/call","params":{"name":"none"}}`,
	`{"jsonrpc":"2.0","id":"bad","method":"tools/call","params":{"name":"read_file","arguments":[1]}}`,
	`{"jsonrpc":"2.0","id":"bad","method":"tools/call","params":{"name":"read_file","arguments":{"path":{"a":1}}}}`,
	`{"jsonrpc":"2.0","id":"bad","id":"bad","method":"ping","method":"ping"}`,
	`{"jsonrpc":"2.0","id":"bad","method":"initialize","params":{}}`,
	`{"jsonrpc":"2.0","id":99999999999999999999999,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":"bad","result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}`,
	`{"jsonrpc":"2.0","method":"notifications/none"}`, `{"jsonrpc":"2.0","id":"bad","method":"resources/read","params":{"uri":"doc://%zz"}}`,
	`[{"jsonrpc":"2.0","id":"bad","method":"ping"},7]`, `Content-Length: 12`,
}

// badLine returns a line that is malformed, or a call that was damaged on its way.
func badLine(random *rand.Rand) []byte {
	call := encoded(object{"jsonrpc": "2.0", "id": "bad", "method": "tools/call", "params": object{
		"name": "read_file", "arguments": object{"path": "lf.md"},
	}})
	switch random.IntN(8) {
	case 0: // its end is missing
		return call[:random.IntN(len(call))]
	case 1: // one byte is another one, but no line end
		call[random.IntN(len(call))] = byte(' ' + random.IntN(224))
		return call
	case 2: // two lines in one
		return append(call, call...)
	case 3:
		return bytes.Repeat([]byte(pick(random, []string{"[", `{"a":`, "x", " "})), random.IntN(3000))
	case 4: // long
		return append(append([]byte(`{"jsonrpc":"2.0","id":"bad","method":"`), bytes.Repeat([]byte("m"), random.IntN(100_000))...), `"}`...)
	}
	return []byte(pick(random, malformed))
}
