package testkit

import "github.com/sectile/sectile/headings"

// OwnHeadings returns markers of headings that are the reader's own, such as laws are tried
// with beside the usual ones: lines that are common in documents and in seeds, with what other
// blocks begin with too.
func OwnHeadings() *headings.Set {
	own, err := headings.Compile(
		`2:\*\*(?<title>[^*]+)\*\*:?`, // **Bold**
		`1:== *(?<title>[^=].*?) *==`, // == Title ==
		`3:@[a-z]+ (?<title>.+)`,      // @chapter Title
		`4:[a-c]`, `6:text`, `5:Text\.`,
		`3:\[(?<title>[a-d])\].*`,                    // begins as a definition does
		`5:\|(?<title>[^|]*)\|`,                      // as a table does
		`2:(?<title>[A-Z][^.]*):`, `2:'(?<title>.+)`, // the title of a definition may go on there
	)
	if err != nil {
		panic(err)
	}
	return own
}
