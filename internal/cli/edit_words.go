package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/replies"
)

// Errors about changes are made for the tools and name their arguments. On the
// command line those are flags and arguments of a command, or members of the
// objects that --edits holds, which are called as they are in the tools.

// wording is how errors call what a request has, and how that is called here.
type wording []map[string]string

var (
	// editWords, replaceWords and listWords are for an edit of a section, of a text,
	// and of a list.
	editWords = wording{fileWords, scopeWords, map[string]string{
		"expected_hash":                      "--expected-hash",
		"choose by occurrence":               "choose by --occurrence",
		"occurrence must be":                 "--occurrence must be",
		"give the version of the whole file": "use 'sectile replace --edits' with --expected-version",
		"action is missing":                  "ACTION is missing",
		"heading is missing":                 "ADDRESS is missing",
		"content is missing; send the new text, or an empty one and a scope to clear it": "the new text is missing; " +
			"give it with --content, --content-file or standard input, or give --content '' and a --scope to clear what is there",
		"content is missing;": "the new text is missing from --content, --content-file and standard input;",
	}}
	replaceWords = wording{fileWords, versionWords, map[string]string{
		"expected_hash":         "--expected-hash",
		"choose by occurrence":  "choose by --occurrence",
		"occurrence must be":    "--occurrence must be",
		"leave the address out": "leave --in out",
		"occurrence and expected_hash belong to a heading; name it": "--occurrence and --expected-hash belong to a section; name it with --in",
		"give more of what stands around it, or the section, or replace all of them": "give more of what stands around it, " +
			"or the section with --in, or replace all of them with --all",
	}}
	listWords = wording{fileWords, versionWords, map[string]string{
		"old_string, new_string and replace_all exclude edits; put them into edits": "--all and texts exclude --edits; " +
			"put them into the edits, as old_string, new_string and replace_all",
		"heading, occurrence and expected_hash stand in each of the edits; put them there": "--in, --occurrence and --expected-hash " +
			"exclude --edits; put them into each of the edits, as heading, occurrence and expected_hash",
		"edits is empty": "--edits is empty",
	}}

	fileWords = map[string]string{
		"allow_restructure": "--allow-restructure",
		"expected_version":  "--expected-version",
	}
	versionWords = map[string]string{"give the version of the whole file": "give its --expected-version"}
	scopeWords   = map[string]string{
		`give scope "body" to keep what is below, or "section" to drop it`: "give --scope body to keep what is below, or --scope section to drop it",
		`give scope "section" to drop them`:                                "give --scope section to drop them",
		`with the scope "body"`:                                            "with --scope body",
		"there is no scope ":                                               "there is no --scope ",
		"has no scope; leave it out":                                       "has no --scope; leave it out",
		"leave the scope out":                                              "leave --scope out",
		"give a scope":                                                     "give a --scope",
	}
)

// translate returns an error in the words of the command line. What it quotes stays
// as it is.
func (w wording) translate(e *replies.Error) *replies.Error {
	ours := map[string]string{}
	var found []string
	for _, table := range w {
		for word, called := range table {
			ours[word] = called
			found = append(found, regexp.QuoteMeta(word))
		}
	}
	// Of two that begin alike the longer one is meant.
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
	find := regexp.MustCompile(strings.Join(found, "|") + `|"(?:[^"\\]|\\.)*"`)
	translated := func(e *replies.Error) *replies.Error {
		told := *e
		told.Message = replies.Text(find.ReplaceAllStringFunc(e.Message.String(), func(text string) string {
			if called, ok := ours[text]; ok {
				return called
			}
			return text
		}))
		return &told
	}
	all := translated(e)
	all.Edits = slices.Clone(e.Edits)
	for i := range all.Edits {
		all.Edits[i].Error = translated(e.Edits[i].Error)
	}
	return all
}
