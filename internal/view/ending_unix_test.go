//go:build unix

package view

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/replies"
)

// said is a buffer that is written and read at once.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// find waits until a pattern is there, and returns what it finds.
func (s *said) find(t *testing.T, pattern string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		m := regexp.MustCompile(pattern).FindString(s.text.String())
		s.mu.Unlock()
		if m != "" {
			return m
		}
	}
	t.Fatalf("%s is never said: %s", pattern, s.text.String())
	return ""
}

// An undo that waits for a lock when the server is told to end is answered: with what it has waited
// for, and that nothing was written.
func TestUndoInFlightIsAnswered(t *testing.T) {
	t.Parallel()
	o := open(t, true, map[string]string{"a.md": "# A\n\nold words\n"})
	o.change("a.md", "old words", "new words")
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var out said
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, doctor.ServerOptions{Roots: []string{o.root}, Journal: o.history.Dir()}, doctor.HTTPOptions{Address: "127.0.0.1:0", ViewWrites: true}, &out, io.Discard)
	}()
	address := out.find(t, `http://\S+key=\S+`)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	base, key, _ := strings.Cut(address, "/open")
	o.client, o.base = &http.Client{Jar: jar}, base
	o.get("/open" + key)
	_, page := o.get("/changes")
	form := url.Values{}
	for _, name := range []string{"token", "id"} {
		form.Set(name, regexp.MustCompile(`name="` + name + `" value="([^"]+)"`).FindStringSubmatch(page)[1])
	}
	lock(t, o.root)
	time.AfterFunc(300*time.Millisecond, end)
	r, err := o.client.PostForm(o.base+"/undo", form)
	if err != nil {
		t.Fatal(err)
	}
	status, page := o.answer(r)
	if status != http.StatusServiceUnavailable || !strings.Contains(page, "is locked by") || !strings.Contains(page, "told to end") || !strings.Contains(page, "nothing was written") {
		t.Errorf("%d\n%s", status, page)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// lock locks a folder for the test.
func lock(t *testing.T, dir string) {
	t.Helper()
	folder, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	id, err := filelock.Identify(folder)
	if err != nil {
		t.Fatal(err)
	}
	l, err := filelock.Acquire(t.Context(), folder, id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Release()
		_ = folder.Close()
	})
}

// What the page says of an undo that failed is what is known of it: what it waited for, and whether
// something was written.
func TestFailedUndo(t *testing.T) {
	t.Parallel()
	o := open(t, true, map[string]string{"a.md": "# A\n"})
	s := &site{PageOptions: o.options}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	waited := replies.ErrorAbout("", &filelock.Error{Reason: "its folder is locked by another", Err: context.DeadlineExceeded})
	written := &replies.Error{Code: replies.CodeIOError, Message: replies.Text("it is in place, and may not stay"), Written: true}
	for name, tt := range map[string]struct {
		ctx           context.Context //nolint:containedctx // of a request
		err           error
		status        int
		heading, says string
	}{
		"a lock":             {t.Context(), replies.Unwritten(waited), http.StatusServiceUnavailable, "This was not taken back", "locked by another; nothing was written"},
		"written":            {t.Context(), written, http.StatusInternalServerError, "This failed after something was written", "it is in place, and may not stay"},
		"time":               {over, replies.Unwritten(replies.ErrorAbout("", context.Canceled)), http.StatusServiceUnavailable, "This was not taken back", "it wasn't made within 30s"},
		"time, when written": {over, written, http.StatusInternalServerError, "This failed after something was written", "something may have been written"},
		"a context alone":    {t.Context(), errors.Join(context.DeadlineExceeded), http.StatusServiceUnavailable, "This was not taken back", "it wasn't made within 30s"},
	} {
		r := httptest.NewRequestWithContext(tt.ctx, http.MethodPost, "/undo", strings.NewReader("id=x"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		status, a := s.failed(r, tt.err)
		f, ok := a.data.(failure)
		if !ok || status != tt.status || f.Heading != tt.heading || !strings.Contains(f.Message, tt.says) {
			t.Errorf("%s: %d, %q, %q", name, status, f.Heading, f.Message)
		}
	}
}
