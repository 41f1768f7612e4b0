package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/sectile/sectile/internal/app"
)

// The limits on the length of a token, in bytes. The shortest is as long as what
// nobody can guess has to be.
const (
	minToken = 16
	maxToken = 4096
)

// bearerToken returns the secret that clients show: that of a file, or one that is made up,
// if the name is empty.
func bearerToken(file string) (secret string, made bool, err error) {
	if file == "" {
		return rand.Text(), true, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", false, &app.Error{Code: codeInvalidArgument, Message: "--token-file: " + err.Error(), Err: err}
	}
	defer func() { _ = f.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(f, 2*maxToken))
	if err != nil {
		return "", false, &app.Error{Code: codeInvalidArgument, Message: "--token-file: " + err.Error(), Err: err}
	}
	secret = strings.TrimSpace(string(text))
	if len(secret) < minToken || len(secret) > maxToken || strings.ContainsFunc(secret, isNoToken) {
		return "", false, &app.Error{Code: codeInvalidArgument, Message: fmt.Sprintf(
			"--token-file: %s holds no token: one line of %d to %d letters, digits and -._~+/= (such as the output of 'openssl rand -hex 32')",
			file, minToken, maxToken)}
	}
	return secret, false, nil
}

// isNoToken reports whether a character can't stand in a bearer token (RFC 6750).
func isNoToken(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("-._~+/=", r):
		return false
	}
	return true
}

// bearer lets requests through that show the token (RFC 6750).
func bearer(secret string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(secret)) == 1 {
			next.ServeHTTP(w, r)
			return
		}
		challenge := `Bearer realm="sectile"`
		if given != "" {
			challenge += `, error="invalid_token"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
		http.Error(w, "the token is missing or wrong: send the header \"Authorization: Bearer TOKEN\" with the token that the server "+
			"printed when it started, or that of its --token-file", http.StatusUnauthorized)
	})
}

// freeBody is how many bytes of a body are read without asking whether there is room
// for them: those of nearly all calls.
const freeBody = 64 << 10

// bodyGuard reads bodies before they are worked on, so that one who sends slowly holds
// up nobody else and all bodies together fill no memory, and gives up on clients that
// don't take their answer.
type bodyGuard struct {
	limits  httpLimits
	ending  context.Context     //nolint:containedctx // of the server; requests have their own
	bytes   *semaphore.Weighted // of bodies, as far as they were sent, beyond freeBody of each
	listens chan struct{}       // one for each subscription
}

func newBodyGuard(ending context.Context, limits httpLimits) *bodyGuard {
	return &bodyGuard{
		limits: limits, ending: ending,
		bytes: semaphore.NewWeighted(limits.inFlight), listens: make(chan struct{}, limits.listens),
	}
}

// handler is the guard before next.
func (g *bodyGuard) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		paced := &pacedWriter{ResponseWriter: w, control: control, limit: g.limits.receiving}
		paced.more()
		defer paced.more() // what is still to be written is written after this
		if r.ContentLength > g.limits.body {
			g.tooLong(w)
			return
		}
		body, err := g.read(control, w, r)
		defer g.bytes.Release(body.room)
		if err != nil {
			g.unread(w, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body.text))
		if r.Method != http.MethodPost { // the library says what is wrong
			next.ServeHTTP(paced, r)
			return
		}
		switch listens, fault := checkBody(body.text); {
		case fault != nil:
			refuseMessage(paced, fault)
		case listens:
			g.listen(next, paced, r)
		default:
			next.ServeHTTP(paced, r)
		}
	})
}

// httpBody is the body of a request, and the room that was taken for it.
type httpBody struct {
	text []byte
	room int64
}

// errNoRoom says that other bodies take all the room.
var errNoRoom = errors.New("too much is being sent at once; try again")

// read returns the body, or why it can't be had; in both cases with the room that is
// to be released. Room is taken for what has come, not for what was announced.
func (g *bodyGuard) read(control *http.ResponseController, w http.ResponseWriter, r *http.Request) (httpBody, error) {
	until := time.Now().Add(g.limits.sending)
	_ = control.SetReadDeadline(until) // a connection that has no deadlines is one of a test
	ctx, cancel := context.WithDeadline(r.Context(), until)
	defer cancel()
	from := http.MaxBytesReader(w, r.Body, g.limits.body)
	body := httpBody{text: make([]byte, 0, min(max(r.ContentLength+1, 512), freeBody))}
	for {
		n, err := from.Read(body.text[len(body.text):cap(body.text)])
		body.text = body.text[:len(body.text)+n]
		switch {
		case errors.Is(err, io.EOF):
			_ = control.SetReadDeadline(time.Time{})
			return body, nil
		case err != nil:
			return body, err
		case len(body.text) < cap(body.text):
			continue
		}
		larger := min(2*cap(body.text), int(g.limits.body)+1)
		if need := int64(larger-freeBody) - body.room; need > 0 {
			if g.bytes.Acquire(ctx, need) != nil {
				return body, errNoRoom
			}
			body.room += need
		}
		body.text = append(make([]byte, 0, larger), body.text...)
	}
}

// unread answers a request whose body can't be had.
func (g *bodyGuard) unread(w http.ResponseWriter, err error) {
	w.Header().Set("Connection", "close") // what is left of the body is not waited for
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		g.tooLong(w)
	case errors.Is(err, errNoRoom):
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	case errors.Is(err, os.ErrDeadlineExceeded):
		http.Error(w, fmt.Sprintf("the body did not come within %v", g.limits.sending), http.StatusRequestTimeout)
	default:
		http.Error(w, "the body can't be read: "+err.Error(), http.StatusBadRequest)
	}
}

// tooLong answers a request whose body is too long.
func (g *bodyGuard) tooLong(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	http.Error(w, fmt.Sprintf("the body is longer than %d bytes; ask for less at once", g.limits.body), http.StatusRequestEntityTooLarge)
}

// listen serves a subscription, which lasts until its client goes or the server ends.
func (g *bodyGuard) listen(next http.Handler, w http.ResponseWriter, r *http.Request) {
	select {
	case g.listens <- struct{}{}:
		defer func() { <-g.listens }()
	default:
		http.Error(w, fmt.Sprintf("there are %d subscriptions already; end one of them", g.limits.listens), http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(g.ending, cancel)()
	next.ServeHTTP(w, r.WithContext(ctx))
}

// pacedWriter gives up on a client that takes nothing of what is written for too long.
// A limit on the whole answer would end subscriptions.
type pacedWriter struct {
	http.ResponseWriter

	control *http.ResponseController
	limit   time.Duration
}

// more gives the client time for what is written next.
func (p *pacedWriter) more() {
	_ = p.control.SetWriteDeadline(time.Now().Add(p.limit)) // a connection that has no deadlines is one of a test
}

// Write implements http.ResponseWriter.
func (p *pacedWriter) Write(b []byte) (int, error) {
	p.more()
	return p.ResponseWriter.Write(b)
}

// FlushError implements what http.ResponseController looks for.
func (p *pacedWriter) FlushError() error {
	p.more()
	return p.control.Flush()
}

// Unwrap implements what http.ResponseController looks for.
func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
