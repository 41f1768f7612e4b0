package main

import (
	"slices"
	"strings"
	"testing"
)

func TestCheckFiles(t *testing.T) {
	profile := "mode: set\n" + module + "plan/stage.go:1.2,3.4 5 0\n"
	for _, name := range wholeFiles {
		profile += module + name + ":7.20,9.3 2 1\n" + module + name + ":12.4,12.9 1 1\n"
	}
	report := func(profile string) (text string, low int, err error) {
		var b strings.Builder
		low, err = checkFiles(&b, strings.NewReader(profile))
		return b.String(), low, err
	}
	text, low, err := report(profile)
	if err != nil || low != 0 || strings.Count(text, ", all of it: ok\n") != len(wholeFiles) {
		t.Errorf("%d, %v:\n%s", low, err, text)
	}
	gap := strings.Replace(profile, "plan/parse.go:7.20,9.3 2 1", "plan/parse.go:7.20,9.3 2 0\n"+module+"plan/parse.go:30.1,31.1 1 0", 1)
	text, low, err = report(gap)
	if err != nil || low != 1 || !strings.Contains(text, "plan/parse.go, all of it: NOT RUN: line 7, 30\n") {
		t.Errorf("%d, %v:\n%s", low, err, text)
	}
	for _, missing := range []string{"", "mode: set\n", strings.ReplaceAll(profile, "plan/tree.go", "plan/forest.go")} {
		if _, _, err := report(missing); err == nil {
			t.Errorf("no error for\n%s", missing)
		}
	}
	if !slices.IsSorted(wholeFiles) {
		t.Error("the files are not sorted")
	}
}

func TestRunWithoutProfile(t *testing.T) {
	if _, err := run(nil); err == nil {
		t.Error("no error without a profile")
	}
}
