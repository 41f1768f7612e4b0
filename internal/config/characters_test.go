package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestCharacters refuses what the library takes for line breaks and others don't, and
// what it would refuse without a place.
func TestCharacters(t *testing.T) {
	for _, r := range "\x01\x7f\u0085\u009f\u2028\u2029\ufeff\ufffe\uffff" {
		got := problemsIn("guide:\n  # é"+string(r)+"\n", Project)
		want := fmt.Sprintf(".sectile.yaml:2:6: the character %U is not allowed in YAML, or not read alike by all", r)
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%v, want %s", got, want)
		}
	}
	for _, r := range "\t\u00a0\u200b\ufffd\U0001f600" {
		if got := problemsIn("guide:\n  # é"+string(r)+"\n", Project); got != nil {
			t.Error(got)
		}
	}
}

// TestLaughs sees that an alias is never followed: this text would say 10^40 things.
func TestLaughs(t *testing.T) {
	text := "a0: &a0 [x]\n"
	for i := range 40 {
		text += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	f := parse([]byte(text), Project, nil)
	if want := "and 341 more; correct these first"; len(f.problems) != maxProblems+1 || f.problems[maxProblems].Message != want {
		t.Errorf("%d problems, the last: %v", len(f.problems), f.problems[len(f.problems)-1])
	}
}
