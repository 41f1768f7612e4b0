package main

import "os"

// others is what is in the repository and was written by others. None of it is in the
// program or in a package.
var others = []struct {
	paths              []string
	from, licence, why string
}{
	{
		[]string{"markdown/testdata/spec"},
		"the examples of the specifications of CommonMark 0.31.2, by John MacFarlane, and of GitHub Flavored Markdown",
		"CC-BY-SA-4.0", "unchanged, beside block trees of ours; README.md there says so",
	},
	{
		[]string{"internal/guide/testdata/rfc2046"},
		"examples of messages from RFC 2046, by N. Freed and N. Borenstein",
		"that of RFCs, which may be copied", "what the parser must read is told by these examples",
	},
	{
		[]string{"packaging/testdata/registry"},
		"the schema of entries of the MCP registry, by the MCP project, from github.com/modelcontextprotocol/registry v1.8.7",
		"Apache-2.0, MIT", "unchanged; server.json is compared with it",
	},
}

// missing returns an error if one of the paths is not there.
func missing() error {
	for _, o := range others {
		for _, path := range o.paths {
			if _, err := os.Stat(path); err != nil {
				return err
			}
		}
	}
	return nil
}
