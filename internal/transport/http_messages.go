package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/runes"
)

// The library answers a body that holds no message with a line of plain text, which a
// client of JSON-RPC can't tell from the words of some proxy. So bodies are looked at
// before it, by the rules for lines of standard input.

// firstWithoutBatches is the revision that took batches out of the protocol.
const firstWithoutBatches = "2025-06-18"

// revisionHeader names the revision of the protocol that a request is in. Revisions are
// dates, and a request that names none is in one with batches.
const revisionHeader = "Mcp-Protocol-Version"

// httpMessage is a message of a body, or what is wrong with it.
type httpMessage struct {
	wireMessage

	raw   []byte
	fault *wireFault // nil for none
}

// readBody returns the messages of a body. The fault is about the body as a whole.
func readBody(body []byte) (messages []httpMessage, batch bool, fault *wireFault) {
	if fault := checkJSON(body, "body", "one message"); fault != nil {
		return nil, false, fault
	}
	if body = bytes.TrimSpace(body); body[0] != '[' {
		m := readMessage(body)
		return []httpMessage{m}, false, m.fault
	}
	used := map[jsonrpc.ID]bool{}
	for member := range rawjson.Parts(body) {
		if len(messages) == maxBatch {
			return nil, true, errLongBatch()
		}
		m := readMessage(member)
		switch {
		case m.fault != nil && used[m.fault.id]:
			m.fault.id = jsonrpc.ID{} // a client would take it for the other call's answer
		case m.fault != nil || !m.isCall():
		case used[m.req.ID]:
			m.fault = errUsedID(m.req.ID)
		case m.listens(): // it would last as long as the batch
			m.fault = &wireFault{id: m.req.ID, code: jsonrpc.CodeInvalidRequest, text: "a subscription can't be in a batch; send it alone"}
		default:
			used[m.req.ID] = true
		}
		messages = append(messages, m)
	}
	if len(messages) == 0 {
		return nil, true, errEmptyBatch()
	}
	return messages, true, nil
}

// readMessage reads one message of a body.
func readMessage(raw []byte) httpMessage {
	m := httpMessage{raw: raw}
	m.wireMessage, m.fault = parseMessage(raw)
	if m.fault == nil && m.isCall() {
		m.fault = checkCall(m.req)
	}
	return m
}

// checkRevision reports why a body can't be answered in the revision that its header
// names, nil if it can.
func checkRevision(revision string, messages []httpMessage, batch bool) *wireFault {
	served := mcp.SupportedProtocolVersions()
	switch {
	case revision == "":
		return nil
	case !slices.Contains(served, revision):
		data, err := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: served, Requested: runes.Clip(revision, 60)})
		if err != nil {
			data = nil // can't be: it is text alone
		}
		fault := &wireFault{code: mcp.CodeUnsupportedProtocolVersion, data: data, text: fmt.Sprintf(
			"the header %s is %q, a revision of the protocol that is not served; use one of %s",
			revisionHeader, runes.Clip(revision, 60), strings.Join(served, ", "))}
		if !batch && messages[0].isCall() {
			fault.id = messages[0].req.ID
		}
		return fault
	case batch && revision >= firstWithoutBatches:
		return &wireFault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf(
			"the revision %s of the protocol has no batches; send each message alone", revision)}
	}
	return nil
}

// isCall reports whether the message wants an answer.
func (m *wireMessage) isCall() bool { return m.req != nil && m.req.IsCall() }

// listens reports whether the message asks for a subscription. A notification asks for nothing.
func (m *wireMessage) listens() bool { return m.isCall() && m.req.Method == methodListen }

// writeJSON answers a request with JSON that is rendered already.
func writeJSON(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) //nolint:gosec // JSON, and a client that has gone misses nothing
}
