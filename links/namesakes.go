package links

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
)

// A folder may have thousands of documents of one name, and a document thousands of links to
// it, so that a link must not look at each.

// namesakes are the documents of one name, in any folders.
type namesakes struct {
	sorted sync.Once // when they are asked for, by which all are added
	list   []namesake
}

// namesake is a document with its path from the end on.
type namesake struct {
	page *Page
	key  string
}

// maxFits is the number of documents that an ambiguous link tells of.
const maxFits = 10

// endingWith returns the documents, at most maxFits, whose paths end with these names, none
// for nil.
func (n *namesakes) endingWith(names string) []*Page {
	if n == nil {
		return nil
	}
	n.sorted.Do(func() {
		for i := range n.list {
			p := n.list[i].page.Path
			n.list[i].key = fromTheEnd(strings.TrimSuffix(p, path.Ext(p)))
		}
		slices.SortFunc(n.list, func(a, b namesake) int { return cmp.Compare(a.key, b.key) })
	})
	key := fromTheEnd(names)
	at, _ := slices.BinarySearchFunc(n.list, key, func(s namesake, key string) int { return cmp.Compare(s.key, key) })
	var fit []*Page
	for ; at < len(n.list) && len(fit) < maxFits && strings.HasPrefix(n.list[at].key, key); at++ {
		fit = append(fit, n.list[at].page)
	}
	return fit
}

// fromTheEnd returns the names of a path, folded and with a slash before the first, the last
// byte first.
func fromTheEnd(name string) string {
	key := []byte("/" + fold(name))
	slices.Reverse(key)
	return string(key)
}
