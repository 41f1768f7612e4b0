package transport

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/sectile/sectile/internal/rawjson"
)

// Batches were in the protocol until its revision 2025-06-18 and are taken in all:
// an old client needs them, and a new one sends none.

// stdioBatch collects the answers to the messages of one line. stdio.mu guards it.
type stdioBatch struct {
	ids   []jsonrpc.ID // of its calls
	lines [][]byte     // answers without a line's end; nil until there is one
	bytes int          // of lines
	left  int          // answers that are missing, and 1 while the line is read
}

// add makes room for the answer of a call.
func (b *stdioBatch) add(c *stdioCall) {
	c.place = len(b.lines)
	b.lines = append(b.lines, nil)
	b.ids = append(b.ids, c.id)
	b.left++
}

// errEmptyBatch refuses an array without messages.
func errEmptyBatch() *wireFault {
	return &wireFault{code: jsonrpc.CodeInvalidRequest, text: "a batch holds at least one message"}
}

// errLongBatch refuses an array of too many.
func errLongBatch() *wireFault {
	return &wireFault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("a batch of more than %d messages; send less at once", maxBatch)}
}

// takeBatch takes the messages of a line that is an array.
func (s *Stdio) takeBatch(line []byte) {
	var members [][]byte
	for member := range rawjson.Parts(line) {
		if members = append(members, member); len(members) > maxBatch {
			break
		}
	}
	switch {
	case len(members) == 0:
		s.refuse(errEmptyBatch(), nil)
		return
	case len(members) > maxBatch:
		s.refuse(errLongBatch(), nil)
		return
	}
	batch := &stdioBatch{left: 1}
	for _, member := range members {
		s.take(member, batch)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.complete(batch, true)
}

// keep keeps an answer until its batch is complete. s.mu is held.
func (s *Stdio) keep(b *stdioBatch, place int, line []byte) {
	b.lines[place] = line
	b.bytes += len(line)
	s.batchBytes += len(line)
}

// keepAnswer keeps the answer of a call until its batch is complete; an error in
// its place if so much is kept already that more would fill the memory. s.mu is
// held.
func (s *Stdio) keepAnswer(c *stdioCall, line []byte) {
	if s.batchBytes > 0 && s.batchBytes+len(line) > maxBatchBytes {
		fault := &wireFault{id: c.id, code: jsonrpc.CodeInternalError, text: "the answers of the batch are too long together; send the call alone"}
		line = fault.line()
	}
	s.keep(c.batch, c.place, line)
	s.complete(c.batch, c.isLoose())
}

// complete notes that one answer less is missing. If that was the last, and there
// are any, they are put in the queue. s.mu is held.
func (s *Stdio) complete(b *stdioBatch, loose bool) {
	b.left--
	if b.left > 0 || len(b.lines) == 0 {
		return
	}
	for _, id := range b.ids {
		delete(s.open, id)
	}
	s.batchBytes -= b.bytes
	line := make([]byte, 0, b.bytes+len(b.lines)+len("[]\n"))
	line = append(line, '[')
	for i, answer := range b.lines {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, answer...)
	}
	s.put(outputLine{rest: append(line, ']'), loose: loose})
}
