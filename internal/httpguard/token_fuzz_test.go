package httpguard

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
)

// goodToken is one that is taken.
const goodToken = "0123456789abcdefghij"

// FuzzTokenFile reads any file as that of a token. What is taken is what stands in it
// but for white space around it, can stand in a header, and lets in who shows it and
// nobody else; what is not taken is not shown.
func FuzzTokenFile(f *testing.F) {
	for _, text := range []string{
		goodToken, goodToken + "\n", "abcabcabcabcabcab", "aaaaaaaaaaaaaaab", strings.Repeat(goodToken[:15], 2), " \t" + goodToken + "\r\n", "", "short", strings.Repeat("a", minToken), strings.Repeat("a", maxToken), strings.Repeat("a", maxToken+1), strings.Repeat("a", 3*maxToken),
		goodToken + " " + goodToken, goodToken + "\n" + goodToken, goodToken + "\x00", "\ufeff" + goodToken, strings.Repeat("ü", 20), strings.Repeat("=", 20), "Bearer " + goodToken, goodToken + "\u00a0", "\xff" + goodToken,
	} {
		f.Add([]byte(text))
	}
	file := filepath.Join(f.TempDir(), "token")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got, made, err := Token(t.Context(), file)
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
			r, w := httptest.NewRequest(http.MethodPost, "/", http.NoBody), httptest.NewRecorder()
			r.Header.Set("Authorization", given)
			newLogin(t.Context(), got, 0, slog.New(slog.DiscardHandler)).handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
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
