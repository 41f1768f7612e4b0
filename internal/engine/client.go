package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"time"
)

// Client talks to one index of an engine. It is safe for concurrent use.
type Client struct {
	base    *url.URL // of the engine
	index   string   // the name of the alias
	authent string   // the header Authorization, empty for none
	http    *http.Client
	large   chan struct{} // is held by who reads an answer that isn't small
	pause   time.Duration // before the first repetition
	patient time.Duration // how long a request is repeated that isn't answered
	known   int           // bytes of what the engine may say that it has of a root
}

// Options say where an index is.
type Options struct {
	// URL is the address of the engine, http or https, with the name of the index as its
	// path; without one it is DefaultIndex.
	URL string
	// Credentials are USER:PASSWORD, or what the header Authorization has, beginning with
	// "ApiKey ", "Bearer " or "Basic "; empty for none.
	Credentials string
	// Patience is how long a request to write is repeated that isn't answered; 0 means two
	// minutes.
	Patience time.Duration
}

// DefaultIndex is the name of the index of an address without a path.
const DefaultIndex = "sectile"

// Code says what kind of error it is.
type Code string

// The codes of errors.
const (
	Misused     Code = "invalid_argument"    // the address or the credentials are wrong
	Unreachable Code = "backend_unreachable" // nobody answers, or not in time
	Refused     Code = "backend_refused"     // the engine, or what stands before it, answers with an error
	Strange     Code = "backend_strange"     // what answers is no such engine, or its index is another one
)

// Error is why an engine has not done what was asked of it.
type Error struct {
	Code    Code
	Status  int    // of HTTP, 0 if there was no answer
	Message string // what happened, and the way out
	Err     error  // what it comes from, or nil
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns what the error comes from.
func (e *Error) Unwrap() error { return e.Err }

func errorOf(code Code, format string, values ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, values...)}
}

// isIndexName reports whether an index may be called so: up to 100 small letters, digits, "_", "."
// and "-", of which the first is a letter or digit.
func isIndexName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case i > 0 && strings.IndexByte("_.-", c) >= 0:
		default:
			return false
		}
	}
	return name != "" && len(name) <= 100
}

// New returns a client for the index of the options. It sends nothing. The error is an *Error.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errorOf(Misused, "%q is no address of an engine; write https://HOST:PORT/INDEX", cut(o.URL))
	}
	switch {
	case base.User != nil:
		return nil, errorOf(Misused, "the address of the engine has a user; whoever lists processes would see its password. Set %s instead", CredentialsVariable)
	case base.RawQuery != "" || base.Fragment != "":
		return nil, errorOf(Misused, "the address of the engine has more than https://HOST:PORT/INDEX")
	}
	index := path.Base(path.Clean("/" + base.Path))
	if index == "/" {
		index = DefaultIndex
	} else if !isIndexName(index) {
		return nil, errorOf(Misused, "%q is no name of an index: small letters, digits and -_. are", cut(index))
	}
	base.Path = path.Dir(path.Clean("/" + base.Path))
	c := &Client{base: base, index: index, large: make(chan struct{}, 1), pause: 250 * time.Millisecond, patient: o.Patience, known: maxKnown}
	if c.patient == 0 {
		c.patient = 2 * time.Minute
	}
	if c.authent, err = authorization(o.Credentials); err != nil {
		return nil, err
	}
	if c.authent != "" && base.Scheme == "http" && !isLoopback(base.Hostname()) {
		return nil, errorOf(Misused, "credentials are sent over https alone; write https://%s", base.Host)
	}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: connectPatience}).DialContext,
		TLSHandshakeTimeout:   connectPatience,
		ResponseHeaderTimeout: answerPatience,
		IdleConnTimeout:       time.Minute,
		MaxIdleConnsPerHost:   8,
		ForceAttemptHTTP2:     true,
	}
	c.http = &http.Client{
		Transport: transport,
		Timeout:   wholePatience,
		// Whoever can redirect could have the text sent elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

const (
	connectPatience = 15 * time.Second
	answerPatience  = 2 * time.Minute // until an answer begins
	wholePatience   = 3 * time.Minute // until it has ended
)

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// cut returns a text of others as far as an error shows it.
func cut(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// URL returns the address of the index, without credentials.
func (c *Client) URL() string { return c.address(c.index) }

// address returns the address of a path of the engine.
func (c *Client) address(of string) string {
	return strings.TrimSuffix(c.base.Scheme+"://"+c.base.Host+c.base.EscapedPath(), "/") + "/" + of
}

// send sends a request and decodes the answer into out, unless that is nil. The error is an
// *Error, or that of the context.
func (c *Client) send(ctx context.Context, method, to string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, c.address(to), bytes.NewReader(body))
	if err != nil {
		return errorOf(Misused, "%s is no address of an engine", cut(c.address(to)))
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", contentType(to))
	}
	req.Header.Set("Accept", "application/json")
	if c.authent != "" {
		req.Header.Set("Authorization", c.authent)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return c.unreachable(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	text, done, err := c.read(ctx, resp.Body)
	defer done()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return c.refused(resp.StatusCode, text)
	case out == nil:
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &Error{Code: Strange, Status: resp.StatusCode, Message: c.URL() + " answers with something else than an engine does; check the address", Err: err}
	}
	return nil
}

func contentType(to string) string {
	if strings.HasSuffix(strings.SplitN(to, "?", 2)[0], "_bulk") || strings.HasSuffix(to, "_msearch") || strings.Contains(to, "_msearch?") {
		return "application/x-ndjson"
	}
	return "application/json"
}

// unreachable returns the error for a request that isn't answered.
func (c *Client) unreachable(err error) *Error {
	if of, ok := errors.AsType[*url.Error](err); ok { // it repeats the address
		err = of.Err
	}
	return &Error{Code: Unreachable, Message: fmt.Sprintf("%s can't be reached: %s", c.URL(), cut(err.Error())), Err: err}
}

// reasons is what an engine answers a request with that it refuses.
type reasons struct {
	Error struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
	} `json:"error"`
}

// refused returns the error for a status.
func (c *Client) refused(status int, text []byte) *Error {
	var why reasons
	_ = json.Unmarshal(text, &why) // what stands before an engine answers in other ways
	e := &Error{Code: Refused, Status: status, Err: errors.New(why.Error.Type)}
	switch {
	case status >= 300 && status < 400:
		e.Message = c.URL() + " redirects elsewhere, which isn't followed; give the address that it leads to"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Message = fmt.Sprintf("%s wants other credentials (status %d); set %s or search.credentials", c.URL(), status, CredentialsVariable)
	case status == http.StatusNotFound && why.Error.Type == "index_not_found_exception":
		e.Message = fmt.Sprintf("there is no index %s; feed it first, with 'sectile search push'", c.URL())
	case why.Error.Type != "":
		e.Message = fmt.Sprintf("%s refuses (status %d): %s: %s", c.URL(), status, cut(why.Error.Type), cut(why.Error.Reason))
	default:
		e.Message = fmt.Sprintf("%s answers with status %d", c.URL(), status)
	}
	return e
}
