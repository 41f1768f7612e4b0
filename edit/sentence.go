package edit

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// How things are named in the sentences of errors and warnings.

// quoted renders an argument in an error.
func quoted(s string) string {
	const most = 80 // bytes
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}

// names lists actions in a sentence.
func names(actions []Action) string {
	all := make([]string, len(actions))
	for i, a := range actions {
		all[i] = string(a)
	}
	return strings.Join(all, ", ")
}

// kindName names a kind of block in a sentence.
func kindName(k markdown.Kind) string { return strings.ReplaceAll(k.String(), "_", " ") }
