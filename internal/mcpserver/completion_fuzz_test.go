package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/runes"
)

// FuzzCompletion completes anything that is typed for any argument. What comes is a list
// that the protocol allows, or an error that is not long; a document's path and anchor
// that are offered can be read, and so can a guide's.
func FuzzCompletion(f *testing.F) {
	for _, typed := range []string{
		"", "g", "GUIDE", "guide.md#", "guide.md#us", "a%20", "%zz", "guide.md#%", "../", "/", "\x00", "\xff", "sub/#", "rules", "style.md#", "Usage >", "# ", "größe",
	} {
		f.Add(uint8(0), typed, "guide.md", "path", docTemplate)
		f.Add(uint8(0), typed, "rules", "path", guiding.GuideTemplate)
		f.Add(uint8(0), typed, typed, "name", guiding.GuideTemplate)
		f.Add(uint8(1), typed, "guide.md", "section", promptReview)
		f.Add(uint8(1), typed, typed, "file_path", promptReview)
	}
	f.Add(uint8(1), "", "", "goal", promptPlan)
	f.Add(uint8(2), "", "", "", "")
	dir := docs(f, guided(map[string]string{
		"guide.md": guide, "a b.md": "# A  b\n\n# a b\n\n## C > d\n\n#\n", "größe.md": "# Größe\n\n# <b>x</b> & \u202ey\n", "sub/%.md": "# 100 %\n\n# `#`\n", "sub/what?#1.md": "# A\n",
	}))
	s := start(f, doctor.ServerOptions{Roots: []string{dir}})
	session := connect(f, s, "", nil)
	kinds := []string{"ref/resource", "ref/prompt", "ref/tool"}
	f.Fuzz(func(t *testing.T, kind uint8, typed, other, argument, named string) {
		p := &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: kinds[int(kind)%len(kinds)]}}
		if p.Ref.Type == "ref/resource" {
			p.Ref.URI = named
		} else {
			p.Ref.Name = named
		}
		p.Argument.Name, p.Argument.Value = argument, typed
		p.Context = &mcp.CompleteContext{Arguments: map[string]string{"file_path": other, "name": other}}
		result, err := s.complete(t.Context(), &mcp.CompleteRequest{Params: p})
		if err != nil {
			checkResourceError(t, dir, err)
			return
		}
		values := result.Completion.Values
		if values == nil || len(values) > maxCompletions {
			t.Fatalf("%d values (nil: %v)", len(values), values == nil)
		}
		for _, v := range values {
			if (utf8.ValidString(typed) && !utf8.ValidString(v)) || strings.Contains(v, dir) {
				t.Errorf("%q offers %q", typed, v)
			}
			switch argument {
			case "file_path":
				_, _, err = s.outline(t.Context(), v)
			case "path":
				err = readValue(session, named, other, v)
			}
			if err != nil {
				t.Errorf("%q offers %q of %q, which can't be read: %v", typed, v, other, err)
			}
		}
	})
}

// readValue reads the resource that a value of {+path} stands for: in the template as it
// is expanded by the rules, and put there as it is.
func readValue(session *mcp.ClientSession, template, name, value string) error {
	plain := strings.NewReplacer("{name}", name, "{+path}", value)
	expanded := strings.NewReplacer("{name}", url.PathEscape(name), "{+path}", reserved(value))
	for _, r := range []*strings.Replacer{plain, expanded} {
		uri := r.Replace(template)
		if _, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri}); err != nil {
			return fmt.Errorf("%s: %w", uri, err)
		}
	}
	return nil
}

// reserved encodes a value for {+path}, as RFC 6570, section 3.2.3, has it.
func reserved(value string) string {
	encoded := ""
	for i := range len(value) {
		isLetter := value[i] < utf8.RuneSelf && (unicode.IsLetter(rune(value[i])) || unicode.IsDigit(rune(value[i])))
		_, err := url.PathUnescape(value[i:min(i+3, len(value))])
		if isLetter || strings.IndexByte("-._~:/?#[]@!$&'()*+,;=", value[i]) >= 0 || value[i] == '%' && err == nil {
			encoded += value[i : i+1]
		} else {
			encoded += fmt.Sprintf("%%%02X", value[i])
		}
	}
	return encoded
}

// FuzzPrompts asks for the prompts with any arguments. What comes is one message with
// what the user wants and the outline or plan, or an error that is not long and names no
// place on this machine.
func FuzzPrompts(f *testing.F) {
	for _, path := range []string{"guide.md", "a b.md", "no.md", "", "..", "/etc/passwd", "docs", "\x00", "guide.md#usage", "bin.md"} {
		f.Add(path, "Usage", "the words", "a goal")
	}
	f.Add("guide.md", "\"\n\n## Ignore", "\u202e", "```\n# x")
	f.Add("guide.md", "", "", strings.Repeat("ü", 3000))
	dir := docs(f, map[string]string{"guide.md": guide, "a b.md": "", "bin.md": "\x00\x01"})
	s := start(f, doctor.ServerOptions{Roots: []string{dir}})
	f.Fuzz(func(t *testing.T, path, section, focus, goal string) {
		for _, text := range []*string{&path, &section, &focus, &goal} {
			*text = strings.ToValidUTF8(*text, "\uFFFD") // as the decoder of JSON does
		}
		get := func(prompt mcp.PromptHandler, arguments map[string]string) string {
			result, err := prompt(t.Context(), &mcp.GetPromptRequest{Params: &mcp.GetPromptParams{Arguments: arguments}})
			if err != nil {
				checkResourceError(t, dir, err)
				return ""
			}
			if len(result.Messages) != 1 || result.Messages[0].Role != "user" {
				t.Fatalf("%+v", result)
			}
			text := result.Messages[0].Content.(*mcp.TextContent).Text
			if !utf8.ValidString(text) || strings.Contains(text, dir) {
				t.Errorf("%q", text)
			}
			return text
		}
		review := get(s.reviewDocument, map[string]string{"file_path": path, "section": section, "focus": focus})
		first, _, _ := strings.Cut(review, "\n")
		switch {
		case path == "guide.md" && review == "":
			t.Error("there is no review of guide.md")
		case review == "":
		case !strings.Contains(review, focus) || !strings.HasSuffix(first, "."):
			t.Errorf("path %q, section %q, focus %q: %q", path, section, focus, review)
		case path == "guide.md" && !strings.Contains(review, "Usage"):
			t.Errorf("without the outline: %q", review)
		}
		plan := get(s.planChange, map[string]string{"goal": goal})
		if goal = strings.TrimSpace(goal); !strings.Contains(plan, runes.Clip(goal, maxPromptGoal)) || utf8.RuneCountInString(plan) > defaultMaxChars {
			t.Errorf("goal %q: %q", goal, plan)
		}
	})
}
