package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/runes"
)

// Messages are decoded here and not by the library, which takes 1.5 and 1 for the
// same id, the last of two equal keys for the only one, and ends the connection
// when it finds an error.

// maxID is the greatest integer that is an id: greater ones lose digits.
const maxID = 1<<53 - 1

// wireMessage is a call or a notification, or a response.
type wireMessage struct {
	req      *jsonrpc.Request // nil for a response
	response bool
}

// wireFault is why a line or a message was refused.
type wireFault struct {
	id   jsonrpc.ID // zero for null
	code int64
	text string // one sentence on what to do
	data []byte // JSON for programs; nil for none
}

// line is the answer that tells the fault, without a line's end.
func (f *wireFault) line() []byte {
	if f.id.IsValid() {
		line, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: f.id, Error: &jsonrpc.Error{Code: f.code, Message: f.text, Data: f.data}})
		if err == nil {
			return line
		}
	}
	text, err := json.Marshal(f.text)
	if err != nil {
		text = []byte(`""`)
	}
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s`, f.code, text)
	if f.data != nil {
		line = append(append(line, `,"data":`...), f.data...)
	}
	return append(line, "}}"...)
}

// errUsedID refuses a call whose id is in use, without the id: that belongs to the
// answer of the other call.
func errUsedID(id jsonrpc.ID) *wireFault {
	return &wireFault{
		code: jsonrpc.CodeInvalidRequest, text: "the id " + idText(id) + " is in use by a call that has no answer yet; give each call an id of its own",
	}
}

// checkCall reports why a call is refused whatever its parameters are, nil if it isn't.
func checkCall(req *jsonrpc.Request) *wireFault {
	switch {
	case len(req.Method) > maxMethod:
		return &wireFault{
			id: req.ID, code: jsonrpc.CodeMethodNotFound, text: fmt.Sprintf("no method has a name of more than %d bytes", maxMethod),
		}
	case req.Method == methodCancel:
		// The library would cancel and then complain.
		return &wireFault{id: req.ID, code: jsonrpc.CodeInvalidRequest, text: methodCancel + " is a notification; send it without an id"}
	}
	return nil
}

// checkJSON reports why the text of a line or a body, as what says, is not JSON; nil if
// it is. Want says what is to be sent instead.
func checkJSON(text []byte, what, want string) *wireFault {
	switch {
	case !utf8.Valid(text):
		return &wireFault{code: jsonrpc.CodeParseError, text: "the " + what + " is not valid UTF-8; send JSON in UTF-8"}
	case !json.Valid(text):
		var raw json.RawMessage
		err := json.Unmarshal(text, &raw) // its error quotes one character at most
		return &wireFault{code: jsonrpc.CodeParseError, text: fmt.Sprintf("the %s is not JSON: %v; send %s", what, err, want)}
	}
	return nil
}

// parseMessage decodes a message from valid JSON.
func parseMessage(raw []byte) (wireMessage, *wireFault) {
	invalid := func(id jsonrpc.ID, text string) (wireMessage, *wireFault) {
		return wireMessage{}, &wireFault{id: id, code: jsonrpc.CodeInvalidRequest, text: text}
	}
	if raw[0] != '{' {
		return invalid(jsonrpc.ID{}, "a message is a JSON object")
	}
	f := readFields(raw)
	var id jsonrpc.ID
	usable := false
	if f.repeated != "id" {
		id, usable = parseID(f.id)
	}
	var method string
	switch {
	case f.method == nil && (f.result != nil || f.err != nil):
		return wireMessage{response: true}, nil
	case rawjson.Nesting(raw) > maxNesting:
		return invalid(id, fmt.Sprintf("the message nests deeper than %d levels; nest less", maxNesting))
	case f.repeated != "":
		return invalid(id, fmt.Sprintf("the key %q appears twice; give it once", f.repeated))
	case f.id != nil && !usable:
		return invalid(id, fmt.Sprintf("the id must be a string, or an integer from -%d to %[1]d without fraction and exponent", maxID))
	case string(f.version) != `"2.0"`:
		return invalid(id, `the message needs "jsonrpc":"2.0"`)
	case f.method == nil || json.Unmarshal(f.method, &method) != nil || f.method[0] != '"':
		return invalid(id, `the message needs a "method" that is a string`)
	case len(f.params) > 0 && f.params[0] != '{' && f.params[0] != '[' && f.params[0] != 'n':
		return invalid(id, `"params" must be an object or an array`)
	}
	if fault := checkParams(f.params); fault != "" && f.id != nil { // nobody is told of a notification
		return invalid(id, fault)
	}
	if len(f.params) > 0 && f.params[0] == 'n' {
		f.params = nil // null: some clients write what they don't have
	}
	return wireMessage{req: &jsonrpc.Request{ID: id, Method: method, Params: f.params}}, nil
}

// messageFields are the values of a message's keys as they are, nil without the
// key.
type messageFields struct {
	version, id, method, params, result, err []byte
	repeated                                 string // a key that appears twice
}

// maxParams is the most parameters that a message has: revisions know about twenty.
const maxParams = 100

// checkParams says why the names of parameters are refused, "" if they aren't. Of two
// equal ones the library would take the last.
func checkParams(params []byte) string {
	seen := map[string]bool{}
	for key := range rawjson.Fields(params) {
		name, ok := rawjson.Name(key)
		switch {
		case !ok:
		case seen[name]:
			return fmt.Sprintf(`the key %q appears twice in "params"; give it once`, runes.Clip(name, 60))
		case len(seen) == maxParams:
			return fmt.Sprintf(`"params" has more than %d keys; give fewer`, maxParams)
		}
		seen[name] = true
	}
	return ""
}

// readFields reads the fields that are whole.
func readFields(raw []byte) messageFields {
	var f messageFields
	for key, value := range rawjson.Fields(raw) {
		f.set(key, value)
	}
	return f
}

// set takes a key, as it is written, and its value.
func (f *messageFields) set(key, value []byte) {
	var field *[]byte
	name, _ := rawjson.Name(key)
	switch name {
	case "jsonrpc":
		field = &f.version
	case "id":
		field = &f.id
	case "method":
		field = &f.method
	case "params":
		field = &f.params
	case "result":
		field = &f.result
	case "error":
		field = &f.err
	default:
		return
	}
	if *field != nil && f.repeated != "id" {
		f.repeated = name
	}
	*field = value
}

// parseID reads an id; it is false for what the library would answer under
// another id, or under none.
func parseID(raw []byte) (jsonrpc.ID, bool) {
	if len(raw) == 0 {
		return jsonrpc.ID{}, false
	}
	var value any
	if raw[0] == '"' {
		var text string
		if !utf8.Valid(raw) || json.Unmarshal(raw, &text) != nil {
			return jsonrpc.ID{}, false
		}
		// Half a surrogate pair is decoded to U+FFFD and would come back as that.
		if bytes.Contains(raw, []byte(`\`)) && strings.ContainsRune(text, utf8.RuneError) {
			return jsonrpc.ID{}, false
		}
		value = text
	} else {
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || n > maxID || n < -maxID {
			return jsonrpc.ID{}, false
		}
		value = float64(n)
	}
	id, err := jsonrpc.MakeID(value)
	return id, err == nil
}

// headID is the id in the first bytes of a message, zero if there is none.
func headID(head []byte) jsonrpc.ID {
	f := readFields(head)
	if f.repeated != "" {
		return jsonrpc.ID{}
	}
	id, _ := parseID(f.id)
	return id
}

// idText is an id for messages and logs: short, and without characters that act.
func idText(id jsonrpc.ID) string {
	const most = 64
	text, ok := id.Raw().(string)
	if !ok {
		return fmt.Sprint(id.Raw())
	}
	quoted := strconv.QuoteToASCII(text[:min(len(text), most)])
	if len(text) <= most && len(quoted) <= most {
		return quoted
	}
	return quoted[:min(len(quoted)-1, most)] + `..."`
}

// cancelRequest is the notification that cancels a call.
func cancelRequest(id jsonrpc.ID) *jsonrpc.Request {
	params, err := json.Marshal(map[string]any{"requestId": id.Raw()})
	if err != nil {
		params = nil // can't be: ids are strings and integers
	}
	return &jsonrpc.Request{Method: methodCancel, Params: params}
}

// cancelledID is the id of the call that a notification cancels; it is false if it
// names none, or two.
func cancelledID(params []byte) (jsonrpc.ID, bool) {
	var id jsonrpc.ID
	found := 0
	for key, value := range rawjson.Fields(params) {
		if name, _ := rawjson.Name(key); name != "requestId" {
			continue
		}
		found++
		if parsed, ok := parseID(value); ok {
			id = parsed
		}
	}
	return id, found == 1 && id.IsValid()
}
