package plan

import "strings"

// readHeader reads the first line by the first pattern that matches. What stands
// after the match is the ignored title.
func (g *grammar) readHeader(s string) (h Header, ignored string, ok bool) {
	for _, p := range g.header {
		m := &g.found
		*m = match{}
		end, found := p.match(s, m)
		if !found || m.text(s, groupType) == "" && m.text(s, groupTitle) == "" {
			continue
		}
		h = Header{
			Type: m.text(s, groupType), Scope: m.text(s, groupScope), Title: m.text(s, groupTitle), Breaking: m.text(s, groupBang) != "",
		}
		return h, strings.TrimSpace(s[end:]), true
	}
	return Header{}, "", false
}
