package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// page is the document of most cases: two sections have the same heading and a line
// in common.
const page = "# Guide\n\nIntro.\n\n## Install\n\nRun it.\n\n## Usage\n\n* item\n\nRun it.\n"

// lineTask is the task of changing the second "Run it." of a document.
func lineTask(source string) *task {
	at := strings.LastIndex(source, "Run it.")
	return &task{
		source: []byte(source), exists: true, start: at, end: at + len("Run it."), ordinal: 2, token: "zq1",
		change: change{op: changeLine, old: "Run it.", new: "Run it zq1."},
		crlf:   strings.Contains(source, "\r\n"),
	}
}

// TestJudgeLine judges what editors make of a line: each case is a defect that an
// adapter or a tool may have, and must not pass for right.
func TestJudgeLine(t *testing.T) {
	crlf := strings.ReplaceAll(page, "\n", "\r\n")
	second := func(s string) string { i := strings.LastIndex(s, "Run it."); return s[:i] + "Run it zq1." + s[i+7:] }
	cases := map[string]struct {
		source  string
		edit    func(string) string
		refusal bool
		want    verdict
	}{
		"done":                   {page, second, false, verdict{right, 0, true}},
		"done in CRLF":           {crlf, second, false, verdict{right, 0, true}},
		"refused":                {page, same, true, verdict{refused, 0, true}},
		"nothing":                {page, same, false, verdict{falseSuccess, 0, true}},
		"an error and a change":  {page, second, true, verdict{halfDone, 0, true}},
		"the first of two":       {page, func(s string) string { return strings.Replace(s, "Run it.", "Run it zq1.", 1) }, false, verdict{wrongPlace, 4, true}},
		"both of two":            {page, func(s string) string { return strings.ReplaceAll(s, "Run it.", "Run it zq1.") }, false, verdict{wrongPlace, 8, true}},
		"another marker of list": {page, func(s string) string { return second(strings.Replace(s, "* item", "- item", 1)) }, false, verdict{damaged, 1, true}},
		"LF for CRLF":            {crlf, func(s string) string { return second(strings.ReplaceAll(s, "\r\n", "\n")) }, false, verdict{damaged, 13, false}},
		"one LF for CRLF":        {crlf, func(s string) string { return second(strings.Replace(s, "\r\n", "\n", 1)) }, false, verdict{damaged, 1, false}},
		"no newline at the end":  {page, func(s string) string { return strings.TrimSuffix(second(s), "\n") }, false, verdict{damaged, 0, true}},
		"a line of the target":   {page, func(s string) string { return second(strings.Replace(s, "Run it.\n", "Run it.  \n", 2)) }, false, verdict{damaged, 2, true}},
		"a paragraph less":       {page, func(s string) string { return second(strings.Replace(s, "Intro.\n\n", "", 1)) }, false, verdict{damaged, 8, true}},
		"a heading less":         {page, func(s string) string { return second(strings.Replace(s, "# Guide", "Guide", 1)) }, false, verdict{damaged, 2, true}},
		"a heading more":         {page, func(s string) string { return second(strings.Replace(s, "Intro", "# Intro", 1)) }, false, verdict{damaged, 2, true}},
		"another text":           {page, func(s string) string { return strings.Replace(s, "Intro", "Outro", 1) }, false, verdict{falseSuccess, 2, true}},
		"an empty file":          {page, func(string) string { return "" }, false, verdict{falseSuccess, len(page) - len("Run it.\n"), true}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := judge(lineTask(c.source), []byte(c.edit(c.source)), c.refusal)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(verdict{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func same(s string) string { return s }

// TestJudgeMissing judges what editors make of a line that is not there.
func TestJudgeMissing(t *testing.T) {
	missing := lineTask(page)
	missing.exists = false
	for name, c := range map[string]struct {
		result  string
		refusal bool
		want    outcome
	}{
		"refused":       {page, true, right},
		"made up":       {page + "\nRun it zq1.\n", false, falseSuccess},
		"nothing":       {page, false, falseSuccess},
		"error and yet": {page + "\nRun it zq1.\n", true, halfDone},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judge(missing, []byte(c.result), c.refusal).outcome; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestJudgeBody judges what editors append to a section and replace of it.
func TestJudgeBody(t *testing.T) {
	start, end := strings.Index(page, "\nRun it.\n\n## Usage"), strings.Index(page, "## Usage")
	appending := &task{
		source: []byte(page), exists: true, start: start, end: end, ordinal: 1, token: "zq1",
		change: change{op: appendText, body: page[start:end], new: "New zq1."},
	}
	replacing := *appending
	replacing.change = change{op: setBody, body: page[start:end], new: "\nAll zq1.\n\n"}
	for name, c := range map[string]struct {
		task *task
		body string
		want verdict
	}{
		"appended":                  {appending, "\nRun it.\n\nNew zq1.\n\n", verdict{right, 0, true}},
		"appended after more space": {appending, "\nRun it.\n\n\nNew zq1.\n\n", verdict{right, 0, true}},
		"glued to the last":         {appending, "\nRun it.\nNew zq1.\n\n", verdict{damaged, 0, true}},
		"glued to the next heading": {appending, "\nRun it.\n\nNew zq1.\n", verdict{damaged, 0, true}},
		"glued to its own heading":  {appending, "Run it.\n\nNew zq1.\n\n", verdict{damaged, 0, true}},
		"appended to other text":    {appending, "\nRun  it.\n\nNew zq1.\n\n", verdict{damaged, 0, true}},
		"appended twice":            {appending, "\nRun it.\n\nNew zq1.\n\nNew zq1.\n\n", verdict{damaged, 0, true}},
		"prepended":                 {appending, "\nNew zq1.\n\nRun it.\n\n", verdict{damaged, 0, true}},
		"replaced instead":          {appending, "\nNew zq1.\n\n", verdict{damaged, 0, true}},
		"replaced":                  {&replacing, "\nAll zq1.\n\n", verdict{right, 0, true}},
		"appended instead":          {&replacing, "\nRun it.\n\nAll zq1.\n\n", verdict{damaged, 0, true}},
		"more than was asked for":   {&replacing, "\nAll zq1.\n\n```\n", verdict{damaged, 0, true}},
	} {
		t.Run(name, func(t *testing.T) {
			got := judge(c.task, []byte(page[:start]+c.body+page[end:]), false)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(verdict{})); diff != "" {
				t.Error(diff)
			}
		})
	}
	crlf := *appending
	crlf.source, crlf.crlf = []byte(strings.ReplaceAll(page, "\n", "\r\n")), true
	crlf.start, crlf.end = bytes.Index(crlf.source, []byte("\r\nRun it.")), bytes.Index(crlf.source, []byte("## Usage"))
	mixed := string(crlf.source[:crlf.end]) + "New zq1.\n\n" + string(crlf.source[crlf.end:])
	if v := judge(&crlf, []byte(mixed), false); v.outcome != damaged || v.outside != 0 || v.endings {
		t.Errorf("LF in a document with CRLF: %+v", v)
	}
	if v := judge(&crlf, []byte(strings.Replace(mixed, "New zq1.\n\n", "New zq1.\r\n\r\n", 1)), false); v.outcome != right {
		t.Errorf("CRLF in a document with CRLF: %+v", v)
	}
	last := *appending
	last.start, last.end, last.ordinal = strings.LastIndex(page, "\n* item"), len(page), 2
	last.change = change{op: appendText, body: page[last.start:], new: "New zq1."}
	if v := judge(&last, []byte(page+"\nNew zq1.\n"), false); v.outcome != right {
		t.Errorf("at the end: %+v", v)
	}
	if v := judge(&last, []byte(page+"\nNew zq1."), false); v.outcome != damaged {
		t.Errorf("at the end, and no newline: %+v", v)
	}
	behind := judge(appending, []byte(page+"\nNew zq1.\n"), false)
	if behind.outcome != wrongPlace {
		t.Errorf("at the end of the file: %v", behind)
	}
}

func TestChangedOutside(t *testing.T) {
	for name, c := range map[string]struct {
		source, result string
		start, end     int
		want           int
	}{
		"nothing":                {"a\nb\n", "a\nb\n", -1, -1, 0},
		"a letter":               {"a\nb\n", "a\nc\n", -1, -1, 1},
		"a line":                 {"a\nlonger\nb\n", "a\nb\n", -1, -1, 7},
		"line endings":           {"a\r\nb\r\n", "a\nb\n", -1, -1, 2},
		"the other way":          {"a\nb\n", "a\r\nb\r\n", -1, -1, 2},
		"within":                 {"a\nb\nc\n", "a\nxyz\nc\n", 2, 3, 0},
		"within and before":      {"a\nb\nc\n", "A\nxyz\nc\n", 2, 3, 1},
		"within and behind":      {"a\nb\nc\n", "a\nxyz\nC\n", 2, 3, 1},
		"the line behind it":     {"a\nb\n## c\n", "a\nxyz\n## d\n", 2, 4, 1},
		"put in before":          {"a\nb\nc\n", "new\na\nb\nc\n", 2, 3, 4},
		"line endings of others": {"a\r\nb\r\nc\r\n", "a\nB\nc\n", 3, 4, 3},
	} {
		t.Run(name, func(t *testing.T) {
			if got := changedOutside([]byte(c.source), []byte(c.result), c.start, c.end); got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
}
