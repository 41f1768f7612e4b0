package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

// anyParams and anyResult are a custom method's as they are on the wire.
type anyParams struct {
	mcp.ParamsBase
	URI    string `json:"uri,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

type anyResult struct {
	mcp.ResultBase
	fields map[string]any
}

func (r *anyResult) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &r.fields) }

// skillSession connects a client of a revision of the protocol to a server that
// has the skill and nothing else.
func skillSession(t *testing.T, revision string) *mcp.ClientSession {
	t.Helper()
	capabilities := &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{}}
	capabilities.AddExtension(skillCapability())
	server := mcp.NewServer(&mcp.Implementation{Name: "sectile", Version: "1"}, &mcp.ServerOptions{Capabilities: capabilities})
	if err := addSkill(server); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	for _, method := range []string{"skills/list", "skills/get"} {
		if err := mcp.AddSendingCustomMethod[*anyParams, *anyResult](client, method); err != nil {
			t.Fatal(err)
		}
	}
	near, far := mcp.NewInMemoryTransports()
	serving, err := server.Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(t.Context(), near, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = session.Close(), serving.Wait() })
	if got := session.InitializeResult().ProtocolVersion; got != revision {
		t.Fatalf("the revision is %s, want %s", got, revision)
	}
	return session
}

// callSkills calls a method of the extension and returns its result as it came.
func callSkills(ctx context.Context, s *mcp.ClientSession, method string, p *anyParams) (map[string]any, error) {
	r, err := mcp.CallCustomMethod[*anyParams, *anyResult](ctx, s, method, p)
	if err != nil {
		return nil, err
	}
	delete(r.fields, "_meta") // the library's own, about the server
	return r.fields, nil
}

func TestSkillExtension(t *testing.T) {
	for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			s := skillSession(t, revision)
			extensions := s.InitializeResult().Capabilities.Extensions
			if diff := cmp.Diff(map[string]any{"io.modelcontextprotocol/skills": map[string]any{}}, extensions); diff != "" {
				t.Errorf("extensions (-want +got):\n%s", diff)
			}
			const uri = "skill://sectile/SKILL.md"
			read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil {
				t.Fatal(err)
			}
			content := read.Contents[0]
			if content.Text != doctor.Skill().Text || content.MIMEType != "text/markdown" || content.URI != uri {
				t.Errorf("the resource is %+v", content)
			}
			// What a host checks: the digest and the size of what it reads, and the
			// front matter in it.
			name, description := frontMatter(t, content.Text)
			entry := map[string]any{
				"uri":         uri,
				"frontmatter": map[string]any{"name": name, "description": description},
				"resources": []any{map[string]any{
					"uri":    uri,
					"digest": fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(content.Text))),
					"size":   float64(len(content.Text)),
				}},
			}
			list, err := callSkills(t.Context(), s, "skills/list", &anyParams{})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]any{
				"skills": []any{entry}, "resultType": "complete", "ttlMs": float64(3_600_000), "cacheScope": "private",
			}
			if diff := cmp.Diff(want, list); diff != "" {
				t.Errorf("skills/list (-want +got):\n%s", diff)
			}
			one, err := callSkills(t.Context(), s, "skills/get", &anyParams{URI: uri})
			if err != nil {
				t.Fatal(err)
			}
			delete(want, "skills")
			want["skill"] = entry
			if diff := cmp.Diff(want, one); diff != "" {
				t.Errorf("skills/get (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSkillResource lists the file among the resources, for clients that know
// nothing of skills.
func TestSkillResource(t *testing.T) {
	s := skillSession(t, "2026-07-28")
	list, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	file := doctor.Skill()
	skill := slices.DeleteFunc(list.Resources, func(r *mcp.Resource) bool { return r.URI == cacheURI })
	want := []*mcp.Resource{{
		URI: "skill://sectile/SKILL.md", Name: "sectile", Description: file.Description,
		MIMEType: "text/markdown", Size: int64(len(file.Text)),
	}}
	if diff := cmp.Diff(want, skill); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

func TestSkillErrors(t *testing.T) {
	s := skillSession(t, "2026-07-28")
	for _, tt := range []struct {
		method string
		params *anyParams
	}{
		{"skills/get", &anyParams{}},
		{"skills/get", &anyParams{URI: "skill://sectile"}},
		{"skills/get", &anyParams{URI: "skill://other/SKILL.md"}},
		{"skills/get", &anyParams{URI: strings.Repeat("x", 100_000)}},
		{"skills/list", &anyParams{Cursor: "2"}},
	} {
		_, err := callSkills(t.Context(), s, tt.method, tt.params)
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || len(wire.Message) > 200 {
			t.Errorf("%s %.100v: %v, want a short error %d", tt.method, tt.params, err, jsonrpc.CodeInvalidParams)
		}
	}
	for _, uri := range []string{"skill://sectile/other.md", "skill://sectile/", "skill://sectile/../SKILL.md"} {
		_, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("reading %s: %v, want error %d", uri, err, jsonrpc.CodeInvalidParams)
		}
	}
}

// frontMatter reads the two fields that the file may have. They must be plain
// scalars of YAML, which a host reads as they stand there.
func frontMatter(t *testing.T, text string) (name, description string) {
	t.Helper()
	m := regexp.MustCompile(`^---\nname: (.+)\ndescription: (.+)\n---\n`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("the file does not begin with front matter of a name and a description:\n%.300s", text)
	}
	for _, value := range m[1:] {
		if strings.ContainsAny(value[:1], "-?:,[]{}#&*!|>'\"%@` ") || strings.Contains(value, ": ") ||
			strings.Contains(value, " #") || strings.TrimSpace(value) != value {
			t.Errorf("%q is no plain scalar", value)
		}
	}
	return m[1], m[2]
}

// TestSkillFile holds the file to the rules of agentskills.io, and to the tools
// that there are.
func TestSkillFile(t *testing.T) {
	file := doctor.Skill()
	name, description := frontMatter(t, file.Text)
	if name != file.Name || description != file.Description {
		t.Errorf("doctor.Skill says %q and %q, the file %q and %q", file.Name, file.Description, name, description)
	}
	if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(name) || len(name) > 64 {
		t.Errorf("the name %q breaks the rules", name)
	}
	if n := len([]rune(description)); n > 1024 {
		t.Errorf("the description has %d characters, at most 1024 are allowed", n)
	}
	if n := strings.Count(file.Text, "\n"); n >= 100 || !strings.HasSuffix(file.Text, "\n") {
		t.Errorf("the file has %d lines, want fewer than 100 and an end to the last one", n)
	}

	arguments := map[string][]string{}
	var names []string
	for _, tool := range allTools() {
		names = append(names, tool.name)
		for _, a := range tool.args {
			arguments[tool.name] = append(arguments[tool.name], a.Name)
		}
	}
	slices.Sort(names)
	mentioned := regexp.MustCompile(`\b((markdown|mdsel)_\w+|read_file|search_sections|list_documents|list_links|list_changes|undo_change|diff_sections|edit_section|edit_file|move_section|(create|move|delete)_document|get_category_content|list_categories|gather_requirements|set_(overarching_goal|detailed_goal|plan)|mark_task|finish_job|new_commit)\b`).FindAllString(file.Text, -1)
	slices.Sort(mentioned)
	if diff := cmp.Diff(names, slices.Compact(mentioned)); diff != "" {
		t.Errorf("tools in the file (-there are +mentioned):\n%s", diff)
	}
	calls := regexp.MustCompile("`(\\w+) \\{([^}]*)\\}`").FindAllStringSubmatch(file.Text, -1)
	var called []string
	for _, call := range calls {
		called = append(called, call[1])
		for arg := range strings.SplitSeq(call[2], ", ") {
			if !slices.Contains(arguments[call[1]], arg) {
				t.Errorf("%s has no argument %s", call[1], arg)
			}
		}
	}
	slices.Sort(called)
	if diff := cmp.Diff(names, slices.Compact(called)); diff != "" {
		t.Errorf("tools in calls (-there are +shown):\n%s", diff)
	}
}
