package reading

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// FuzzCompleteAddress completes any text for any document: each address that is offered
// stands for its heading alone (checkCompletion).
func FuzzCompleteAddress(f *testing.F) {
	for _, typed := range []string{"", "G", "guide > ", "Inst", "## Use *", `A \> B >`, "# ", "h2.", "@", "\xff", "######"} {
		f.Add([]byte(installs), typed)
		f.Add([]byte("#\n\n##\n\n# A\n\n# a\n\n# `A`\n\n# h1.0\n\n# L1\n\n# #a\n\n# @document\n\nA\nB\n===\n"), typed)
	}
	f.Add(testkit.SmallFixture().Source, "s")
	f.Fuzz(func(t *testing.T, src []byte, typed string) {
		doc, err := markdown.Parse(src)
		if err != nil {
			t.Skip()
		}
		if err := checkCompletion(doc, typed); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	})
}
