package main

import "testing"

func TestGoalsTable(t *testing.T) {
	got := goalsTable([]goal{
		{what: "start", ours: "2 ms", beside: "1 ms", unit: " ×", figure: 2, wanted: 1.8},
		{what: "parse", ours: "2 MB/s", beside: "3 MB/s", unit: " %", figure: 66.7, wanted: 60, atLeast: true},
		{what: "call", ours: "0.2 ms", unit: " ms", figure: 0.25, wanted: 0.25},
	})
	want := `| what | sectile | beside | figure | wanted | met |
| --- | --- | --- | --- | --- | --- |
| start | 2 ms | 1 ms | 2.00 × | at most 1.8 × | no |
| parse | 2 MB/s | 3 MB/s | 66.7 % | at least 60 % | yes |
| call | 0.2 ms |  | 0.250 ms | at most 0.25 ms | yes |
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWithoutStart(t *testing.T) {
	got := withoutStart([]sample{{5, 6}, {1, 1}, {9, 9}, {2, 2}})
	if len(got) != 2 || got[0][0] != 4 || got[0][1] != 5 || got[1].median() != 7 {
		t.Errorf("got %v", got)
	}
}
