package transport

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestStdioDuplicateIDs(t *testing.T) {
	p := startStdio(t, nil)
	p.send(callTool("1", "slow"), callTool("1", "echo"), ping(`"1"`))
	got := map[string]int64{}
	for range 2 {
		line := p.receive()
		got[idOf(line)] = codeOf(line)
		if codeOf(line) != 0 && !strings.Contains(line, "id 1 is in use") {
			t.Errorf("the error does not name the id: %s", line)
		}
	}
	if diff := cmp.Diff(map[string]int64{"null": -32600, `"1"`: 0}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	// What is no call at all is not answered under the id of one either.
	p.send(`{"jsonrpc":"2.0","id":1,"method":7}`)
	if line := p.receive(); idOf(line) != "null" || codeOf(line) != -32600 {
		t.Errorf("a message without a method: %s", line)
	}
	p.waitRunning(t, 1)
	close(p.release)
	if line := p.receive(); idOf(line) != "1" || !strings.Contains(line, `"done"`) {
		t.Errorf("the first call: %s", line)
	}
	for range 1000 { // an id is free as soon as its answer is there
		p.send(ping("1"))
		if line := p.receive(); idOf(line) != "1" || codeOf(line) != 0 {
			t.Fatalf("the id when it is free: %s", line)
		}
	}
}

// A cancellation stops the call that it names and no other.
func TestStdioCancel(t *testing.T) {
	p := startStdio(t, nil)
	p.send(callTool("1", "slow"), callTool(`"1"`, "slow"), callTool("2", "slow"))
	p.waitRunning(t, 3)
	for _, id := range []string{"1.5", "1.0", "3", "null", "[1]", `"2"`, `"\ud800"`, `2,"requestId":1`, "9007199254740993"} {
		p.send(cancelCall(id))
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`)
	for range 100 {
		p.send(cancelCall("2"))
	}
	if got := p.receive(); idOf(got) != "2" || !strings.Contains(got, `"stopped"`) {
		t.Errorf("the cancelled call: %s", got)
	}
	p.waitRunning(t, 2)
	p.send(cancelCall("2"), callTool("2", "echo"), ping("3"))
	got := []string{idOf(p.receive()), idOf(p.receive())}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"2", "3"}, got); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}
	close(p.release)
	for _, line := range p.end() {
		if !strings.Contains(line, `"done"`) {
			t.Errorf("another call was stopped: %s", line)
		}
	}
}

// While as many calls are in flight as may be, others wait, cancellations pass
// both, and everything is answered once.
func TestStdioBackPressure(t *testing.T) {
	p := startStdio(t, nil)
	const more = 50
	for i := range maxInFlight + more {
		p.send(callTool(fmt.Sprint(i), "slow"))
	}
	p.waitRunning(t, maxInFlight)

	held := maxInFlight + more - 1
	p.send(cancelCall(fmt.Sprint(held)))
	if got := p.receive(); idOf(got) != fmt.Sprint(held) || codeOf(got) != jsonrpc.CodeInternalError {
		t.Errorf("a call that was cancelled while it waited: %s", got)
	}
	p.send(ping(fmt.Sprint(held - 1)))
	if got := p.receive(); idOf(got) != "null" || codeOf(got) != -32600 {
		t.Errorf("the id of a call that waits: %s", got)
	}
	p.send(cancelCall("5"))
	if got := p.receive(); idOf(got) != "5" || !strings.Contains(got, `"stopped"`) {
		t.Errorf("a call that was cancelled in flight: %s", got)
	}
	p.waitRunning(t, maxInFlight)
	p.send(listen(`"l"`)) // waits its turn

	_ = p.in.Close()
	close(p.release)
	got := map[string]int{}
	for _, line := range p.end() {
		got[idOf(line)]++
	}
	want := map[string]int{`"l"`: 1}
	for i := range maxInFlight + more {
		want[fmt.Sprint(i)] = 1
	}
	delete(want, "5")
	delete(want, fmt.Sprint(held))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// endless is an input of the same line for ever.
type endless struct {
	line []byte
	read atomic.Int64 // bytes
	rest []byte
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		e.rest = e.line
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	e.read.Add(int64(n))
	return n, nil
}

// What Read does not take fills the queue so far and no further.
func TestStdioQueueIsBounded(t *testing.T) {
	note := func(size int) []byte {
		return []byte(`{"jsonrpc":"2.0","method":"x","params":{"a":"` + strings.Repeat("a", size) + `"}}` + "\n")
	}
	for _, tt := range []struct {
		name string
		line []byte
		most int // messages
	}{
		{"messages", note(0), maxWaiting},
		{"bytes", note(1 << 20), maxWaitingBytes >> 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := &endless{line: tt.line}
			s := NewStdio(in, io.Discard, nil)
			if _, err := s.Connect(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			waiting := func() int {
				s.mu.Lock()
				defer s.mu.Unlock()
				return len(s.waiting)
			}
			for range 2 {
				for end := time.Now().Add(stdioWait); waiting() < tt.most; {
					if time.Now().After(end) {
						t.Fatalf("%d messages are in the queue, want %d", waiting(), tt.most)
					}
					time.Sleep(time.Millisecond)
				}
				before := in.read.Load()
				time.Sleep(100 * time.Millisecond)
				if read := in.read.Load() - before; read > 2*int64(len(tt.line))+readBuffer || waiting() > tt.most+1 {
					t.Errorf("%d bytes were read with a full queue, which has %d messages", read, waiting())
				}
				for range 3 {
					if _, err := s.Read(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func TestStdioIsHeld(t *testing.T) {
	const half = maxOutputBytes / 2
	small, large := &stdioCall{size: 1}, &stdioCall{size: 11}
	tests := []struct {
		name                    string
		inFlight, bytes, output int
		call                    *stdioCall
		want                    bool
	}{
		{"a notification", maxInFlight, 0, 0, nil, false},
		{"a subscription", maxInFlight, maxInFlightBytes, maxOutputBytes, &stdioCall{size: 1, listen: true}, false},
		{"few", maxInFlight - 1, 0, 0, small, false},
		{"many", maxInFlight, 0, 0, small, true},
		{"as large as fits", 1, maxInFlightBytes - 11, 0, large, false},
		{"too large", 1, maxInFlightBytes - 10, 0, large, true},
		{"too large, alone", 0, 0, 0, &stdioCall{size: maxInFlightBytes + 1}, false},
		{"few beside half of the output", maxInFlight/2 - 1, 0, half, small, false},
		{"many beside half of the output", maxInFlight / 2, 0, half, small, true},
		{"alone beside the output", 0, 0, maxOutputBytes - answerBytes, small, false},
		{"alone beside more output", 0, 0, maxOutputBytes - answerBytes + 1, small, true},
	}
	for _, tt := range tests {
		s := NewStdio(nil, nil, nil)
		s.inFlight, s.inFlightBytes = tt.inFlight, tt.bytes
		if s.outputBytes = tt.output; tt.output > 0 {
			s.output = make([]outputLine, 1)
		}
		if got := s.isHeld(tt.call); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// So many subscriptions may be open; one that ends makes room.
func TestStdioSubscriptionLimit(t *testing.T) {
	p := startStdio(t, nil)
	for i := range MaxListens {
		p.send(listen(fmt.Sprint(i)))
	}
	p.send(listen("100"))
	if got := p.answer(); idOf(got) != "100" || codeOf(got) != -32600 {
		t.Errorf("one too many: %s", got)
	}
	p.send(cancelCall("7"))
	if got := p.answer(); idOf(got) != "7" {
		t.Errorf("the cancelled one: %s", got)
	}
	p.send(listen("100"), cancelCall("100"))
	if got := p.answer(); idOf(got) != "100" || codeOf(got) == -32600 {
		t.Errorf("when there is room: %s", got)
	}
	if answers := len(p.end()); answers != MaxListens-1 {
		t.Errorf("%d subscriptions were answered at the end, want %d", answers, MaxListens-1)
	}
}

// Among 10,000 lines of every kind each good call is answered once.
func TestStdioRandomLines(t *testing.T) {
	const total = 10_000
	rnd := rand.New(rand.NewPCG(1, 2))
	p := startStdio(t, nil)
	bases := []string{
		ping("1"), ping(`"m"`), callTool("2", "echo"), callTool("3", "nothing"), listen("4"), cancelCall("4"), cancelCall("2"),
		"[" + ping("5") + "," + callTool("6", "echo") + "]", `{"jsonrpc":"2.0","id":7,"result":{}}`, stdioInitialize, "", "\r",
	}
	sent := make(chan map[string]bool)
	go func() {
		good := map[string]bool{}
		for i := range total {
			line := string(mutate(rnd, []byte(bases[rnd.IntN(len(bases))])))
			switch rnd.IntN(4) {
			case 0:
				id := fmt.Sprintf(`"good-%d"`, i)
				good[id] = true
				line = callTool(id, "echo")
			case 1:
				line += "\r"
			}
			if _, err := io.WriteString(p.in, line+"\n"); err != nil {
				t.Error(err)
				break
			}
		}
		_ = p.in.Close()
		sent <- good
	}()
	answers := map[string]int{}
	for line := range p.lines {
		if err := checkWire(strings.TrimSuffix(line, "\n")); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if id := idOf(line); strings.HasPrefix(id, `"good`) {
			answers[id]++
			if !strings.Contains(line, `{\"a\":1}`) {
				t.Errorf("a good call was answered with %s", line)
			}
		}
	}
	if err := p.wait(); err != nil {
		t.Errorf("Run: %v", err)
	}
	good := <-sent
	for id := range good {
		if answers[id] != 1 {
			t.Errorf("call %s was answered %d times", id, answers[id])
		}
	}
	if len(good) < total/5 || len(answers) != len(good) {
		t.Errorf("%d good calls, %d of them answered", len(good), len(answers))
	}
}

// mutate changes some bytes of a line, and leaves it a line.
func mutate(rnd *rand.Rand, line []byte) []byte {
	const alphabet = `{}[]",:\0123456789.eE-+ntfu` + "\t\x00\xff\xc3\xa9 \r"
	for range rnd.IntN(4) {
		at := rnd.IntN(len(line) + 1)
		switch rnd.IntN(4) {
		case 0:
			line = slices.Insert(line, at, alphabet[rnd.IntN(len(alphabet))])
		case 1:
			line = line[:at]
		case 2:
			line = slices.Delete(line, at, min(at+1+rnd.IntN(5), len(line)))
		case 3:
			line = slices.Insert(line, at, line[at:min(at+rnd.IntN(30), len(line))]...)
		}
	}
	return bytes.ReplaceAll(line, []byte("good"), nil)
}
