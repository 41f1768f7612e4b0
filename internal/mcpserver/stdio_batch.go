package mcpserver

import (
	"bytes"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Batches were in the protocol until its revision 2025-06-18 and are taken in all:
// an old client needs them, and a new one sends none.

// stdioBatch collects the answers to the messages of one line. stdio.mu guards it.
type stdioBatch struct {
	ids   []jsonrpc.ID // of its calls
	lines [][]byte     // answers without a line's end; nil until there is one
	left  int          // answers that are missing, and 1 while the line is read
}

// add makes room for the answer of a call.
func (b *stdioBatch) add(c *stdioCall) {
	c.place = len(b.lines)
	b.lines = append(b.lines, nil)
	b.ids = append(b.ids, c.id)
	b.left++
}

// takeBatch takes the messages of a line that is an array.
func (s *stdio) takeBatch(line []byte) {
	members, ok := splitArray(line, maxBatch+1)
	switch {
	case !ok || len(members) == 0:
		s.refuse(&wireFault{code: jsonrpc.CodeInvalidRequest, text: "a batch holds at least one message"}, nil)
		return
	case len(members) > maxBatch:
		s.refuse(&wireFault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("a batch of more than %d messages; send less at once", maxBatch)}, nil)
		return
	}
	batch := &stdioBatch{left: 1}
	for _, member := range members {
		s.take(member, batch)
	}
	s.mu.Lock()
	answers := s.complete(batch)
	s.mu.Unlock()
	if answers != nil {
		_ = s.sendAnswer(answers) // an error ends the connection, which Read sees
	}
}

// complete notes that one answer less is missing, and returns the line of answers
// if that was the last and there are any; it is counted as being written then.
// s.mu is held.
func (s *stdio) complete(b *stdioBatch) []byte {
	b.left--
	if b.left > 0 || len(b.lines) == 0 {
		return nil
	}
	for _, id := range b.ids {
		delete(s.open, id)
	}
	s.writing++
	line := append([]byte{'['}, bytes.Join(b.lines, []byte{','})...)
	return append(line, ']')
}
