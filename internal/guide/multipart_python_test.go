package guide

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// pythonMessage is a message as Python's email package gives it back.
type pythonMessage struct {
	Type     string   `json:"type"`
	Preamble string   `json:"preamble"`
	Epilogue string   `json:"epilogue"`
	Defects  []string `json:"defects"`
	Parts    []struct {
		Headers [][2]string `json:"headers"`
		Type    string      `json:"type"`
		Content []byte      `json:"content"`
		Text    string      `json:"text"`
		Defects []string    `json:"defects"`
	} `json:"parts"`
}

// parsePython parses the messages with one process of Python.
func parsePython(t *testing.T, messages map[string][]byte) map[string]pythonMessage {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		testkit.Missing(t, "there is no python3 here")
	}
	input := make(map[string]string, len(messages))
	for name, message := range messages {
		input[name] = base64.StdEncoding.EncodeToString(message)
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "multipart_parse.py"))
	cmd.Stdin = bytes.NewReader(text)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, problems.String())
	}
	var parsed map[string]pythonMessage
	if err := json.Unmarshal(output, &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}

// readParts returns the parts in the form that the other parser gives.
func (m pythonMessage) readParts() (parts []readPart, defects []string) {
	defects = append(defects, m.Defects...)
	for _, p := range m.Parts {
		parts = append(parts, readPart{Headers: p.Headers, Content: string(p.Content), Text: p.Text})
		defects = append(defects, p.Defects...)
	}
	return parts, defects
}

func TestMultipartPython(t *testing.T) {
	messages := map[string][]byte{}
	for _, c := range messageCases() {
		messages[c.name] = c.write(t)
	}
	parsed := parsePython(t, messages)
	for _, c := range messageCases() {
		t.Run(c.name, func(t *testing.T) {
			got, defects := parsed[c.name].readParts()
			if diff := cmp.Diff(wanted(c.parts), got); diff != "" || len(defects) > 0 {
				t.Errorf("defects %q (-want +got)\n%s", defects, diff)
			}
			if m := parsed[c.name]; m.Type != "multipart/mixed" || m.Preamble != "" || m.Epilogue != "" {
				t.Errorf("type %q, preamble %q, epilogue %q", m.Type, m.Preamble, m.Epilogue)
			}
		})
	}
}

// The examples of RFC 2046, section 5.1.1, and the same contents as we write
// them: both parsers find in them what the RFC says is in them, so they and the
// test are to be believed, and ours has the same structure.
func TestMultipartRFC2046(t *testing.T) {
	contents := []string{
		"This is implicitly typed plain US-ASCII text.\r\nIt does NOT end with a linebreak.",
		"This is explicitly typed plain US-ASCII text.\r\nIt DOES end with a linebreak.\r\n",
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "rfc2046", "*.eml"))
	if err != nil || len(paths) != 3 {
		t.Fatalf("the examples are %q, %v", paths, err)
	}
	messages := map[string][]byte{}
	for _, path := range paths {
		if messages[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	ours, err := Multipart([]Part{one("a.txt", contents[0]), one("b.txt", contents[1])})
	if err != nil {
		t.Fatal(err)
	}
	messages["ours"] = ours
	for name, message := range messages {
		_, parts, err := parseGo(message)
		if err != nil {
			t.Errorf("Go, %s: %v", name, err)
		}
		checkContents(t, "Go, "+name, contents, parts)
	}
	for name, m := range parsePython(t, messages) {
		parts, defects := m.readParts()
		if len(defects) > 0 {
			t.Errorf("Python, %s: %q", name, defects)
		}
		checkContents(t, "Python, "+name, contents, parts)
		if name != "ours" && !strings.HasPrefix(m.Preamble, "This is the preamble.") {
			t.Errorf("Python, %s: the preamble is %q", name, m.Preamble)
		}
	}

	// Two parts of an empty line and two lines each, and a line break more.
	const example = "D...D....E"
	for name, message := range messages {
		if got := skeleton(t, message); got != example {
			t.Errorf("%s has the structure %s, not %s", name, got, example)
		}
	}
}

func checkContents(t *testing.T, name string, want []string, parts []readPart) {
	t.Helper()
	var got []string
	for _, p := range parts {
		got = append(got, p.Content)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", name, diff)
	}
}

// skeleton shows the delimiters of a message as D, its end as E and the lines of
// each part, without its header, as dots.
func skeleton(t *testing.T, message []byte) string {
	t.Helper()
	header, body, _ := bytes.Cut(message, []byte("\r\n\r\n"))
	_, boundary, ok := strings.Cut(string(header), "boundary=")
	if !ok {
		t.Fatalf("%q has no boundary", header)
	}
	boundary = "--" + strings.Trim(boundary, `"`)
	var b strings.Builder
	inHeader, inside := false, false
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSuffix(line, "\r\n")
		switch {
		case line == boundary+"--":
			b.WriteString("E")
			return b.String()
		case line == boundary:
			b.WriteString("D")
			inHeader, inside = true, true
		case inHeader:
			inHeader = line != ""
			if !inHeader {
				b.WriteString(".")
			}
		case inside:
			b.WriteString(".")
		}
	}
	return b.String() + " without an end"
}
