package httpguard

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// page is a page behind its guard, which answers with its token for forms.
func page() (*Browsers, *[]string) {
	var again []string
	b := NewBrowsers("8080", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && !HasFormToken(r) {
			http.Error(w, "no token", http.StatusForbidden)
			return
		}
		_, _ = fmt.Fprint(w, FormToken(r))
	}), func(path string) { again = append(again, path) })
	return b, &again
}

// ask sends a request with headers, each as "Name: value", and returns the answer.
func ask(b http.Handler, method, target, form string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, target, strings.NewReader(form))
	r.Host = "127.0.0.1:8080"
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Add(name, value)
		}
	}
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r.WithContext(contextWithLocal(r, local)))
	return w.Result()
}

// text returns what an answer says.
func text(t *testing.T, r *http.Response) string {
	t.Helper()
	var b strings.Builder
	if _, err := fmt.Fprint(&b, r.StatusCode, " "); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 4096)
	n, _ := r.Body.Read(buffer)
	return b.String() + string(buffer[:n])
}

// TestBrowsers lets in who has the printed address, once, and nobody else.
func TestBrowsers(t *testing.T) {
	b, again := page()
	first := b.NewPath()
	for _, wrong := range []string{"/", "/open", "/open?key=", "/open?key=" + strings.Repeat("A", 26)} {
		if r := ask(b, "GET", wrong, ""); r.StatusCode != http.StatusUnauthorized && r.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", wrong, text(t, r))
		}
	}
	if r := ask(b, "POST", first, ""); r.StatusCode != http.StatusForbidden {
		t.Errorf("by a form: %s", text(t, r))
	}
	opened := ask(b, "GET", first, "")
	if opened.StatusCode != http.StatusSeeOther || opened.Header.Get("Location") != "/" || len(*again) != 1 {
		t.Fatalf("the address: %s, to %q, again %q", text(t, opened), opened.Header.Get("Location"), *again)
	}
	cookies := opened.Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Name != "sectile-view-8080" || strings.Contains(first, cookies[0].Value) {
		t.Fatalf("the cookie: %v", cookies)
	}
	cookie := "Cookie: " + cookies[0].Name + "=" + cookies[0].Value
	answer := ask(withPolicy(b), "GET", "/", "", cookie)
	token := strings.TrimPrefix(text(t, answer), "200 ")
	if answer.StatusCode != http.StatusOK || token == "" || strings.Contains(token, cookies[0].Value) {
		t.Fatalf("with the cookie: %d %q", answer.StatusCode, token)
	}
	for name, want := range map[string]string{
		"Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
	} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("the policy: %s", policy)
	}
	if r := ask(b, "GET", first, ""); r.StatusCode != http.StatusForbidden {
		t.Errorf("the address once more: %s", text(t, r))
	}
	if r := ask(b, "GET", first, "", cookie); r.StatusCode != http.StatusSeeOther {
		t.Errorf("the address once more, by the same browser: %s", text(t, r))
	}
	if r := ask(b, "GET", (*again)[0], ""); r.StatusCode != http.StatusSeeOther {
		t.Errorf("the next address: %s", text(t, r))
	}
	form := url.Values{"token": {token}}.Encode()
	for name, tt := range map[string]struct {
		method, form string
		headers      []string
		want         int
	}{
		"another cookie":                {"GET", "", []string{"Cookie: " + cookies[0].Name + "=" + strings.Repeat("A", 26)}, 401},
		"two cookies":                   {"GET", "", []string{cookie + "; " + cookies[0].Name + "=a"}, 401},
		"the cookie of another port":    {"GET", "", []string{strings.Replace(cookie, "8080", "8081", 1)}, 401},
		"as a token of the protocol":    {"GET", "", []string{"Authorization: Bearer " + cookies[0].Value}, 401},
		"another host":                  {"GET", "", []string{cookie, "Host: evil.example"}, 421},
		"another host that looks right": {"GET", "", []string{cookie, "Host: 127.0.0.1.evil.example:8080"}, 421},
		"localhost":                     {"GET", "", []string{cookie, "Host: LocalHost:8080"}, 200},
		"IPv6":                          {"GET", "", []string{cookie, "Host: [::1]:8080"}, 200},
		"its own origin":                {"GET", "", []string{cookie, "Origin: http://127.0.0.1:8080"}, 200},
		"its own origin, by a proxy":    {"GET", "", []string{cookie, "Host: LocalHost:8080", "Origin: https://localhost:8080"}, 200},
		"another origin":                {"GET", "", []string{cookie, "Origin: http://evil.example"}, 403},
		"the origin of another port":    {"GET", "", []string{cookie, "Origin: http://127.0.0.1:8081"}, 403},
		"another origin and a lie":      {"GET", "", []string{cookie, "Origin: http://127.0.0.1:8081", "Sec-Fetch-Site: same-origin"}, 403},
		"two origins":                   {"GET", "", []string{cookie, "Origin: http://127.0.0.1:8080", "Origin: http://evil.example"}, 403},
		"no origin":                     {"GET", "", []string{cookie, "Origin: null"}, 403},
		"an empty origin":               {"GET", "", []string{cookie, "Origin: "}, 403},
		"an origin that isn't http":     {"GET", "", []string{cookie, "Origin: file://127.0.0.1:8080"}, 403},
		"a form of a page like ours":    {"POST", form, []string{cookie, "Origin: null", "Sec-Fetch-Site: same-origin"}, 200},
		"a form of a page of no origin": {"POST", form, []string{cookie, "Origin: null", "Sec-Fetch-Site: cross-site"}, 403},
		"a page of this host":           {"GET", "", []string{cookie, "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"}, 403},
		"a page elsewhere":              {"GET", "", []string{cookie, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"}, 403},
		"a frame":                       {"GET", "", []string{cookie, "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, 403},
		"a link":                        {"GET", "", []string{cookie, "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 200},
		"typed":                         {"GET", "", []string{cookie, "Sec-Fetch-Site: none"}, 200},
		"two sites":                     {"GET", "", []string{cookie, "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"}, 403},
		"a form":                        {"POST", form, []string{cookie, "Sec-Fetch-Site: same-origin"}, 200},
		"a form of another page":        {"POST", form, []string{cookie, "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 403},
		"a form without a token":        {"POST", "a=b", []string{cookie}, 403},
		"a form with the cookie in it":  {"POST", "token=" + cookies[0].Value, []string{cookie}, 403},
	} {
		if r := ask(b, tt.method, "/", tt.form, tt.headers...); r.StatusCode != tt.want {
			t.Errorf("%s: %s, want %d", name, text(t, r), tt.want)
		}
	}
}

// TestEachAnswerHasThePolicy asks a server for the page in ways that are answered and refused.
func TestEachAnswerHasThePolicy(t *testing.T) {
	b, _ := page()
	guards := New(DefaultLimits(1000), slog.New(slog.DiscardHandler))
	server := httptest.NewUnstartedServer(nil)
	server.Config = guards.Server(guards.SameOrigin(b), nil)
	server.Start()
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		method, path, header, value string
		want                        int
	}{
		{"GET", b.NewPath(), "Accept", "text/html", http.StatusSeeOther},
		{"GET", "/", "Accept", "text/html", http.StatusUnauthorized},
		{"GET", "/open", "Accept", "text/html", http.StatusForbidden},
		{"POST", "/undo", "Origin", "http://evil.example", http.StatusForbidden},
		{"POST", "/undo", "Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		{"OPTIONS", "/", "Origin", "http://evil.example", http.StatusForbidden},
		{"GET", "/", "Host", "evil.example", http.StatusMisdirectedRequest},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL+tt.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if r.Header.Set(tt.header, tt.value); tt.header == "Host" {
			r.Host = tt.value
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		h := answer.Header
		if answer.StatusCode != tt.want || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; ") || h.Get("Cache-Control") != "no-store" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%+v: %d %v", tt, answer.StatusCode, h)
		}
	}
}

// TestBrowsersAreForgotten keeps so many cookies and keys.
func TestBrowsersAreForgotten(t *testing.T) {
	b, _ := page()
	unused := b.NewPath()
	first := ask(b, "GET", b.NewPath(), "").Cookies()[0]
	for range maxBrowsers {
		if r := ask(b, "GET", b.NewPath(), ""); r.StatusCode != http.StatusSeeOther {
			t.Fatal(text(t, r))
		}
	}
	if r := ask(b, "GET", "/", "", "Cookie: "+first.Name+"="+first.Value); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("the oldest browser: %s", text(t, r))
	}
	if r := ask(b, "GET", unused, ""); r.StatusCode != http.StatusForbidden {
		t.Errorf("the oldest address: %s", text(t, r))
	}
}

// contextWithLocal returns the context of a request that has come to an address.
func contextWithLocal(r *http.Request, local net.Addr) context.Context {
	return context.WithValue(r.Context(), http.LocalAddrContextKey, local)
}
