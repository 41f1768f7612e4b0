package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The library answers a body that holds no message with a line of plain text, which a
// client of JSON-RPC can't tell from the words of some proxy. So bodies are looked at
// before it, by the rules for lines of standard input.

// checkBody reports whether the body of a request holds a subscription, and what is
// wrong with it, nil if nothing is.
func checkBody(body []byte) (listens bool, fault *wireFault) {
	if fault := checkBodyJSON(body); fault != nil {
		return false, fault
	}
	start := skipSpace(body, 0)
	if !at(body, start, '[') {
		m, fault := parseMessage(body[start:])
		return m.listens(), fault
	}
	count := 0
	for member := range parts(body) {
		if count++; count > maxBatch {
			return false, &wireFault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("a batch of more than %d messages; send less at once", maxBatch)}
		}
		m, fault := parseMessage(member)
		if fault != nil { // the batch is refused as a whole, so the answer is to none of its members
			return false, &wireFault{code: fault.code, text: fmt.Sprintf("message %d of the batch: %s", count, fault.text)}
		}
		listens = listens || m.listens()
	}
	if count == 0 {
		return false, &wireFault{code: jsonrpc.CodeInvalidRequest, text: "a batch holds at least one message"}
	}
	return listens, nil
}

// checkBodyJSON reports why a body is not JSON, nil if it is.
func checkBodyJSON(body []byte) *wireFault {
	switch {
	case !utf8.Valid(body):
		return &wireFault{code: jsonrpc.CodeParseError, text: "the body is not valid UTF-8; send JSON in UTF-8"}
	case !json.Valid(body):
		var raw json.RawMessage
		err := json.Unmarshal(body, &raw) // its error quotes one character at most
		return &wireFault{code: jsonrpc.CodeParseError, text: fmt.Sprintf("the body is not JSON: %v; send one message", err)}
	}
	return nil
}

// listens reports whether the message asks for a subscription.
func (m *wireMessage) listens() bool { return m.req != nil && m.req.Method == methodListen }

// refuseMessage answers a request whose body holds no message.
func refuseMessage(w http.ResponseWriter, fault *wireFault) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(fault.line()) // a client that has gone misses nothing
}
