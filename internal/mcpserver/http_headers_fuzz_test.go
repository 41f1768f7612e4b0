package mcpserver

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/httpguard"
)

// FuzzHTTPHeaders sends a call with any headers that guards read. Only who shows the
// token gets an answer, from no page of another origin and under no name but this
// machine's; what is refused is refused by its status, without a word of the token.
func FuzzHTTPHeaders(f *testing.F) {
	good := "Bearer " + secret
	for _, h := range [][6]string{
		{good, "LocalHost", "", "", "", "2025-06-18"},
		{good, "127.0.0.1:8080", "", "", "", "2025-06-18"},
		{good, "localhost", "", "", "", "2025-11-25"},
		{good, "localhost:8080", "http://localhost:8080", "", "some-session", "2025-11-25"},
		{good, "[::1]:8080", "http://localhost", "same-origin", "", "2026-07-28"},
		{"bearer  " + secret + " ", "localhost", "null", "none", "\x00", "1"},
		{good, "evil.example", "http://evil.example", "", "", ""},
		{good, "localhost", "http://evil.example", "cross-site", "", ""},
		{good, "localhost@evil.example", "://", "same-site", "../..", "2025-06-18\n"},
		{"Bearer " + secret[1:], "localhost", "", "", "", ""},
		{"Basic " + secret, "localhost", "", "", "", ""},
		{secret, "", "", "", "", ""},
		{"", "127.1", "", "", "", ""},
		{"Bearer", "0", "", "", "", ""},
		{"Bearer  ", "localhost.", "", "", "", ""},
	} {
		f.Add(h[0], h[1], h[2], h[3], h[4], h[5])
	}
	s := start(f, doctor.ServerOptions{Roots: []string{docs(f, nil)}, Shared: true})
	limits := usual()
	limits.Late = 0
	handler := httpguard.New(limits.Limits, discard()).Handler(f.Context(), httpPath, secret, s.answers(f.Context(), limits).Answer, nil)
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	f.Fuzz(func(t *testing.T, authorization, host, origin, site, session, revision string) {
		r := httptest.NewRequest(http.MethodPost, httpPath, strings.NewReader(ping("1")))
		r = r.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, local))
		r.Host = host
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": authorization,
			"Origin": origin, "Sec-Fetch-Site": site, "Mcp-Session-Id": session, "Mcp-Protocol-Version": revision,
		} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		body := w.Body.String()
		if w.Code >= http.StatusInternalServerError || strings.Contains(body, secret) && !strings.Contains(revision+host+session, secret) {
			t.Errorf("%d: %s", w.Code, body)
		}
		scheme, shown, _ := strings.Cut(authorization, " ")
		authorized := strings.EqualFold(scheme, "Bearer") && strings.TrimSpace(shown) == secret
		if (w.Code == http.StatusUnauthorized) != (w.Header().Get("WWW-Authenticate") != "") || authorized && w.Code == http.StatusUnauthorized {
			t.Errorf("%d, %q for %q", w.Code, w.Header().Get("WWW-Authenticate"), authorization)
		}
		if w.Code != http.StatusOK {
			if authorized && strings.EqualFold(host, "localhost") && origin+site+session == "" && slices.Contains(revisions, revision) {
				t.Errorf("a good call is refused: %d, %s", w.Code, body)
			}
			return
		}
		page, err := url.Parse(origin)
		foreign := site != "" && site != "same-origin" && site != "none" || site == "" && origin != "" && (err != nil || !strings.EqualFold(page.Host, host))
		name := host
		if h, _, err := net.SplitHostPort(host); err == nil {
			name = h
		}
		ip := net.ParseIP(strings.Trim(name, "[]"))
		if !authorized || foreign || !strings.EqualFold(name, "localhost") && (ip == nil || !ip.IsLoopback()) || !strings.Contains(body, `"id":1`) {
			t.Errorf("authorization %q, host %q, origin %q, site %q: %s", authorization, host, origin, site, body)
		}
	})
}
