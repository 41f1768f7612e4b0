package httpguard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBearerToken(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct{ text, want, err string }{
		"as it is":           {goodToken, goodToken, ""},
		"trailing newline":   {goodToken + "\n", goodToken, ""},
		"of Windows":         {goodToken + "\r\n", goodToken, ""},
		"all characters":     {"abcXYZ0189-._~+/=", "abcXYZ0189-._~+/=", ""},
		"as short as it may": {"0123456776543210", "0123456776543210", ""},
		"as long as it may":  {goodToken + strings.Repeat("a", 4096-len(goodToken)), goodToken + strings.Repeat("a", 4096-len(goodToken)), ""},
		"repeated, but long": {goodToken + goodToken, goodToken + goodToken, ""},
		"empty":              {"", "", "holds no token"},
		"too short":          {goodToken[:15], "", "16 to 4096 letters, digits and -._~+/=; make a good one with: (umask 077; openssl rand -hex 32 >FILE)"},
		"one letter":         {strings.Repeat("a", 64), "", "repeats a short text, which is easily guessed; make a good one"},
		"short and repeated": {goodToken[:15] + goodToken[:15], "", "repeats a short text"},
		"… and cut off":      {"changemechangemech", "", "repeats a short text"},
		"seven characters":   {"0123456654321056", "", "fewer than 8 different characters"},
		"too long":           {strings.Repeat("a", 4097), "", "holds no token"},
		"far too long":       {strings.Repeat("a", 1<<20), "", "holds no token"},
		"space within":       {goodToken + " " + goodToken, "", "holds no token"},
		"two lines":          {goodToken + "\n" + goodToken, "", "holds no token"},
		"letters of others":  {goodToken + "ü", "", "holds no token"},
		"NUL":                {goodToken + "\x00", "", "holds no token"},
	} {
		file := filepath.Join(dir, "token")
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, made, err := Token(t.Context(), file)
		if got != tt.want || made || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %q, %v, %v", name, got, made, err)
		}
		if err != nil && len(tt.text) > 10 && strings.Contains(err.Error(), tt.text[:10]) {
			t.Errorf("%s: the error tells what is in the file: %v", name, err)
		}
	}
	for _, file := range []string{filepath.Join(dir, "missing"), dir} {
		if _, _, err := Token(t.Context(), file); err == nil || !strings.Contains(err.Error(), "--token-file") {
			t.Errorf("%s: %v", file, err)
		}
	}
	one, made, err := Token(t.Context(), "")
	other, _, _ := Token(t.Context(), "")
	if !made || err != nil || len(one) < 26 || one == other {
		t.Errorf("%q, %q, %v, %v", one, other, made, err)
	}
}
