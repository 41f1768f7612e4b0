package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Clients that don't read what the server writes.

// tap is an output whose client reads while it is open. It lets initialize pass.
type tap struct {
	out  io.Writer
	open chan struct{}
	shut atomic.Bool
}

func (v *tap) Write(p []byte) (int, error) {
	if v.shut.Load() {
		<-v.open
	}
	return v.out.Write(p)
}

// startUnread is startStdio with a client that reads nothing, until the tap is
// opened.
func startUnread(t *testing.T, limit patience) (*stdioPeer, *tap) {
	t.Helper()
	v := &tap{open: make(chan struct{})}
	p := startStdio(t, func(s *Stdio) {
		v.out, s.out, s.limit = s.out, v, limit
	})
	v.shut.Store(true)
	return p, v
}

// waitFor waits until the connection is in a state.
func waitFor(t *testing.T, s *Stdio, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(stdioWait); ; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		ok := is()
		s.mu.Unlock()
		if ok {
			return
		}
		if time.Now().After(end) {
			t.Fatal(what + " never happens")
		}
	}
}

// When the input has ended, a client that doesn't read keeps the server for a
// while and no longer.
func TestStdioEndsThoughNobodyReads(t *testing.T) {
	t.Parallel()
	const soon, never = 50 * time.Millisecond, time.Hour
	end := func(p *stdioPeer) { _ = p.in.Close() }
	finish := func(p *stdioPeer) { // what it has not read yet it need not answer
		waitFor(t, p.conn, "an answer", func() bool { return len(p.conn.output) > 0 })
		p.conn.Finish()
	}
	patient := patience{answers: never, reader: soon, told: never}
	for _, tt := range []struct {
		name  string
		limit patience
		lines []string
		end   func(*stdioPeer)
	}{
		{"end of input", patient, []string{ping("1")}, end},
		{"finish", patience{answers: never, reader: never, told: soon}, []string{ping("1")}, finish},
		{"finish behind the end of input", patience{answers: never, reader: never, told: soon}, []string{ping("1")}, func(p *stdioPeer) {
			end(p)
			waitFor(t, p.conn, "the end of input", func() bool { return p.conn.ended != nil })
			finish(p)
		}},
		{"refusals", patient, []string{"words", "{}", "[]"}, end},
		{"batch", patient, []string{"[" + ping("1") + ",{}]"}, end},
		{"subscription", patient, []string{listen("1")}, end},
		{"calls in flight", patient, []string{ping("1"), callTool("2", "slow")}, end},
		{"calls that wait", patient, slices.Repeat([]string{"words", ping("1")}, 500), end},
		{"lost calls", patience{answers: soon, reader: soon, told: never}, []string{callTool("1", "lost")}, end},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := startUnread(t, tt.limit)
			p.send(tt.lines...)
			tt.end(p)
			if err := p.wait(); err == nil || !strings.Contains(err.Error(), "nobody has read") {
				t.Errorf("Run: %v", err)
			}
		})
	}
}

// A client that reads slowly is waited for: what counts is that it reads.
func TestStdioSlowReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const size, pause = 60 * pieceBytes, 20 * time.Millisecond
		limit := patience{answers: time.Hour, reader: 30 * pause, told: 30 * pause} // half of what it takes
		p := startStdio(t, func(s *Stdio) {
			out := s.out
			s.limit = limit
			s.out = writerFunc(func(b []byte) (int, error) {
				if len(b) > pieceBytes {
					t.Errorf("%d bytes are written at once", len(b))
				}
				time.Sleep(pause)
				return out.Write(b)
			})
		})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"` + strings.Repeat("a", size) + `"}}}`)
		start := time.Now()
		got := p.end()
		if len(got) != 1 || len(got[0]) < size {
			t.Errorf("%d answers", len(got))
		}
		if took := time.Since(start); took < limit.reader {
			t.Errorf("it took %v, which proves nothing", took)
		}
	})
}

// lineHeads is an output that keeps the beginning of every line.
type lineHeads struct {
	heads []string
	open  bool // the last one has no end yet
}

func (l *lineHeads) Write(p []byte) (int, error) {
	for part := range bytes.Lines(p) {
		if !l.open {
			l.heads = append(l.heads, string(part[:min(len(part), 100)]))
		}
		l.open = part[len(part)-1] != '\n'
	}
	return len(p), nil
}

// Nobody reads: the answers that wait are so many and no more, and when the client
// reads at last, every call is answered once.
func TestStdioUnreadAnswersAreBounded(t *testing.T) {
	const calls = 700
	var input strings.Builder
	for i := range calls {
		input.WriteString(callTool(fmt.Sprint(i), "echo") + "\n")
	}
	last := fmt.Sprint(calls - 1)
	input.WriteString(cancelCall(last) + "\n") // it is held then
	out := &lineHeads{}
	v := &tap{out: out, open: make(chan struct{})}
	v.shut.Store(true)
	s := NewStdio(strings.NewReader(input.String()), v, nil)
	s.limit = patience{answers: time.Hour, reader: time.Hour, told: time.Hour}
	if _, err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	// This stands for the library.
	var begun atomic.Int64
	ended := make(chan error, 1)
	padding := strings.Repeat("a", 1<<20)
	go func() {
		for {
			msg, err := s.Read(t.Context())
			if err != nil {
				ended <- err
				return
			}
			begun.Add(1)
			id := msg.(*jsonrpc.Request).ID
			go s.answer(id, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":"%s"}`, idText(id), padding))
		}
	}()
	waitFor(t, s, "that calls are held and none is in flight", func() bool {
		return s.ended != nil && s.inFlight == 0 && s.isHeld(s.waiting[0].call)
	})
	if n := begun.Load(); n < maxOutputBytes>>20 || n > maxInFlight {
		t.Errorf("%d calls were begun, want %d to %d", n, maxOutputBytes>>20, maxInFlight)
	}
	close(v.open)
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("Read: %v", err)
	}
	want, got := map[string]int{}, map[string]int{}
	for i := range calls {
		want[fmt.Sprint(i)] = 1
	}
	for _, head := range out.heads {
		_, id, _ := strings.Cut(head, `"id":`)
		id, rest, _ := strings.Cut(id, ",")
		got[id]++
		if strings.HasPrefix(rest, `"error"`) != (id == last) {
			t.Errorf("%s", head)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || out.open {
		t.Errorf("answers (-want +got), without an end %v:\n%s", out.open, diff)
	}
	if s.outputBytes != 0 || s.looseBytes != 0 || s.inFlight != 0 || s.inFlightBytes != 0 || s.waitingBytes != 0 || len(s.open) != 0 {
		t.Errorf("something is counted that is not there: %d %d %d %d %d %d",
			s.outputBytes, s.looseBytes, s.inFlight, s.inFlightBytes, s.waitingBytes, len(s.open))
	}
}

// What is not held back, refusals and cancellations, stops the input when too much
// of it is not read, until it is.
func TestStdioUnreadRefusalsAreBounded(t *testing.T) {
	in := &endless{line: []byte("words\n")}
	v := &tap{out: io.Discard, open: make(chan struct{})}
	v.shut.Store(true)
	s := NewStdio(in, v, nil)
	if _, err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	waitFor(t, s, "that enough refusals wait", func() bool { return s.looseBytes >= maxLooseBytes })
	before := in.read.Load()
	time.Sleep(50 * time.Millisecond)
	s.mu.Lock()
	if read := in.read.Load() - before; read > readBuffer || s.looseBytes > maxLooseBytes+1000 || s.looseBytes != s.outputBytes {
		t.Errorf("%d bytes were read, and %d wait to be written, of them %d refusals", read, s.outputBytes, s.looseBytes)
	}
	s.mu.Unlock()
	close(v.open)
	waitFor(t, s, "that the input goes on", func() bool { return in.read.Load() > before+4*readBuffer })
}

// A client that doesn't read is heard all the same.
func TestStdioUnreadCancellation(t *testing.T) {
	p, v := startUnread(t, patience{answers: time.Hour, reader: time.Hour, told: time.Hour})
	p.send("words", callTool("1", "slow"), "words")
	p.waitRunning(t, 1)
	p.send("words", cancelCall("1"))
	p.waitRunning(t, 0)
	close(v.open)
	for range 3 {
		if got := p.receive(); codeOf(got) != jsonrpc.CodeParseError {
			t.Errorf("words were answered with %s", got)
		}
	}
	if got := p.end(); len(got) != 1 || !strings.Contains(got[0], "stopped") {
		t.Errorf("the call was answered with %q", got)
	}
}

// Nobody has to wait for a client that doesn't read.
func TestStdioUnreadBlocksNobody(t *testing.T) {
	s := NewStdio(nothing{}, nothing{}, nil)
	defer s.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i, c := range []*stdioCall{{}, {delivered: true, listen: true}, {delivered: true}} {
			id, _ := jsonrpc.MakeID(float64(i))
			s.mu.Lock()
			s.open[id] = c
			s.mu.Unlock()
			if err := s.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage("{}")}); err != nil {
				t.Error(err)
			}
		}
		s.mu.Lock()
		s.open[jsonrpc.ID{}] = &stdioCall{}
		s.mu.Unlock()
		s.giveUp()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := s.Write(ctx, &jsonrpc.Request{Method: "x"}); err != nil {
			t.Errorf("a notification: %v", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(stdioWait):
		t.Fatal("it blocks")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.output) != 5 || len(s.open) != 0 {
		t.Fatalf("%d lines are to be written and %d calls open", len(s.output), len(s.open))
	}
	// Of these, one is the answer of a call that could have been held.
	for i, line := range s.output {
		if line.loose != (i != 2) {
			t.Errorf("line %d: loose %v: %s", i, line.loose, line.rest)
		}
	}
	if want := s.outputBytes - len(s.output[2].rest); s.looseBytes != want {
		t.Errorf("%d bytes are loose, want %d", s.looseBytes, want)
	}
}

// Batches that are not complete can't collect more than so much: calls beyond that
// are answered with an error.
func TestStdioLargeBatches(t *testing.T) {
	const size = maxBatchBytes / 4
	out := &lineHeads{}
	s := NewStdio(nothing{}, out, nil)
	batches := []*stdioBatch{{}, {}}
	results, faults := 0, 0
	for round := range 3 {
		for i, b := range batches {
			*b = stdioBatch{}
			for place := range 4 {
				id, _ := jsonrpc.MakeID(fmt.Sprintf("%d/%d/%d", round, i, place))
				c := &stdioCall{id: id, batch: b}
				s.open[id] = c
				b.add(c)
			}
		}
		// All but the last call of each, and then the last ones.
		for _, places := range [][]int{{2, 0, 1}, {3}} {
			for _, b := range batches {
				for _, place := range places {
					s.answer(b.ids[place], bytes.Repeat([]byte("1"), size))
				}
			}
		}
		for i, b := range batches {
			for place, line := range b.lines {
				if len(line) == size {
					results++
				} else if faults++; codeOf(string(line)) != jsonrpc.CodeInternalError || idOf(string(line)) != idText(b.ids[place]) {
					t.Errorf("batch %d, call %d: %.200s", i, place, line)
				}
			}
		}
	}
	// Four fit. When the first batch is complete, it makes room for one of the other.
	if results != 3*5 || faults != 3*3 {
		t.Errorf("%d results and %d errors", results, faults)
	}
	waitFor(t, s, "that everything is written", func() bool { return len(s.output) == 0 })
	if s.batchBytes != 0 || len(s.open) != 0 || len(out.heads) != 6 || out.open {
		t.Errorf("%d bytes are counted, %d calls open, %d lines written", s.batchBytes, len(s.open), len(out.heads))
	}
}
