package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

// The skills extension (SEP-2640, modelcontextprotocol/ext-skills): a skill is a
// folder of resources below skill://, and two methods tell which there are, with
// what their files say of themselves and how they can be checked. There is one
// skill, of one file.

const (
	skillExtension = "io.modelcontextprotocol/skills"
	skillScheme    = "skill://"
	skillType      = "text/markdown"

	methodListSkills = "skills/list"
	methodGetSkill   = "skills/get"
)

// skillCapability is what the server says of the extension: that it is there,
// without the optional reading of folders.
func skillCapability() (name string, settings map[string]any) {
	return skillExtension, map[string]any{}
}

// skillEntry describes a skill.
type skillEntry struct {
	URI         string           `json:"uri"` // of its SKILL.md
	Frontmatter skillFrontmatter `json:"frontmatter"`
	Resources   []skillResource  `json:"resources"` // every file
}

// skillFrontmatter is the front matter of the file: all of it, as hosts compare
// the two.
type skillFrontmatter struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// skillResource is a file of a skill.
type skillResource struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"` // "sha256:" and 64 hexadecimal digits
	Size   int    `json:"size"`   // in bytes
}

// skillResult is what both results have in common. The protocol wants the type
// since 2026-07-28; in older revisions it is a field that nobody looks at.
type skillResult struct {
	mcp.ResultBase
	mcp.Cacheable
	ResultType string `json:"resultType"`
}

func newSkillResult() skillResult {
	return skillResult{Cacheable: mcp.Cacheable{TTLMs: listTTL, CacheScope: "private"}, ResultType: "complete"}
}

type listSkillsParams struct {
	mcp.ParamsBase
	Cursor string `json:"cursor,omitempty"`
}

type listSkillsResult struct {
	skillResult
	Skills []skillEntry `json:"skills"`
}

type getSkillParams struct {
	mcp.ParamsBase
	URI string `json:"uri"`
}

type getSkillResult struct {
	skillResult
	Skill skillEntry `json:"skill"`
}

// addSkill adds the skill to a server: its file as a resource, and the methods of
// the extension.
func addSkill(s *mcp.Server) error {
	file := doctor.Skill()
	uri := skillScheme + file.Name + "/SKILL.md"
	sum := sha256.Sum256([]byte(file.Text))
	entry := skillEntry{
		URI:         uri,
		Frontmatter: skillFrontmatter{Name: file.Name, Description: file.Description},
		Resources:   []skillResource{{URI: uri, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: len(file.Text)}},
	}
	s.AddResource(&mcp.Resource{
		URI: uri, Name: file.Name, Description: file.Description, MIMEType: skillType, Size: int64(len(file.Text)),
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{
			Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: skillType, Text: file.Text}},
		}, nil
	})
	err := mcp.AddReceivingCustomMethod(s, methodListSkills,
		func(_ context.Context, _ *mcp.ServerSession, p *listSkillsParams) (*listSkillsResult, error) {
			if p != nil && p.Cursor != "" { // there is one page, and so no cursor was given out
				return nil, invalidParams("the list of skills has one page; ask for it without a cursor")
			}
			return &listSkillsResult{newSkillResult(), []skillEntry{entry}}, nil
		})
	if err != nil {
		return err
	}
	return mcp.AddReceivingCustomMethod(s, methodGetSkill,
		func(_ context.Context, _ *mcp.ServerSession, p *getSkillParams) (*getSkillResult, error) {
			if p == nil || p.URI != uri {
				return nil, invalidParams("no skill is served at this address; there is " + uri)
			}
			return &getSkillResult{newSkillResult(), entry}, nil
		})
}
