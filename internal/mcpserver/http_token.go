package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

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
func bearerToken(ctx context.Context, file string) (secret string, made bool, err error) {
	if file == "" {
		return rand.Text(), true, nil
	}
	text, err := readToken(ctx, file, tokenPatience)
	if err != nil {
		return "", false, err
	}
	secret = strings.TrimSpace(string(text))
	if len(secret) < minToken || len(secret) > maxToken || strings.ContainsFunc(secret, isNoToken) {
		return "", false, &app.Error{Code: codeInvalidArgument, Message: fmt.Sprintf(
			"--token-file: %s holds no token: one line of %d to %d letters, digits and -._~+/= (such as the output of 'openssl rand -hex 32')",
			file, minToken, maxToken)}
	}
	return secret, false, nil
}

// tokenPatience is how long a file of a token may take to be read: a pipe that nobody
// writes to never ends.
const tokenPatience = 10 * time.Second

// readToken reads the file of a token, or as much of it as shows that it is none. The
// error is that of the context if it ends before.
func readToken(ctx context.Context, file string, patience time.Duration) ([]byte, error) {
	type content struct {
		text []byte
		err  error
	}
	done := make(chan content, 1)
	go func() { // the system calls can't be told to stop; who gives up on them ends the program
		f, err := os.Open(file)
		if err != nil {
			done <- content{err: err}
			return
		}
		defer func() { _ = f.Close() }() // only read
		text, err := io.ReadAll(io.LimitReader(f, 2*maxToken))
		done <- content{text, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case c := <-done:
		if c.err != nil {
			return nil, &app.Error{Code: codeInvalidArgument, Message: "--token-file: " + c.err.Error(), Err: c.err}
		}
		return c.text, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, &app.Error{Code: codeInvalidArgument, Message: fmt.Sprintf(
			"--token-file: %s did not come to an end within %v; if it is a pipe, something must write the token to it", file, patience)}
	}
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
