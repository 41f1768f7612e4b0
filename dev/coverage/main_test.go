package main

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	output := "" +
		"\tgithub.com/sectile/sectile/cmd/sectile\t\tcoverage: 0.0% of statements\n" +
		"?   \tgithub.com/sectile/sectile/internal/types\t[no test files]\n" +
		"ok  \tgithub.com/sectile/sectile/markdown\t1.014s\tcoverage: 84.9% of statements\n" +
		"ok  \tgithub.com/sectile/sectile/outline\t(cached)\tcoverage: 85.0% of statements\n" +
		"\tgithub.com/sectile/sectile/internal/empty\t\tok  \tgithub.com/sectile/sectile/edit\t1.0s\tcoverage: 90.0% of statements\n" +
		"\tgithub.com/sectile/sectile/internal/reading\t\tcoverage: 0.0% of statements\n" +
		"ok  \tgithub.com/sectile/sectile/internal/cli\t0.1s\tcoverage: 80.0% of statements\n" +
		"ok  \tgithub.com/sectile/sectile/internal/none\t0.1s\tcoverage: [no statements]\n"
	want := "" +
		" 84.9 % (at least 85 %) markdown: TOO LOW\n" +
		" 85.0 % (at least 85 %) outline: ok\n" +
		" 90.0 % (at least 85 %) edit: ok\n" +
		"  0.0 % (at least 80 %) internal/reading: TOO LOW\n" +
		" 80.0 % (at least 80 %) internal/cli: ok\n"

	var got strings.Builder
	low, err := check(&got, strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	if low != 2 {
		t.Errorf("%d packages are too low, want 2", low)
	}
	if got.String() != want {
		t.Errorf("got:\n%swant:\n%s", got.String(), want)
	}
}

func TestCheckWithoutCoverage(t *testing.T) {
	input := "ok  \tgithub.com/sectile/sectile/markdown\t1.014s\n"
	if _, err := check(&strings.Builder{}, strings.NewReader(input)); err == nil {
		t.Error("no error for output without coverage")
	}
}
