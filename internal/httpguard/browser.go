package httpguard

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// A browser can't send a token with a request: the address that is printed holds a key, which
// is good once, and is answered with a cookie. The cookie is a secret of its own. Browsers send
// it to every port of a host, so it must be good for nothing but the page that it was made for;
// the token of the protocol never becomes one.

// Browsers lets browsers in that have opened the printed address, and tells them apart from
// pages that they were sent to by others. It is safe for concurrent use.
type Browsers struct {
	cookie string // its name
	next   http.Handler
	again  func(path string) // is told the path of a new address when one was used

	mu    sync.Mutex
	keys  [][sha256.Size]byte // that are good once
	known [][sha256.Size]byte // secrets of cookies, the newest last
}

const (
	maxBrowsers = 100 // cookies that are known; the oldest goes first
	maxKeys     = 10  // addresses that were printed and not used
)

// keyPath is where a key is shown.
const keyPath = "/open"

// NewBrowsers returns the guard before a page. Name tells it from other pages of this host, as
// its port does. Again is told the path, with a query, of a new address whenever one was used;
// nil for nobody.
func NewBrowsers(name string, next http.Handler, again func(path string)) *Browsers {
	return &Browsers{cookie: "sectile-view-" + name, next: next, again: again}
}

// NewPath returns the path and query of an address that lets one browser in.
func (b *Browsers) NewPath() string {
	key := rand.Text()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keys = append(b.keys, sha256.Sum256([]byte(key)))
	b.keys = b.keys[max(0, len(b.keys)-maxKeys):]
	return keyPath + "?key=" + key
}

// formKey is the key of a request's secret for forms in its context.
type formKey struct{}

// FormToken returns the token that forms of the page must send with a request which changes
// something: another page of this host could have the browser send the cookie, and can't read
// the token.
func FormToken(r *http.Request) string {
	token, _ := r.Context().Value(formKey{}).(string)
	return token
}

// HasFormToken reports whether the form that a request has sent is one of the page.
func HasFormToken(r *http.Request) bool {
	token, given := FormToken(r), r.PostFormValue("token")
	return token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(given)) == 1
}

// ServeHTTP implements http.Handler.
func (b *Browsers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !isOfThisHost(r):
		turnAway(w, http.StatusMisdirectedRequest, otherHost)
		return
	case !isOfThisPage(r):
		turnAway(w, http.StatusForbidden, "requests from web pages of another origin are refused")
		return
	case r.URL.Path == keyPath:
		b.open(w, r)
		return
	}
	secret, ok := b.shown(r)
	if !ok {
		connectionOf(r).refuse()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		turnAway(w, http.StatusUnauthorized, "This page is for the browser that has opened the address which the server printed last.\n"+
			"If you have just opened it by a link, reload this page.")
		return
	}
	if !connectionOf(r).prove() {
		w.Header().Set("Retry-After", "1")
		turnAway(w, http.StatusServiceUnavailable, "as many clients are connected as can be, and all are at work; try again")
		return
	}
	if r.ContentLength == 0 && !Begins(w, r) { // others begin when their body has come
		turnAway(w, http.StatusServiceUnavailable, errEnding.Error())
		return
	}
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write([]byte("forms")) // it can't fail
	token := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	b.next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), formKey{}, token)))
}

// open answers a request that shows a key.
func (b *Browsers) open(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !b.use(r.URL.Query().Get("key")) {
		if _, ok := b.shown(r); ok { // the same address once more
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		connectionOf(r).refuse()
		turnAway(w, http.StatusForbidden, "this address was used already, or is wrong; open the one that the server printed last")
		return
	}
	secret := rand.Text()
	b.mu.Lock()
	b.known = append(b.known, sha256.Sum256([]byte(secret)))
	b.known = b.known[max(0, len(b.known)-maxBrowsers):]
	b.mu.Unlock()
	cookie := &http.Cookie{Name: b.cookie, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode} //nolint:gosec // Secure is for TLS, which there is none of on this machine
	http.SetCookie(w, cookie)
	http.Redirect(w, r, "/", http.StatusSeeOther)
	if b.again != nil {
		b.again(b.NewPath())
	}
}

// use reports whether a key is good, which it is no more then.
func (b *Browsers) use(key string) bool {
	digest := sha256.Sum256([]byte(key))
	b.mu.Lock()
	defer b.mu.Unlock()
	i := index(b.keys, digest)
	if i < 0 {
		return false
	}
	b.keys = slices.Delete(b.keys, i, i+1)
	return true
}

// shown returns the secret of the cookie that a request shows, if it is good.
func (b *Browsers) shown(r *http.Request) (secret string, ok bool) {
	cookies := r.CookiesNamed(b.cookie)
	if len(cookies) != 1 {
		return "", false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return cookies[0].Value, index(b.known, sha256.Sum256([]byte(cookies[0].Value))) >= 0
}

// index returns the place of a digest among others, -1 if it isn't there, in a time that
// doesn't tell how much of it is right.
func index(list [][sha256.Size]byte, digest [sha256.Size]byte) int {
	at := -1
	for i := range list {
		if subtle.ConstantTimeCompare(list[i][:], digest[:]) == 1 {
			at = i
		}
	}
	return at
}

// isOfThisHost reports whether a request names the host that it has come to: one of another
// name could be of a page whose name was made to lead here (DNS rebinding). Where the server
// can be reached from elsewhere its names aren't known, and the cookie alone decides.
func isOfThisHost(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return true // a request of a test
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return err == nil
	}
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// isOfThisPage reports whether a request may be one of the page itself, or of the user who has
// typed its address or followed a link to it: none of these names another origin. Other ports
// of this host are the same site, and so have the cookie sent.
func isOfThisPage(r *http.Request) bool {
	sites := r.Header.Values("Sec-Fetch-Site")
	switch {
	case len(sites) > 1 || !isOwnOrigin(r, sites):
		return false
	case len(sites) == 0 || sites[0] == "same-origin" || sites[0] == "none":
		return true
	}
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// isOwnOrigin reports whether a request names no origin but the one that it was sent to. A form
// of a page without a referrer names "null", as does a page of no origin: which of the two it is
// the browser says beside it. The scheme is left to a proxy that speaks TLS.
func isOwnOrigin(r *http.Request, sites []string) bool {
	switch origins := r.Header.Values("Origin"); {
	case len(origins) == 0:
		return true
	case len(origins) > 1:
		return false
	case origins[0] == "null":
		return len(sites) == 1 && sites[0] == "same-origin"
	default:
		scheme, host, _ := strings.Cut(origins[0], "://")
		return (scheme == "http" || scheme == "https") && strings.EqualFold(host, r.Host)
	}
}
