package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/replies"
)

// voice writes what a sentence names as a command line has it: arguments as its flags and
// arguments, requests as commands. Names that it doesn't have stay as they are, as those of
// the members of an object that --edits holds.
type voice map[replies.Arg]string

// with returns a voice that has other names too.
func (v voice) with(others voice) voice {
	all := maps.Clone(v)
	maps.Copy(all, others)
	return all
}

// flagsOf returns a voice that calls arguments as flags of their own names.
func flagsOf(args ...replies.Arg) voice {
	v := voice{}
	for _, arg := range args {
		v[arg] = "--" + strings.ReplaceAll(string(arg), "_", "-")
	}
	return v
}

// The voices of the commands.
var (
	readVoice = flagsOf(replies.Occurrence, replies.StartChar, replies.MaxChars, replies.Map).with(voice{
		replies.Heading: "an address", replies.Headings: "addresses", replies.CompleteMode: "--complete",
		replies.Lines: "--lines", replies.OneLine: "--lines", replies.StartLine: "the first line", replies.EndLine: "the last line",
	})
	fileVoice = flagsOf(replies.AllowRestructure).with(voice{replies.ExpectedCount: "--expect"})
	editVoice = fileVoice.with(flagsOf(replies.CreateMissing, replies.Links, replies.Occurrence, replies.ExpectedHash, replies.ExpectedVersion, replies.Rows, replies.Scope)).with(voice{
		replies.Action: "ACTION", replies.Heading: "ADDRESS", replies.Content: "--content, --content-file and standard input",
	})
	moveVoice = editVoice.with(flagsOf(replies.Order, replies.ToPath, replies.Create, replies.LeaveLink)).with(voice{
		replies.To: "--before, --after or --into", replies.Where: "--before, --after or --into",
	})
	replaceVoice = fileVoice.with(flagsOf(replies.Occurrence, replies.ExpectedHash, replies.ExpectedVersion, replies.Edits)).with(voice{
		replies.SearchedPart: "--in", replies.ReplaceAll: "--all", replies.OldString: "OLD", replies.NewString: "NEW",
	})
	// memberVoice is for the edits of a list, in which arguments are members of an object.
	memberVoice = fileVoice.with(flagsOf(replies.ExpectedVersion)).with(voice{replies.SearchedPart: string(replies.Heading), replies.ExpectedCount: string(replies.ExpectedCount)})
	planVoice   = flagsOf(replies.ExpectedVersion, replies.Force, replies.Clear, replies.PlanLines).with(voice{
		replies.ReplaceExisting: "--replace", replies.Description: "the description", replies.Constraints: "--constraint",
	})
)

// Argument implements replies.Voice.
func (v voice) Argument(arg replies.Arg) string {
	if name, ok := v[arg]; ok {
		return name
	}
	return string(arg)
}

// Request implements replies.Voice: the command that can be typed.
func (v voice) Request(call replies.Call) string {
	words := []string{"sectile", string(call.Verb)}
	for _, arg := range call.Args {
		words = append(words, v.Argument(arg))
	}
	return strings.Join(words, " ")
}

// IsPerson implements replies.Voice.
func (voice) IsPerson() bool { return true }

// spell returns an error in the voice, and those of the edits of a list in that of their
// members.
func (v voice) spell(err error) *replies.Error {
	e := replies.AsError(err)
	told := e.In(v)
	for i, failed := range slices.Clone(e.Edits) {
		told.Edits[i].Error = failed.In(memberVoice)
	}
	return told
}
