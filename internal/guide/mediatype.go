package guide

import (
	"path"
	"strings"
)

// The table is our own: the one of package mime reads files of the host, and the
// same category must give the same message everywhere. Whatever is served has
// been found to be UTF-8, so text is what is not known.

const plainText = "text/plain"

// mediaTypes tells the type by extension, in lower case.
var mediaTypes = map[string]string{
	".md":       "text/markdown", // RFC 7763
	".markdown": "text/markdown",
	".mdown":    "text/markdown",
	".mkd":      "text/markdown",
	".mdx":      "text/markdown",
	".mdc":      "text/markdown", // rules for agents
	".txt":      plainText,
	".text":     plainText,
	".html":     "text/html",
	".htm":      "text/html",
	".css":      "text/css",
	".csv":      "text/csv",                  // RFC 4180
	".tsv":      "text/tab-separated-values", // IANA
	".js":       "text/javascript",           // RFC 9239
	".mjs":      "text/javascript",
	".xml":      "text/xml",         // RFC 7303; a charset outranks what the document says of itself
	".json":     "application/json", // RFC 8259
	".yaml":     "application/yaml", // RFC 9512
	".yml":      "application/yaml",
	".toml":     "application/toml", // IANA
	".svg":      "image/svg+xml",
}

// ContentType returns the media type of a file by its name, with a character set
// if it is a text type. Other types of the table have none, for their own
// specifications know no such parameter and fix UTF-8: JSON (RFC 8259, sections
// 8.1 and 11), YAML (RFC 9512, section 2.1) and TOML; SVG says it in itself.
func ContentType(name string) string {
	kind, ok := mediaTypes[strings.ToLower(path.Ext(name))]
	if !ok {
		kind = plainText
	}
	if strings.HasPrefix(kind, "text/") {
		return kind + "; charset=utf-8"
	}
	return kind
}
