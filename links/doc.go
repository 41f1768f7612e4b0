// Package links says where the links of Markdown documents lead, changes them without
// touching anything else, and proves that a change has broken none.
//
//	set := links.NewSet(links.Options{Look: look})
//	for name, doc := range documents {
//		set.Add(links.NewPage(name, doc))
//	}
//	for _, page := range set.Pages() {
//		for i := range page.Links {
//			target := set.Resolve(page, &page.Links[i])
//			…
//		}
//	}
//
// # What to use when
//
//   - [NewPage] takes from a document what others need of it, its links and the names that
//     links can lead to, and doesn't keep it: so a set can be larger than memory.
//   - [Set.Resolve] for what a link leads to: a [Target], with a [Status] and, where there
//     is one, a [Reason].
//   - [SetFragment] and [SetPath] for a [Splice] that makes a link lead elsewhere, in the
//     style in which it is written.
//   - [Shift.Keep] for the splices that keep links when a section moves to another document,
//     or a document to another path.
//   - [Set.Map] before and after a change, and [Compare], for the proof that all links lead
//     where they led; [Rename] for the splices that keep them there when a heading is
//     renamed.
//
// # What holds
//
// A link is broken only if the documents show it: a target that others may make, that lies
// outside, or that nobody has looked at is unknown. Nothing is fetched, and a destination
// with a scheme, whichever it is, is external and isn't looked at any further. Paths are
// relative to one folder, with slashes; one that leads out of it, however it is encoded,
// leads nowhere.
//
// A splice replaces a destination, or the fragment in it, and nothing else.
//
// Resolving a link takes time that doesn't depend on how many documents, links and
// headings there are. The package does no input or output and keeps nothing between calls.
//
// # Files
//
//   - page.go: what is taken from a document; destination.go, resolve.go, namesakes.go: where a link leads
//   - rewrite.go: splices; proof.go: what has changed between two maps, and renaming;
//     retitled.go: which changes renames would have made;
//     shift.go: sections and documents that lie elsewhere
package links
