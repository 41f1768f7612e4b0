package replies

import "testing"

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, " \n": 0, "# a": 1, "# a b\n\n- c\n": 3, "| a | b |\n|---|---|\n": 2, "1. one": 2, "***\n---\n```\n": 0,
		"**bold**, it's": 2, "é\u00a0ü\u2003x": 3, "→ ½ 四": 2, "a\xffb \xff": 1, "`x` == y": 2,
	} {
		if got := CountWords([]byte(text)); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}
