package mcpserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// treeRequest is a request that any server answers.
const treeRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + tree + `}`

// request is a request over HTTP; what is left out is as it should be.
type request struct {
	method, path, host string
	header             map[string]string // "" for a header that is left out
	body               string
	chunked            bool // the body's length is not told
}

// do sends the request and returns the answer with its body.
func (w *web) do(r request) (*http.Response, string) {
	w.t.Helper()
	method, body := r.method, io.Reader(strings.NewReader(r.body))
	if method == "" {
		method = http.MethodPost
	}
	if r.chunked {
		body = io.MultiReader(body)
	}
	url := w.url
	if r.path != "" {
		url = strings.TrimSuffix(url, httpPath) + r.path
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, url, body)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Host = r.host
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range r.header {
		req.Header.Del(name)
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatalf("%+v: %v", r, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("%+v: %v", r, err)
	}
	return resp, string(text)
}

func TestHTTPRefusals(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.Body = 1000
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	header := func(name, value string) map[string]string { return map[string]string{name: value} }
	long := strings.Replace(treeRequest, "guide.md", strings.Repeat("x", 1000), 1)
	for name, tt := range map[string]struct {
		request

		status int
		text   string // of the body
		answer string // "Name: value" of the answer's header
	}{
		"nothing wrong":        {request{}, 200, "Usage", "Content-Type: text/event-stream"},
		"own origin":           {request{header: header("Origin", strings.TrimSuffix(w.url, httpPath))}, 200, "Usage", ""},
		"scheme in small":      {request{header: header("Authorization", "bearer "+secret)}, 200, "Usage", ""},
		"other origin":         {request{header: header("Origin", "http://evil.example")}, 403, "another origin", ""},
		"no origin at all":     {request{header: header("Origin", "null")}, 403, "another origin", ""},
		"other port":           {request{header: header("Origin", "http://127.0.0.1:1")}, 403, "another origin", ""},
		"page of another site": {request{header: header("Sec-Fetch-Site", "cross-site")}, 403, "another origin", ""},
		"other host":           {request{host: "evil.example"}, 403, "name of another host", ""},
		"rebound name":         {request{host: "evil.example:80", header: header("Origin", "http://evil.example:80")}, 403, "name of another host", ""},
		"no token":             {request{header: header("Authorization", "")}, 401, "is missing or wrong", `Www-Authenticate: Bearer realm="sectile"`},
		"wrong token": {
			request{header: header("Authorization", "Bearer wrong")},
			401, "is missing or wrong",
			`Www-Authenticate: Bearer realm="sectile", error="invalid_token"`,
		},
		"begin of the token":  {request{header: header("Authorization", "Bearer "+secret[:10])}, 401, "", ""},
		"end of the token":    {request{header: header("Authorization", "Bearer "+secret[10:])}, 401, "", ""},
		"empty token":         {request{header: header("Authorization", "Bearer ")}, 401, "", ""},
		"more than the token": {request{header: header("Authorization", "Bearer "+secret+"0")}, 401, "", ""},
		"other scheme":        {request{header: header("Authorization", "Basic "+secret)}, 401, "", ""},
		"no scheme":           {request{header: header("Authorization", secret)}, 401, "", ""},
		"root":                {request{path: "/"}, 404, "spoken at /mcp", ""},
		"below":               {request{path: "/mcp/x"}, 404, "", ""},
		"with a slash":        {request{path: "/mcp/"}, 404, "", ""},
		"GET":                 {request{method: "GET"}, 405, "", "Allow: POST"},
		"DELETE":              {request{method: "DELETE"}, 405, "", "Allow: POST"},
		"OPTIONS":             {request{method: "OPTIONS"}, 405, "", "Allow: POST"},
		"PUT":                 {request{method: "PUT"}, 405, "", "Allow: POST"},
		"OPTIONS of a page":   {request{method: "OPTIONS", header: map[string]string{"Authorization": "", "Origin": "http://evil.example"}}, 401, "", ""},
		"other type":          {request{header: header("Content-Type", "text/plain")}, 415, "", ""},
		"no stream":           {request{header: header("Accept", "application/json")}, 400, "Accept", ""},
		"too long":            {request{body: long}, 413, "longer than 1000 bytes", ""},
		"too long, by parts":  {request{body: long, chunked: true}, 413, "longer than 1000 bytes", ""},
		"by parts":            {request{chunked: true}, 200, "Usage", ""},
		"no such revision":    {request{header: header("Mcp-Protocol-Version", "2020-01-01")}, 400, "revision of the protocol that is not served", ""},
		"packed":              {request{header: header("Content-Encoding", "gzip")}, 415, "leave out the header Content-Encoding", "Accept-Encoding: identity"},
		"not packed":          {request{header: header("Content-Encoding", "identity")}, 200, "Usage", ""},
	} {
		if tt.body == "" && (tt.method == "" || tt.method == "PUT") {
			tt.body = treeRequest
		}
		resp, body := w.do(tt.request)
		if h := resp.Header; !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; ") || !strings.HasPrefix(h.Get("Cache-Control"), "no-") || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: no policy in %v", name, h)
		}
		field, value, _ := strings.Cut(tt.answer, ": ")
		if resp.StatusCode != tt.status || !strings.Contains(body, tt.text) || field != "" && resp.Header.Get(field) != value {
			t.Errorf("%s: %d %v\n%s", name, resp.StatusCode, resp.Header, body)
		}
		if tt.status != 200 && strings.Contains(body, "Usage") || resp.Header.Get("Access-Control-Allow-Origin") != "" || strings.Contains(body, secret) {
			t.Errorf("%s: it tells %v\n%s", name, resp.Header, body)
		}
	}
}

// What is no message is answered by a message, as on standard input.
func TestHTTPMalformed(t *testing.T) {
	w := startWeb(t, shared(t, nil), usual())
	for body, want := range map[string]string{
		``:                        `null -32700 the body is not JSON: unexpected end of JSON input; send one message`,
		`{`:                       `null -32700 the body is not JSON: unexpected end of JSON input; send one message`,
		`nonsense`:                `null -32700 the body is not JSON: invalid character 'o' in literal null (expecting 'u'); send one message`,
		"{\"\xff\"}":              `null -32700 the body is not valid UTF-8; send JSON in UTF-8`,
		treeRequest + treeRequest: `null -32700 the body is not JSON: invalid character '{' after top-level value; send one message`,
		`42`:                      `null -32600 a message is a JSON object`,
		`{}`:                      `null -32600 the message needs "jsonrpc":"2.0"`,
		"\n" + `{"jsonrpc":"1.0","id":"a","method":"ping"}`: `a -32600 the message needs "jsonrpc":"2.0"`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:        `null -32600 the id must be a string, or an integer from -9007199254740991 to 9007199254740991 without fraction and exponent`,
		`{"jsonrpc":"2.0","id":7,"method":"a","method":""}`: `7 -32600 the key "method" appears twice; give it once`,
		`[]`: `null -32600 a batch holds at least one message`,
		`[` + strings.Repeat(treeRequest+",", 100) + treeRequest + `]`: `null -32600 a batch of more than 100 messages; send less at once`,
	} {
		resp, text := w.do(request{body: body})
		var m message
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Error == nil || m.JSONRPC != "2.0" || !strings.Contains(text, `"id":`) {
			t.Errorf("%.60q: %d, %v: %s", body, resp.StatusCode, err, text)
			continue
		}
		id := "null"
		if m.ID != nil {
			id = fmt.Sprint(m.ID)
		}
		if got := fmt.Sprint(id, " ", m.Error.Code, " ", m.Error.Message); got != want || resp.StatusCode != 400 || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%.60q: %d %s, %s, want %s", body, resp.StatusCode, resp.Header.Get("Content-Type"), got, want)
		}
	}
}

// Batches belong to the revision 2025-03-26, which is that of requests without one.
func TestHTTPBatches(t *testing.T) {
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), usual())
	batch := `[` + treeRequest + `,{"jsonrpc":"2.0","method":"notifications/initialized"},` + strings.Replace(treeRequest, `"id":1`, `"id":"two"`, 1) + `]`
	for _, revision := range []string{"", "2025-03-26"} {
		resp, text := w.do(request{body: batch, header: map[string]string{"Mcp-Protocol-Version": revision}})
		if resp.StatusCode != 200 || strings.Count(text, "Usage") != 2 || !strings.Contains(text, `"id":1,`) || !strings.Contains(text, `"id":"two",`) {
			t.Errorf("%q: %d %s", revision, resp.StatusCode, text)
		}
	}
	if resp, text := w.do(request{body: batch, header: map[string]string{"Mcp-Protocol-Version": "2025-06-18"}}); resp.StatusCode != 400 {
		t.Errorf("in a revision without batches: %d %s", resp.StatusCode, text)
	}
	if resp, text := w.do(request{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`}); resp.StatusCode != 202 || text != "" {
		t.Errorf("a notification: %d %q", resp.StatusCode, text)
	}
}

// wire is a connection on which a test writes HTTP itself.
type wire struct {
	t testing.TB
	net.Conn
	from *bufio.Reader
	web  *web
}

// dial opens a connection.
func (w *web) dial() *wire {
	w.t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(w.t.Context(), "tcp", strings.TrimSuffix(strings.TrimPrefix(w.url, "http://"), httpPath))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // that nothing hangs
	return &wire{w.t, conn, bufio.NewReader(conn), w}
}

// head is what stands before a body that is said to have so many bytes.
func head(length int, lines ...string) string {
	return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n%s\r\n", secret, length, strings.Join(append(lines, ""), "\r\n"))
}

// send writes a part of a request.
func (c *wire) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Fatal(err)
	}
}

// answer reads an answer with its body.
func (c *wire) answer() (int, string) {
	c.t.Helper()
	resp, err := http.ReadResponse(c.from, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatalf("%v after %.300q", err, text)
	}
	return resp.StatusCode, string(text)
}

// Who announces a body and sends little of it is told so in the end, and until then
// holds up nobody.
func TestSlowSenders(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.Body, limits.InFlight = 1<<20, 1<<20
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	for range 20 {
		w.dial().send(head(1<<20) + `{"jsonrpc":`)
		w.dial().send(strings.Replace(head(0), "Content-Length: 0", "Transfer-Encoding: chunked", 1) + "5\r\n{\"jso\r\n")
		w.dial().send("POST /mcp HTTP/1.1\r\n")
	}
	padding := strings.Repeat(" ", 1<<20-len(treeRequest))
	for _, body := range []string{treeRequest, treeRequest + padding} {
		if resp, text := w.do(request{body: body}); resp.StatusCode != 200 || !strings.Contains(text, "Usage") {
			t.Errorf("%d %s", resp.StatusCode, text)
		}
	}
	limits.Sending = 10 * time.Millisecond
	w = startWeb(t, shared(t, nil), limits)
	c := w.dial()
	c.send(head(1000) + `{"jsonrpc":`)
	if status, text := c.answer(); status != http.StatusRequestTimeout || !strings.Contains(text, "within 10ms") {
		t.Errorf("%d %s", status, text)
	}
	if _, err := c.from.ReadByte(); err != io.EOF {
		t.Errorf("the connection goes on: %v", err)
	}
}

// Who is refused isn't waited for.
func TestRefusedSenders(t *testing.T) {
	t.Parallel() // it waits for a second
	limits := usual()
	limits.Header, limits.Sending = time.Second, 0
	c := startWeb(t, shared(t, nil), limits).dial()
	c.send(strings.Replace(head(1000), secret, "wrong", 1))
	if status, _ := c.answer(); status != http.StatusUnauthorized {
		t.Errorf("%d", status)
	}
	if _, err := c.from.ReadByte(); err != io.EOF {
		t.Errorf("the connection goes on: %v", err)
	}
}

// Bodies that are worked on take their room until they are answered; who finds none is
// told to come again.
func TestRoomForBodies(t *testing.T) {
	t.Parallel() // it waits for a second
	limits := usual()
	limits.Body, limits.InFlight = 256<<10, 256<<10
	s, b := blocking(t, nil)
	w := startWeb(t, s, limits)
	padding := strings.Repeat(" ", 200<<10)
	working := w.dial()
	body := callOf("block", "{}") + padding
	working.send(head(len(body)) + body)
	<-b.began
	late := w.dial()
	late.send(head(len(body)) + body)
	if resp, text := w.do(request{body: callOf("panic", "{}")}); resp.StatusCode != 200 { // a short one needs no room
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	b.release <- struct{}{}
	if status, text := working.answer(); status != 200 || !strings.Contains(text, "released") {
		t.Errorf("%d %s", status, text)
	}
	<-b.began // the late one has got the room
	limits.Sending = time.Second
	other := startWeb(t, s, limits) // with room of its own, which this takes
	first := other.dial()
	first.send(head(len(body)) + body)
	<-b.began
	if resp, text := other.do(request{body: body}); resp.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "try again") {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	close(b.release)
	for _, c := range []*wire{late, first} {
		if status, text := c.answer(); status != 200 || !strings.Contains(text, "released") {
			t.Errorf("%d %s", status, text)
		}
	}
}

// A client that doesn't take its answer is given up, whatever it is.
func TestSlowReaders(t *testing.T) {
	limits := usual()
	limits.Receiving = 50 * time.Millisecond
	s, _ := blocking(t, nil)
	w := startWeb(t, s, limits)
	c := w.dial()
	if err := c.Conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	body := callOf("flood", "{}")
	c.send(head(len(body)) + body)
	for closed := range w.closed { // no buffer holds all of the answer
		if closed == c.LocalAddr().String() {
			break
		}
	}
}
