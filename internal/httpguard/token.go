package httpguard

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/replies"
)

// What a token has to be, so that nobody guesses it. A short text that is repeated
// is none, and 16 random hexadecimal digits, the weakest token that is taken, have
// 8 different ones but for one in a hundred.
const (
	minToken   = 16   // bytes
	maxToken   = 4096 // bytes
	minVariety = 8    // different characters
)

// makeToken says how a file with a good token is made.
const makeToken = "make a good one with: (umask 077; openssl rand -hex 32 >FILE)"

// Token returns the secret that clients show: that of a file, or one that is made up,
// if the name is empty.
func Token(ctx context.Context, file string) (secret string, made bool, err error) {
	if file == "" {
		return rand.Text(), true, nil
	}
	text, err := readToken(ctx, file, tokenPatience)
	if err != nil {
		return "", false, err
	}
	secret = strings.TrimSpace(string(text))
	var wrong string
	switch {
	case len(secret) < minToken || len(secret) > maxToken || strings.ContainsFunc(secret, isNoToken):
		wrong = fmt.Sprintf("holds no token: one line of %d to %d letters, digits and -._~+/=", minToken, maxToken)
	case repeats(secret):
		wrong = "holds a token that repeats a short text, which is easily guessed"
	case variety(secret) < minVariety:
		wrong = fmt.Sprintf("holds a token of fewer than %d different characters, which is easily guessed", minVariety)
	default:
		return secret, false, nil
	}
	return "", false, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("--token-file: %s %s; %s", file, wrong, makeToken)}
}

// repeats reports whether the token is a text that is too short to be one, twice or more
// often; the last one may be cut off.
func repeats(token string) bool {
	for n := 1; n < minToken && 2*n <= len(token); n++ {
		if token[n:] == token[:len(token)-n] {
			return true
		}
	}
	return false
}

// variety returns how many different bytes the token has.
func variety(token string) int {
	different := map[byte]bool{}
	for _, b := range []byte(token) {
		different[b] = true
	}
	return len(different)
}

// tokenPatience is how long a program that has the other end of a pipe open may take to write
// the token.
const tokenPatience = 10 * time.Second

// readToken reads the file of a token, or as much of it as shows that it is none. A pipe that
// no program has open for writing isn't waited for. The error is that of the context if it
// ends before.
func readToken(ctx context.Context, file string, patience time.Duration) ([]byte, error) {
	text, err := readPrivate(ctx, file, patience)
	switch {
	case err == nil:
		return text, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("%s did not come to an end within %v; whatever writes the token to it must close it then", file, patience)
	}
	return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Text("--token-file: " + err.Error()), Err: err}
}

// readPrivate reads the file of a token.
func readPrivate(ctx context.Context, file string, patience time.Duration) ([]byte, error) {
	f, err := os.OpenFile(file, fileinfo.OpenFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if err := checkPrivate(f); err != nil {
		return nil, err
	}
	end := time.Now().Add(patience)
	if f.SetReadDeadline(end) == nil { // a regular file knows none, and needs none
		defer context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })()
	}
	var text []byte
	for {
		var more []byte
		more, err = io.ReadAll(io.LimitReader(f, int64(2*maxToken-len(text))))
		text = append(text, more...)
		if !errors.Is(err, syscall.EAGAIN) { // as macOS says of a pipe that has nothing to give yet
			break
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return nil, os.ErrDeadlineExceeded
		}
		time.Sleep(time.Millisecond)
	}
	if info, statErr := f.Stat(); err == nil && len(text) == 0 && statErr == nil && info.Mode().Type() == os.ModeNamedPipe {
		return nil, fmt.Errorf("%s is a pipe that no program writes a token to; start that program first, or name a file", file)
	}
	return text, err
}

// checkPrivate reports why others than its owner can read or change the open file of a
// token, nil if they can't. Whose the file is doesn't matter: root alone can open another
// user's, as in a container that a secret is mounted into, and that user has the token
// anyway. It asks files and pipes: who is before a terminal sees what is typed. On Windows
// the mode says nothing: there the access control list of its folder says who can read a
// file, and below the user's own folder that is the user, the system and administrators.
func checkPrivate(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	mode := info.Mode()
	if runtime.GOOS == "windows" || mode&(os.ModeDevice|os.ModeDir) != 0 || mode.Perm()&0o077 == 0 {
		return nil
	}
	return fmt.Errorf("%s is open to other users of this machine (its mode is %04o); run: chmod 600 %s", f.Name(), mode.Perm(), f.Name())
}

// isNoToken reports whether a character can't stand in a bearer token (RFC 6750).
func isNoToken(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("-._~+/=", r):
		return false
	}
	return true
}
