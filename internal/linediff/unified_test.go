package linediff

import "testing"

// TestHunks compares parts of texts, whose lines are counted from where the parts are.
func TestHunks(t *testing.T) {
	tests := []struct{ before, after, want string }{
		{"a\n", "a\n", ""},
		{"a\nb\n", "a\nc\n", "@@ -10,2 +20,2 @@\n a\n-b\n+c\n"},
		{"", "a\nb\n", "@@ -9,0 +20,2 @@\n+a\n+b\n"},
		{"a\n", "", "@@ -10 +19,0 @@\n-a\n"},
		{"a\n1\n2\n3\n4\n5\n6\n7\nb", "A\n1\n2\n3\n4\n5\n6\n7\nB", "@@ -10,4 +20,4 @@\n-a\n+A\n 1\n 2\n 3\n" +
			"@@ -15,4 +25,4 @@\n 5\n 6\n 7\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n"},
	}
	for _, test := range tests {
		if got := string(Hunks([]byte(test.before), []byte(test.after), 10, 20)); got != test.want {
			t.Errorf("%q to %q:\n%s\nwant:\n%s", test.before, test.after, got, test.want)
		}
	}
}
