package markdown

// A Dialect says by which rule renderers make the anchors of headings: what stands
// after '#' in a link to one. Package address has the rules.
type Dialect uint8

// The dialects of anchors.
const (
	GitHub   Dialect = iota // github.com, and whoever follows it
	GitLab                  // GitLab's documented rules
	MkDocs                  // Python-Markdown's extension toc, as MkDocs sets it up
	Obsidian                // the text of a heading, and ^id at the end of a block
)

var dialectNames = [...]string{"github", "gitlab", "mkdocs", "obsidian"}

// String returns the dialect's name in lower case, such as "github", as [DialectNamed]
// takes it.
func (d Dialect) String() string { return dialectNames[min(int(d), len(dialectNames)-1)] }

// DialectNamed returns the dialect of a name, and whether there is one.
func DialectNamed(name string) (Dialect, bool) {
	for i, n := range dialectNames {
		if n == name {
			return Dialect(i), true
		}
	}
	return GitHub, false
}

// Dialects returns the names of all dialects, the usual one first.
func Dialects() []string { return append([]string(nil), dialectNames[:]...) }
