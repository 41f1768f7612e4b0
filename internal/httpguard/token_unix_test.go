//go:build unix

package httpguard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/replies"
)

// A token may come through a pipe that a program has open for writing; that is waited for some
// time, or until the server is told to end. One that nobody has open isn't waited for.
func TestTokenOfPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readToken(t.Context(), pipe, time.Hour); err == nil || replies.AsError(err).Code != replies.CodeInvalidArgument || !strings.Contains(err.Error(), pipe+" is a pipe that no program writes a token to") {
		t.Errorf("%v", err)
	}
	end, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readToken(ctx, pipe, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := readToken(t.Context(), pipe, 1); err == nil || replies.AsError(err).Code != replies.CodeInvalidArgument || !strings.Contains(err.Error(), "did not come to an end within 1ns") {
		t.Errorf("%v", err)
	}
	if _, err := end.WriteString(goodToken + "\n"); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer end.Close()
		// Not before the token is read: a pipe whose last end is closed forgets what it holds.
		for {
			if n, err := unix.Poll([]unix.PollFd{{Fd: int32(end.Fd()), Events: unix.POLLIN}}, 0); err != nil || n == 0 {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if got, _, err := Token(t.Context(), pipe); err != nil || got != goodToken {
		t.Errorf("%q, %v", got, err)
	}
}

// A token that other users can read or change is refused, whatever leads to it.
func TestTokenOfOthers(t *testing.T) {
	dir := t.TempDir()
	file, link, pipe := filepath.Join(dir, "token"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.WriteFile(file, []byte(goodToken+"\n"), 0o600), os.Symlink("token", link), syscall.Mkfifo(pipe, 0o600), os.Chmod(pipe, 0o622)); err != nil {
		t.Fatal(err)
	}
	end, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that it can be opened at once
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	for mode, private := range map[os.FileMode]bool{
		0o600: true, 0o400: true, 0o700: true, 0o640: false, 0o604: false, 0o620: false, 0o602: false, 0o610: false, 0o666: false, 0o444: false,
	} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{file, link} {
			got, _, err := Token(t.Context(), name)
			if private && (err != nil || got != goodToken) {
				t.Errorf("%04o: %v", mode, err)
			}
			if !private && (err == nil || got != "" || replies.AsError(err).Code != replies.CodeInvalidArgument ||
				!strings.Contains(err.Error(), fmt.Sprintf("(its mode is %04o); run: chmod 600 %s", mode, name))) {
				t.Errorf("%04o: %q, %v", mode, got, err)
			}
		}
	}
	if _, _, err := Token(t.Context(), pipe); err == nil || !strings.Contains(err.Error(), "its mode is 0622") {
		t.Errorf("a pipe: %v", err)
	}
}

// TestTokenOfAnotherOwner has root read a token that belongs to somebody else, as in a
// container that it is mounted into: its mode alone counts.
func TestTokenOfAnotherOwner(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(goodToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(file, 12345, -1); err != nil {
		t.Skip("root alone gives files away: ", err)
	}
	for mode, private := range map[os.FileMode]bool{0o400: true, 0o600: true, 0o640: false, 0o604: false} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if got, _, err := Token(t.Context(), file); private != (err == nil && got == goodToken) {
			t.Errorf("%04o: %q, %v", mode, got, err)
		}
	}
}
