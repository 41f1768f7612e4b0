package httpguard

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// login lets requests through that show the token (RFC 6750). A wrong one is answered
// late, and its connection closed: each guess costs a connection and a while. A right
// one is never late, whatever others do. That can't make a weak token safe, for who
// hears nothing at once may take it for a no; so weak ones are refused at the start.
type login struct {
	secret  [sha256.Size]byte // the token's digest
	late    time.Duration     // how long a wrong token waits for its answer
	ending  context.Context   //nolint:containedctx // of the server; requests have their own
	log     *slog.Logger
	told    rate.Sometimes // who was refused
	refused atomic.Int64   // since the start
}

func newLogin(ending context.Context, secret string, late time.Duration, log *slog.Logger) *login {
	return &login{
		secret: sha256.Sum256([]byte(secret)), late: late, ending: ending, log: log,
		told: rate.Sometimes{First: 5, Interval: telling},
	}
}

// handler is the guard before next.
func (l *login) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection := connectionOf(r)
		shown := r.Header.Values("Authorization")
		switch {
		case !l.right(shown):
			connection.refuse()
			l.refuse(w, r, len(shown) > 0)
		case !connection.prove():
			w.Header().Set("Retry-After", "1")
			turnAway(w, http.StatusServiceUnavailable, "as many clients are connected as can be, and all are at work; try again")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// right reports whether the headers are one that shows the token. How long that takes
// tells neither how much of it is right nor how long it is.
func (l *login) right(shown []string) bool {
	if len(shown) != 1 {
		return false
	}
	scheme, given, _ := strings.Cut(shown[0], " ")
	digest := sha256.Sum256([]byte(strings.Trim(given, " \t")))
	return subtle.ConstantTimeCompare(digest[:], l.secret[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// refuse answers a request that doesn't show the token; guessed says that it shows
// something else.
func (l *login) refuse(w http.ResponseWriter, r *http.Request, guessed bool) {
	challenge, shown := `Bearer realm="sectile"`, "nothing"
	if guessed {
		challenge, shown = challenge+`, error="invalid_token"`, "something else"
	}
	refused := l.refused.Add(1)
	l.told.Do(func() {
		l.log.Warn("a login was refused", "peer", r.RemoteAddr, "shown", shown, "refused so far", refused)
	})
	if guessed {
		l.wait(r)
	}
	w.Header().Set("WWW-Authenticate", challenge)
	turnAway(w, http.StatusUnauthorized, "the token is missing or wrong: send the header \"Authorization: Bearer TOKEN\" with the token that the server "+
		"printed when it started, or that of its --token-file")
}

// wait returns when a wrong token has waited, or nobody waits any more.
func (l *login) wait(r *http.Request) {
	var gone chan struct{}
	if connection := connectionOf(r); connection != nil {
		gone = connection.gone
	}
	timer := time.NewTimer(l.late)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-gone:
	case <-r.Context().Done():
	case <-l.ending.Done():
	}
}

// lingering is how long a body of one who is refused is still taken, so that the answer
// arrives: one that is sent to a closed connection takes the answer with it.
const lingering = 500 * time.Millisecond

// turnAway answers a request whose body is not read, and closes its connection.
func turnAway(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lingering)) // a connection that has no deadlines is one of a test
	http.Error(w, text, status)
}
