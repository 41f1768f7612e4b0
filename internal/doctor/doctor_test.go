package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// answering is a server that answers as it should.
func answering(context.Context, string, ...string) (ProbeReport, error) {
	return ProbeReport{
		ProtocolVersion: "2026-07-28", ServerName: "sectile", ServerVersion: "v1", Tools: []string{"markdown_tree"},
		ListBytes: 812, FirstReply: 12345 * time.Microsecond, Call: 678 * time.Microsecond,
		Called: "markdown_tree", CallText: "a tree",
	}, nil
}

// find returns the check of this name.
func find(t *testing.T, r *DoctorReport, name string) replies.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no check %q in %+v", name, r.Checks)
	return replies.Check{}
}

// expect compares a check's status and looks for words in its message.
func expect(t *testing.T, c replies.Check, status replies.Status, words ...string) {
	t.Helper()
	if c.Status != status {
		t.Errorf("%s: %s, want %s: %s", c.Name, c.Status, status, c.Message)
	}
	for _, word := range words {
		if !strings.Contains(c.Message, word) {
			t.Errorf("%s: %q, want %q in it", c.Name, c.Message, word)
		}
	}
	if strings.ContainsAny(c.Message+c.Advice, "\n\x1b") {
		t.Errorf("%s: %q, %q are not one line of text", c.Name, c.Message, c.Advice)
	}
	if (c.Advice == "") != (c.Status == replies.StatusOK) && c.Message != "was not asked" {
		t.Errorf("%s: %s with the advice %q", c.Name, c.Status, c.Advice)
	}
}

func TestDoctorServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	with := func(change func(*ProbeReport)) func(context.Context, string, ...string) (ProbeReport, error) {
		return func(ctx context.Context, program string, args ...string) (ProbeReport, error) {
			r, err := answering(ctx, program, args...)
			change(&r)
			return r, err
		}
	}
	for _, tt := range []struct {
		name   string
		probe  func(context.Context, string, ...string) (ProbeReport, error)
		status replies.Status
		words  string
	}{
		{"answers", answering, replies.StatusOK, "answers after 12.3ms: protocol 2026-07-28, 1 tool in 812 bytes, markdown_tree in 680µs"},
		{"none", nil, replies.StatusWarning, "was not asked"},
		{"error", func(context.Context, string, ...string) (ProbeReport, error) {
			return ProbeReport{}, errors.New("no answer:\n\x1b[31mEOF")
		}, replies.StatusFailed, "no answer:"},
		{"hangs", func(ctx context.Context, _ string, _ ...string) (ProbeReport, error) {
			<-ctx.Done()
			return ProbeReport{}, ctx.Err()
		}, replies.StatusFailed, "no answer within 100ms"},
		{"failed call", with(func(r *ProbeReport) { r.CallFailed, r.CallText = true, "io_error: no\nno" }), replies.StatusFailed, "markdown_tree failed: io_error: no"},
		{"nothing to call", with(func(r *ProbeReport) { r.Called, r.CallText = "", "" }), replies.StatusOK, "1 tool in 812 bytes"},
		{"empty reply", with(func(r *ProbeReport) { r.CallText = "" }), replies.StatusFailed, "markdown_tree gave no text"},
		{"another version", with(func(r *ProbeReport) { r.ServerVersion = "v2" }), replies.StatusFailed, "it says that it is version v2, not v1"},
		{"slow", with(func(r *ProbeReport) { r.FirstReply = 4 * time.Second }), replies.StatusWarning, "answers after 4s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			timeout := time.Minute
			if tt.name == "hangs" {
				timeout = 100 * time.Millisecond
			}
			r := Doctor(t.Context(), &DoctorRequest{
				Server: ServerOptions{Roots: []string{root}, Version: "v1"}, Program: "/opt/sectile", Probe: tt.probe, ProbeTimeout: timeout,
			})
			c := find(t, &r, "server")
			expect(t, c, tt.status, tt.words)
			if r.Failed != (tt.status == replies.StatusFailed) {
				t.Errorf("failed: %t with a server that is %s", r.Failed, tt.status)
			}
		})
	}
}

// TestDoctorProbe starts the program itself, as a client would.
func TestDoctorProbe(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := t.TempDir()
	for _, tt := range []struct {
		readOnly bool
		preset   string
		argument string
		want     []string
		tools    int // of the server that is reported: that of the roots has two
	}{
		{false, "", "--structured", []string{"/opt/sectile mcp --structured"}, 1},
		{true, "lean", "--read-only", []string{"/opt/sectile mcp --read-only --root " + root}, 2},
		{false, "lean", "--preset=lean", []string{"/opt/sectile mcp --preset=lean", "/opt/sectile mcp --preset=lean --root " + root}, 2},
	} {
		var got []string
		r := Doctor(t.Context(), &DoctorRequest{
			Server: ServerOptions{Roots: []string{root}, ReadOnly: tt.readOnly, Preset: tt.preset}, Arguments: []string{tt.argument}, Program: "/opt/sectile",
			Probe: func(_ context.Context, program string, args ...string) (ProbeReport, error) {
				got = append(got, strings.Join(append([]string{program}, args...), " "))
				report := ProbeReport{Tools: []string{"a"}}
				if slices.Contains(args, "--root") {
					report.Tools = []string{"a", "b"}
				}
				return report, nil
			},
		})
		if r.Server == nil || len(r.Server.Tools) != tt.tools {
			t.Errorf("%s: server %+v", tt.argument, r.Server)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("what was started (-want +got):\n%s", diff)
		}
	}
}

func TestDoctorRoots(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	home := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	file := filepath.Join(testkit.Folder(t, map[string]string{"a.md": "# A\n"}), "a.md")
	for _, tt := range []struct {
		name   string
		root   string
		status replies.Status
		words  []string
	}{
		{"documents", testkit.Folder(t, map[string]string{"a.md": "# A\n", "b/c.mdx": "# C\n", "d.txt": "\xff"}), replies.StatusOK, []string{": 2 Markdown files"}},
		{"one", testkit.Folder(t, map[string]string{"a.md": ""}), replies.StatusOK, []string{": 1 Markdown file"}},
		{"none", testkit.Folder(t, map[string]string{"a.txt": "a"}), replies.StatusWarning, []string{": no Markdown file"}},
		{
			"broken", testkit.Folder(t, map[string]string{"a.md": "# A\n", "b.md": "# \xff\n", "c.md": "a\x00"}), replies.StatusWarning,
			[]string{": 3 Markdown files; 2 can't be read, the first is encoding_error: b.md: "},
		},
		{"missing", filepath.Join(home, "none"), replies.StatusFailed, []string{"file_not_found"}},
		{"file", file, replies.StatusFailed, nil},
		{"home", home, replies.StatusFailed, []string{home}},
		{"everything", filepath.VolumeName(home) + string(filepath.Separator), replies.StatusFailed, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Roots: []string{tt.root}, Version: "v1"}, Probe: answering})
			expect(t, find(t, &r, "root"), tt.status, tt.words...)
			if r.Failed != (tt.status == replies.StatusFailed) {
				t.Errorf("failed: %t", r.Failed)
			}
		})
	}
}

// TestDoctorManyDocuments ends the looking at documents with the time for it.
func TestDoctorManyDocuments(t *testing.T) {
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{testkit.Folder(t, map[string]string{"a.md": "", "b.md": ""})}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if seen := examine(ctx, w); !seen.more || !strings.HasSuffix(seen.String(), "Markdown files and more") || seen.broken != 0 || seen.first != nil {
		t.Errorf("%+v: %s", seen, &seen)
	}
}

func TestDoctorConfiguration(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	user := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", user)
	wrong := "categories:\n  docs:\n    dri: docs\n  up:\n    dir: ../docs\n"
	for _, tt := range []struct {
		name     string
		contents map[string]string
		user     string
		status   replies.Status
		words    string
	}{
		{"none", map[string]string{"a.md": ""}, "", replies.StatusOK, ".sectile.yaml is not there; the defaults hold, and 'sectile guide init' writes one"},
		{"nothing in it", map[string]string{".sectile.yaml": "# nothing\n"}, "", replies.StatusOK, ".sectile.yaml: no category; anchors are those of github, for links.dialect isn't set"},
		{"a dialect", map[string]string{".sectile.yaml": "links:\n  dialect: gitlab\n"}, "", replies.StatusOK, "; anchors are those of gitlab, by links.dialect"},
		{
			"categories",
			map[string]string{".sectile.yaml": "categories:\n  a:\n    dir: a\n  b:\n    dir: b\ncollections:\n  c: [a]\n"},
			"", replies.StatusOK,
			".sectile.yaml: 2 categories, 1 collection; 'sectile guide validate' looks at what they hold",
		},
		{"the user's", map[string]string{"a.md": ""}, "categories:\n  a:\n    dir: /a\n", replies.StatusOK, "config.yaml: 1 category"},
		{"wrong", map[string]string{".sectile.yaml": wrong}, "", replies.StatusFailed, ".sectile.yaml:2:3: categories.docs: dir is missing"},
		{"wrong again", map[string]string{".sectile.yaml": wrong}, "", replies.StatusFailed, " more)"},
		{"the user's is wrong", map[string]string{"a.md": ""}, "categories: x\n", replies.StatusFailed, filepath.Join("sectile", "config.yaml") + ":1:13: categories: "},
		{"a folder", map[string]string{".sectile.yaml/a.md": ""}, "", replies.StatusFailed, "not_a_file: "},
		{"not UTF-8", map[string]string{".sectile.yaml": "\xff"}, "", replies.StatusFailed, "encoding_error"},
		{"too large", map[string]string{".sectile.yaml": strings.Repeat("#", 1<<20+1)}, "", replies.StatusFailed, "file_too_large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(user, "sectile", "config.yaml")
			_ = os.Remove(file) // the one of the case before, if any
			if tt.user != "" {
				if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
					t.Fatal(err)
				}
				testkit.WriteFile(t, file, tt.user)
			}
			r := Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Roots: []string{testkit.Folder(t, tt.contents)}, Version: "v1"}, Probe: answering})
			c := find(t, &r, "configuration")
			expect(t, c, tt.status, tt.words)
			if r.Failed != (tt.status == replies.StatusFailed) {
				t.Errorf("failed: %t", r.Failed)
			}
			if (c.Advice != "") != r.Failed {
				t.Errorf("advice: %q", c.Advice)
			}
		})
	}
}

// TestDoctorOrder makes every check once, those of a root for each, in the same
// order whatever takes how long.
func TestDoctorOrder(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Chdir(testkit.Folder(t, map[string]string{"a.md": ""}))
	for _, tt := range []struct {
		roots []string
		want  string
	}{
		{nil, "version path root configuration git jj journal server"},
		{[]string{".", t.TempDir()}, "version path root configuration root configuration git jj journal server"},
	} {
		r := Doctor(t.Context(), &DoctorRequest{Server: ServerOptions{Roots: tt.roots, Version: "v1"}, Probe: answering})
		var names []string
		for _, c := range r.Checks {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.roots, got, tt.want)
		}
		expect(t, r.Checks[0], replies.StatusOK, "sectile v1, built with go")
		expect(t, find(t, &r, "git"), replies.StatusWarning, "git is not in the PATH")
		expect(t, find(t, &r, "jj"), replies.StatusWarning, "jj is not in the PATH")
		expect(t, find(t, &r, "path"), replies.StatusWarning, "sectile is not in the PATH")
	}
}

func TestDoctorJSON(t *testing.T) {
	r, err := answering(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		report ProbeReport
		want   string
	}{
		{r, `{"protocol_version":"2026-07-28","server_name":"sectile","server_version":"v1","tools":["markdown_tree"],` +
			`"list_bytes":812,"first_reply_ms":12.3,"called":"markdown_tree","call_ms":0.7}`},
		{ProbeReport{}, `{"protocol_version":"","server_name":"","server_version":"","tools":[],"list_bytes":0,"first_reply_ms":0,"call_ms":0}`},
	} {
		got, err := json.Marshal(tt.report)
		if err != nil || string(got) != tt.want {
			t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
		}
	}
}

// TestToldOfJournal counts the changes that aren't told of beside those of which the same is to say.
func TestToldOfJournal(t *testing.T) {
	var stuck []string
	for range maxTold + 2 {
		stuck = append(stuck, "s")
	}
	if got, want := told(stuck)+told([]string{"back"})+told(nil), "; s; s; s; s; s; and so with 2 more; back"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
