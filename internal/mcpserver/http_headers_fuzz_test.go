package mcpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/replies"
)

// FuzzHTTPHeaders sends a call with any headers that guards read. Only who shows the
// token gets an answer, from no page of another origin and under no name but this
// machine's; what is refused is refused by its status, without a word of the token.
func FuzzHTTPHeaders(f *testing.F) {
	good := "Bearer " + secret
	for _, h := range [][6]string{
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
	limits.late = 0
	handler := s.httpHandler(f.Context(), secret, limits)
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
			if authorized && host == "localhost" && origin+site+session == "" && slices.Contains(revisions, revision) {
				t.Errorf("a good call is refused: %d, %s", w.Code, body)
			}
			return
		}
		page, err := url.Parse(origin)
		foreign := site != "" && site != "same-origin" && site != "none" || site == "" && origin != "" && (err != nil || page.Host != host)
		name := host
		if h, _, err := net.SplitHostPort(host); err == nil {
			name = h
		}
		ip := net.ParseIP(strings.Trim(name, "[]"))
		if !authorized || foreign || name != "localhost" && (ip == nil || !ip.IsLoopback()) || !strings.Contains(body, `"id":1`) {
			t.Errorf("authorization %q, host %q, origin %q, site %q: %s", authorization, host, origin, site, body)
		}
	})
}

// FuzzTokenFile reads any file as that of a token. What is taken is what stands in it
// but for white space around it, can stand in a header, and lets in who shows it and
// nobody else; what is not taken is not shown.
func FuzzTokenFile(f *testing.F) {
	for _, text := range []string{
		secret, secret + "\n", "abcabcabcabcabcab", "aaaaaaaaaaaaaaab", strings.Repeat(secret[:15], 2), " \t" + secret + "\r\n", "", "short", strings.Repeat("a", minToken), strings.Repeat("a", maxToken), strings.Repeat("a", maxToken+1), strings.Repeat("a", 3*maxToken),
		secret + " " + secret, secret + "\n" + secret, secret + "\x00", "\ufeff" + secret, strings.Repeat("ü", 20), strings.Repeat("=", 20), "Bearer " + secret, secret + "\u00a0", "\xff" + secret,
	} {
		f.Add([]byte(text))
	}
	file := filepath.Join(f.TempDir(), "token")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got, made, err := bearerToken(t.Context(), file)
		if err != nil {
			var e *replies.Error
			if !errors.As(err, &e) || e.Code != replies.CodeInvalidArgument || made || got != "" || len(text) > minToken && strings.Contains(err.Error(), string(text)) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if made || got != strings.TrimSpace(string(text)) || len(got) < minToken || len(got) > maxToken || weak(got) || strings.Trim(got, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=") != "" {
			t.Fatalf("%q is taken of %q", got, text)
		}
		for given, want := range map[string]int{
			"Bearer " + got: http.StatusOK, "Bearer " + got[1:]: http.StatusUnauthorized, "Bearer " + got + "x": http.StatusUnauthorized, got: http.StatusUnauthorized, "": http.StatusUnauthorized,
		} {
			r, w := httptest.NewRequest(http.MethodPost, httpPath, http.NoBody), httptest.NewRecorder()
			r.Header.Set("Authorization", given)
			newLogin(t.Context(), got, 0, discard()).handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%q for the token %q: %d", given, got, w.Code)
			}
		}
	})
}

// weak reports whether the token has too few characters, or is less than 16 of them over
// and over.
func weak(token string) bool {
	few := token
	for range minVariety - 1 {
		if few != "" {
			few = strings.ReplaceAll(few, few[:1], "")
		}
	}
	for n := 1; n < minToken && n <= len(token)/2; n++ {
		if strings.HasPrefix(strings.Repeat(token[:n], len(token)/n+1), token) {
			return true
		}
	}
	return few == ""
}
