package linking

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
)

// graphJSON is the form of graphs that is JSON.
const graphJSON = "json"

// Graphs are the names of the forms of graphs.
func Graphs() []string { return []string{"dot", "mermaid", graphJSON} }

// node is a section, or a document or file as a whole.
type node struct {
	ID       string `json:"id"`
	FilePath string `json:"file_path"`
	Anchor   string `json:"anchor,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// edge is a link from one node to another.
type edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Line int    `json:"line"` // of the link
}

// graphed is a graph that is put together.
type graphed struct {
	scan     *scan
	numbers  map[string]int
	Nodes    []node                            `json:"nodes"`
	Edges    []edge                            `json:"edges"`
	sections map[string]map[int]*address.Place // by path of a document and number of a section
}

// graph renders what links to what: sections as nodes, and each link that leads somewhere
// as an edge.
func (s *scan) graph(list []link, form string) []byte {
	g := &graphed{scan: s, numbers: map[string]int{}, sections: map[string]map[int]*address.Place{}, Nodes: []node{}, Edges: []edge{}}
	for i := range list {
		l := &list[i]
		if l.target.Status != links.OK || l.target.Path == "" {
			continue
		}
		to := -1
		if l.target.Place != nil {
			to = l.target.Place.Section
		}
		g.Edges = append(g.Edges, edge{g.node(l.page.Path, l.link.Section), g.node(l.target.Path, to), l.link.Line})
	}
	switch form {
	case "dot":
		return g.dot()
	case "mermaid":
		return g.mermaid()
	}
	return append(replies.JSON(g), '\n')
}

// node returns the id of a section's node, or of the document's if the section has no
// name.
func (g *graphed) node(name string, section int) string {
	n := node{FilePath: g.scan.path(name)}
	n.ID = n.FilePath
	if place := g.places(name)[section]; place != nil {
		n.Anchor, n.Line = place.Name, place.Line
		n.ID += "#" + place.Name
	}
	if _, known := g.numbers[n.ID]; !known {
		g.numbers[n.ID] = len(g.Nodes)
		g.Nodes = append(g.Nodes, n)
	}
	return n.ID
}

// places returns the places of the headings of a document by their sections.
func (g *graphed) places(name string) map[int]*address.Place {
	if known, ok := g.sections[name]; ok {
		return known
	}
	by := map[int]*address.Place{}
	all := g.scan.set.PlacesAt(name)
	for i := range all {
		if p := &all[i]; by[p.Section] == nil && (p.Kind == address.HeadingPlace || p.Kind == address.AttributePlace) {
			by[p.Section] = p
		}
	}
	g.sections[name] = by
	return by
}

// dot renders the graph in the language of Graphviz.
func (g *graphed) dot() []byte {
	var b bytes.Buffer
	b.WriteString("digraph links {\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d [label=%s];\n", i, dotString(n.ID))
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  n%d -> n%d;\n", g.numbers[e.From], g.numbers[e.To])
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// dotString returns a text in quotes, as Graphviz reads it.
func dotString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(replies.Safe(s)) + `"`
}

// mermaid renders the graph in the language of Mermaid.
func (g *graphed) mermaid() []byte {
	var b bytes.Buffer
	b.WriteString("flowchart LR\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d[\"%s\"]\n", i, mermaidText(n.ID))
	}
	for _, e := range g.Edges {
		b.WriteString("  n" + strconv.Itoa(g.numbers[e.From]) + " --> n" + strconv.Itoa(g.numbers[e.To]) + "\n")
	}
	return b.Bytes()
}

// mermaidText returns a text that stands in quotes, in which Mermaid reads entities.
func mermaidText(s string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;").Replace(replies.Safe(s))
}
