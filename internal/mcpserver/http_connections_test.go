package mcpserver

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// few are limits with which little is too much, and nobody is sent away by a clock.
func few() httpLimits {
	limits := usual()
	limits.Connections, limits.Strangers = 6, 2
	limits.Header, limits.Sending, limits.Idle, limits.Late = time.Hour, time.Hour, time.Hour, time.Hour
	return limits
}

// ended waits until the server has ended the connection, with whatever it says before.
func (c *wire) ended() string {
	c.t.Helper()
	rest, err := io.ReadAll(c.from)
	if err != nil && !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "aborted") {
		c.t.Errorf("%v after %q", err, rest)
	}
	return string(rest)
}

// calls has the connection make a call that is answered, and waits until the server has
// it for idle.
func (c *wire) calls() {
	c.t.Helper()
	c.send(head(len(treeRequest)) + treeRequest)
	if status, text := c.answer(); status != http.StatusOK || !strings.Contains(text, "Usage") {
		c.t.Fatalf("%d %s", status, text)
	}
	c.web.awaits(c.LocalAddr().String())
}

// However many strangers there are, who has the token is served; the strangers who came
// first have to go.
func TestStrangersGiveWay(t *testing.T) {
	limits := few()
	limits.Connections = 20
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	known := w.dial()
	known.calls()
	strangers := map[string]*wire{} // by address
	for i := range 40 {
		c := w.dial()
		switch i % 4 {
		case 0: // says nothing
		case 1:
			c.send("POST /mcp HTTP/1.1\r\nHost: ")
		case 2: // its answer is an hour late
			c.send(strings.Replace(head(0), secret, "wrong", 1))
		case 3:
			c.send(strings.Replace(head(1000), secret, "wrong", 1) + "half")
		}
		strangers[c.LocalAddr().String()] = c
		if i%8 == 0 {
			w.dial().calls()
		}
	}
	w.dial().calls()
	known.calls()            // on a connection that was there before
	for len(strangers) > 1 { // the last one had to go for who came last
		at := <-w.closed
		c := strangers[at]
		if delete(strangers, at); c == nil {
			continue
		}
		if text := c.ended(); text != "" && !strings.HasPrefix(text, "HTTP/1.1 401 ") {
			t.Errorf("a stranger is told %q", text)
		}
	}
}

// Who has the token takes the place of one that is idle. If there is none, it is told so
// at once, and not left alone.
func TestFullHouse(t *testing.T) {
	s, b := blocking(t, map[string]string{"guide.md": guide})
	w := startWeb(t, s, few())
	var idle []*wire
	for range 4 {
		c := w.dial()
		c.calls()
		idle = append(idle, c)
	}
	idle[0].calls() // so that the second has been idle for longest
	w.dial().calls()
	if text := idle[1].ended(); text != "" {
		t.Errorf("it is told %q", text)
	}
	idle[0].calls()
	body := callOf("block", "{}")
	var working []*wire
	for range 4 {
		c := w.dial()
		c.send(head(len(body)) + body)
		<-b.began
		working = append(working, c)
	}
	for _, c := range []*wire{idle[0], idle[2], idle[3]} {
		if text := c.ended(); text != "" {
			t.Errorf("it is told %q", text)
		}
	}
	late := w.dial()
	late.send(head(len(treeRequest)) + treeRequest)
	if text := late.ended(); !strings.HasPrefix(text, "HTTP/1.1 503 ") || !strings.Contains(text, "all are at work; try again") {
		t.Errorf("%q", text)
	}
	close(b.release)
	for _, c := range working {
		if status, text := c.answer(); status != http.StatusOK || !strings.Contains(text, "released") {
			t.Errorf("%d %s", status, text)
		}
	}
	w.dial().calls()
}

// Subscriptions are at work, for as long as they are open.
func TestFullOfSubscriptions(t *testing.T) {
	s := shared(t, map[string]string{"guide.md": guide})
	subscribable(s)
	w := startWeb(t, s, few())
	var open []*wire
	for range 4 {
		c, status, _ := w.listening()
		if status != http.StatusOK {
			t.Fatal(status)
		}
		open = append(open, c)
	}
	if _, status, _ := w.listening(); status != http.StatusServiceUnavailable {
		t.Errorf("the fifth: %d", status)
	}
	_ = open[0].Close()
	w.awaits(open[0].LocalAddr().String())
	w.dial().calls()
}

// Whoever is refused before its token is known has to go, and one connection has one
// guess. What comes after a refusal is not looked at.
func TestRefusalsClose(t *testing.T) {
	t.Parallel()
	limits := few()
	limits.Late = 0
	limits.Strangers = 5
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	good := head(len(treeRequest)) + treeRequest
	wrong := strings.Replace(head(0), secret, "wrong", 1)
	without := strings.Replace(head(0), "Authorization: Bearer "+secret+"\r\n", "", 1)
	for name, tt := range map[string]struct {
		text   string
		status string
	}{
		"wrong token":             {wrong, "401"},
		"no token":                {without, "401"},
		"guesses in a row":        {strings.Repeat(wrong, 100), "401"},
		"a guess, then the token": {wrong + good, "401"},
		"it wants to stay":        {strings.Replace(without, "Host", "Connection: keep-alive\r\nHost", 1), "401"},
		"HTTP/1.0":                {strings.Replace(strings.Replace(wrong, "HTTP/1.1", "HTTP/1.0", 1), "Host", "Connection: keep-alive\r\nHost", 1), "401"},
		"asks before it sends":    {strings.Replace(strings.Replace(head(10), secret, "wrong", 1), "Host", "Expect: 100-continue\r\nHost", 1), "401"},
		"half a body":             {strings.Replace(head(1000), secret, "wrong", 1) + "half", "401"},
		"half a long body":        {strings.Replace(head(1<<20), secret, "wrong", 1) + "half", "401"},
		"a body by parts":         {strings.Replace(wrong, "Content-Length: 0", "Transfer-Encoding: chunked", 1) + "5\r\nabc", "401"},
		"two tokens":              {strings.Replace(good, "Host", "Authorization: Bearer wrong\r\nHost", 1), "401"},
		"the token twice":         {strings.Replace(good, "Host", "Authorization: Bearer "+secret+"\r\nHost", 1), "401"},
		"another path":            {strings.Replace(good, "/mcp", "/", 1), "404"},
		"a path to be cleaned":    {strings.Replace(good, "/mcp", "//mcp", 1), "404"},
		"a path with dots":        {strings.Replace(good, "/mcp", "/x/../mcp", 1), "404"},
		"no path":                 {strings.Replace(good, "POST /mcp", "OPTIONS *", 1), "404"},
		"another host's":          {strings.Replace(good, "POST /mcp", "CONNECT evil.example:80", 1), "404"},
		"HTTP/2":                  {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "404"},
		"another origin":          {strings.Replace(good, "Host", "Origin: http://evil.example\r\nHost", 1), "403"},
		"two origins":             {strings.Replace(good, "Host", "Origin: "+strings.TrimSuffix(w.url, httpPath)+"\r\nOrigin: http://evil.example\r\nHost", 1), "403"},
		"two sites":               {strings.Replace(good, "Host", "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\nHost", 1), "403"},
		"a name of its own":       {strings.Replace(good, "Host: 127.0.0.1", "Host: evil.example", 1), "403"},
		"half a body by it":       {strings.Replace(head(1000), "Host: 127.0.0.1", "Host: evil.example", 1) + "half", "403"},
		"many headers":            {strings.Replace(good, "Host", strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n", 200)+"Host", 1), "431"},
		"no HTTP":                 {"\x16\x03\x01\r\n\r\n", "400"},
		"two hosts":               {strings.Replace(good, "Host", "Host: a\r\nHost", 1), "400"},
		"two lengths":             {strings.Replace(good, "Host", "Content-Length: 1\r\nHost", 1), "400"},
		"another expectation":     {strings.Replace(good, "Host", "Expect: the worst\r\nHost", 1), "417"},
	} {
		var answer string
		for tries := 0; tries == 0 || tries < 100 && strings.Contains(answer, " 503 "); tries++ { // until what was refused before it counts no more
			c := w.dial()
			_, _ = io.WriteString(c, tt.text) // who is refused early can't send all of it
			answer = c.ended()
		}
		if !strings.HasPrefix(answer[min(len(answer), 8):], " "+tt.status+" ") || !strings.Contains(answer, "Connection: close\r\n") ||
			strings.Count(answer, "HTTP/1.") != 1 || strings.Contains(answer, "Usage") {
			t.Errorf("%s: %q", name, answer)
		}
	}
}

// One token opens one request, not the connection.
func TestTokenForEachRequest(t *testing.T) {
	limits := few()
	limits.Late = 0
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	for _, instead := range []string{"", "Authorization: Bearer wrong\r\n"} {
		c := w.dial()
		c.calls()
		c.send(strings.Replace(head(len(treeRequest)), "Authorization: Bearer "+secret+"\r\n", instead, 1) + treeRequest)
		if text := c.ended(); !strings.HasPrefix(text, "HTTP/1.1 401 ") || strings.Contains(text, "Usage") {
			t.Errorf("%q: %q", instead, text)
		}
	}
}
