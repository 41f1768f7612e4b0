package transport

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzHTTPBody reads any body of a request. What is not JSON is no message, what is
// wrong is told in a line of JSON that is not long, and a message within a batch is
// judged as it is alone.
func FuzzHTTPBody(f *testing.F) {
	for _, body := range []string{
		"", "null", "{}", "[]", "[1]", "[[]]", ping("1"), listen("1"), cancelCall("1"), "[" + ping("1") + "," + listen("2") + "]", "[" + ping("1") + ",7]",
		" \n" + ping(`"a"`) + "\r\n", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","method":1}`, `{"a":"` + "\xff" + `"}`, ping("1") + ping("2"), "\ufeff{}",
		"[" + ping("1") + "," + ping("1") + "]",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		messages, batch, fault := readBody(body)
		if fault == nil && (!json.Valid(body) || len(messages) == 0 || !batch && len(messages) > 1) {
			t.Fatalf("%q is taken for %d messages", body, len(messages))
		}
		checkFault(t, body, fault)
		for _, m := range messages {
			checkFault(t, body, m.fault)
		}
		if batch || !json.Valid(body) || !utf8.Valid(body) || len(body) > 1<<12 {
			return // nothing that could be a member of a batch
		}
		within, batch, whole := readBody([]byte("[" + string(body) + "]"))
		if !batch || whole != nil || len(within) != 1 {
			t.Fatalf("%q in a batch: %d messages, %+v", body, len(within), whole)
		}
		if one := within[0]; (one.fault == nil) != (fault == nil && !one.listens()) {
			t.Errorf("%q: %+v; in a batch %+v", body, fault, one.fault)
		}
	})
}

// checkFault checks the form of a fault, if there is one.
func checkFault(t *testing.T, body []byte, fault *wireFault) {
	t.Helper()
	if fault == nil {
		return
	}
	if line := fault.line(); !json.Valid(line) || fault.text == "" || utf8.RuneCountInString(fault.text) > maxErrorText {
		t.Fatalf("%q: %s", body, line)
	}
}
