package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/sectile/sectile/internal/runes"
)

// On standard input the library answers what it can't do with an error that has a code
// and the id of the call. Over HTTP it writes plain text, refuses a batch for one of its
// messages, and answers calls of a batch with the same id once. So its refusals are made
// errors here, and it is given one message at a time.

// refusal is what the library refuses.
type refusal int

const (
	ofRequest refusal = iota // all of it: its header, say
	ofMessage
	ofMethod // of a message
)

// refusalOf returns what the library refuses with a text. It writes its errors out and
// keeps none that can be told apart otherwise.
func refusalOf(text string) refusal {
	switch {
	case strings.HasPrefix(text, "JSON RPC not handled"):
		return ofMethod
	case strings.HasPrefix(text, "invalid request"):
		return ofMessage
	}
	return ofRequest
}

// HTTPAnswers has the library answer the messages of bodies.
type HTTPAnswers struct {
	library http.Handler
	log     *slog.Logger
	ending  context.Context //nolint:containedctx // of the server; requests have their own
	listens chan struct{}   // one for each subscription
}

// NewHTTPAnswers returns answers of the library, so many subscriptions at most, which end
// with the context. The library's handler keeps no sessions.
func NewHTTPAnswers(ending context.Context, library http.Handler, listens int, log *slog.Logger) *HTTPAnswers {
	return &HTTPAnswers{library: library, log: log, ending: ending, listens: make(chan struct{}, listens)}
}

// Answer answers the messages of a body.
func (h *HTTPAnswers) Answer(w http.ResponseWriter, r *http.Request, body []byte) {
	if r.Method != http.MethodPost { // the library says what is wrong
		h.library.ServeHTTP(w, r)
		return
	}
	messages, batch, fault := readBody(body)
	if fault == nil {
		fault = checkRevision(r.Header.Get(revisionHeader), messages, batch)
	}
	switch {
	case fault != nil:
		writeJSON(w, http.StatusBadRequest, fault.line())
	case batch:
		h.answerBatch(w, r, messages)
	default:
		h.answerOne(w, r, &messages[0])
	}
}

// answerOne answers one message.
func (h *HTTPAnswers) answerOne(w http.ResponseWriter, r *http.Request, m *httpMessage) {
	one := r.WithContext(r.Context())
	one.Body, one.ContentLength = io.NopCloser(bytes.NewReader(m.raw)), int64(len(m.raw))
	told := &refusalWriter{ResponseWriter: w}
	if m.listens() {
		h.listen(told, one)
	} else {
		h.library.ServeHTTP(told, one)
	}
	told.finish(m, r.Header.Get(revisionHeader))
}

// listen serves a subscription, which lasts until its client goes or the server ends.
func (h *HTTPAnswers) listen(w http.ResponseWriter, r *http.Request) {
	select {
	case h.listens <- struct{}{}:
		defer func() { <-h.listens }()
	default:
		http.Error(w, fmt.Sprintf("there are %d subscriptions already; end one of them", cap(h.listens)), http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.ending, cancel)()
	h.library.ServeHTTP(w, r.WithContext(ctx))
}

// refusalWriter keeps a refusal of the library that is plain text.
type refusalWriter struct {
	http.ResponseWriter

	refused bool
	text    bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (w *refusalWriter) WriteHeader(status int) {
	if status == http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.refused = true
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *refusalWriter) Write(b []byte) (int, error) {
	if w.refused {
		return w.text.Write(b)
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap implements what http.ResponseController looks for.
func (w *refusalWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// finish tells of the refusal as standard output would: of a call as an error with its
// id, of a notification not at all. A client of a revision with sessions takes the
// status 400 for the end of the connection, so it gets the error as any other answer.
func (w *refusalWriter) finish(m *httpMessage, revision string) {
	if !w.refused {
		return
	}
	w.Header().Del("X-Content-Type-Options")
	text := strings.TrimSpace(w.text.String())
	fault := &wireFault{code: jsonrpc.CodeInvalidRequest, text: runes.Clip(text, maxErrorText)}
	refused := refusalOf(text)
	if m.isCall() {
		fault.id = m.req.ID
		if refused == ofMethod {
			fault.code, fault.text = jsonrpc.CodeMethodNotFound, fmt.Sprintf("method not found: %q", m.req.Method)
		}
	}
	status := http.StatusBadRequest
	switch refused {
	case ofMethod, ofMessage:
		if !m.isCall() {
			w.Header().Del("Content-Type")
			w.ResponseWriter.WriteHeader(http.StatusAccepted)
			return
		}
		if revision < firstWithoutSessions {
			status = http.StatusOK
		}
	case ofRequest:
		if member, ok := w.ResponseWriter.(*memberWriter); ok { // nor is it about this message
			member.wide = true
			fault.id = jsonrpc.ID{}
		}
	}
	writeJSON(w.ResponseWriter, status, fault.line())
}

// firstWithoutSessions is the revision that took sessions out of the protocol.
const firstWithoutSessions = "2026-07-28"

// answerBatch answers the messages of a batch as if each had come alone, but on one
// stream. What is wrong with messages is told last.
func (h *HTTPAnswers) answerBatch(w http.ResponseWriter, r *http.Request, messages []httpMessage) {
	stream := &batchStream{w: w}
	var faults [][]byte
	var members sync.WaitGroup
	for i := range messages {
		m := &messages[i]
		if m.fault != nil {
			faults = append(faults, m.fault.line())
			continue
		}
		members.Go(func() { h.answerMember(stream, r, m) })
	}
	members.Wait()
	switch {
	case stream.refused:
	case stream.begun:
		for _, fault := range faults {
			stream.put(event(fault))
		}
	case len(faults) == len(messages):
		writeJSON(w, http.StatusBadRequest, fmt.Appendf(nil, "[%s]", bytes.Join(faults, []byte(","))))
	case len(faults) > 0:
		writeJSON(w, http.StatusOK, fmt.Appendf(nil, "[%s]", bytes.Join(faults, []byte(","))))
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// PanicText is what a call is answered whose code has panicked.
const PanicText = "the request failed by a fault of the program, which is in the server's log; the server goes on"

// answerMember answers one message of a batch. A panic, which net/http would stop,
// would end the program here.
func (h *HTTPAnswers) answerMember(stream *batchStream, r *http.Request, m *httpMessage) {
	defer func() {
		if p := recover(); p != nil {
			h.log.Error("panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if m.isCall() {
				fault := &wireFault{id: m.req.ID, code: jsonrpc.CodeInternalError, text: PanicText}
				stream.put(event(fault.line()))
			}
		}
	}()
	w := &memberWriter{stream: stream, header: http.Header{}}
	h.answerOne(w, r, m)
	w.finish()
}

// event is a message as a stream carries it.
func event(line []byte) []byte { return fmt.Appendf(nil, "event: message\ndata: %s\n\n", line) }

// batchStream is the answer to a batch, which its members write by turns.
type batchStream struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	begun   bool // events were written
	refused bool // a member was refused for what is the same for all: the request's header
}

// put writes events.
func (s *batchStream) put(events []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused || len(events) == 0 {
		return
	}
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("Cache-Control", "no-cache, no-transform")
		s.w.WriteHeader(http.StatusOK)
	}
	_, _ = s.w.Write(events) // a client that has gone misses nothing
	_ = http.NewResponseController(s.w).Flush()
}

// refuse answers the request as the library answered a member.
func (s *batchStream) refuse(w *memberWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused || s.begun {
		return
	}
	s.refused = true
	maps.Copy(s.w.Header(), w.header)
	s.w.WriteHeader(w.status)
	_, _ = s.w.Write(w.text.Bytes()) // a client that has gone misses nothing
}

// memberWriter takes what the library answers to one message of a batch.
type memberWriter struct {
	stream *batchStream
	header http.Header
	status int          // 0 before there is one
	wide   bool         // the text is about the request and not about the message
	text   bytes.Buffer // that the stream doesn't have yet
}

// Header implements http.ResponseWriter.
func (w *memberWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *memberWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *memberWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.text.Write(b)
}

// FlushError implements what http.ResponseController looks for. The library flushes
// after whole events.
func (w *memberWriter) FlushError() error {
	if w.header.Get("Content-Type") == "text/event-stream" {
		w.stream.put(w.text.Bytes())
		w.text.Reset()
	}
	return nil
}

// finish passes on what is left.
func (w *memberWriter) finish() {
	switch kind := w.header.Get("Content-Type"); {
	case w.text.Len() == 0:
	case kind == "text/event-stream":
		w.stream.put(w.text.Bytes())
	case kind == "application/json" && !w.wide:
		w.stream.put(event(w.text.Bytes()))
	default:
		w.stream.refuse(w)
	}
}
