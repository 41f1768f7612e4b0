// Package selecting answers requests by selectors: what a document can be selected by, and the content of
// what a selector names in one document or many.
//
// Which file holds what:
//
//   - index.go: the request for an inventory; inventory.go: its texts; index_json.go: JSON;
//     index_reply.go, index_fit.go: as much of it as a reply holds
//   - select.go: the request for content; effort.go: how much a selector may cost;
//     content.go, format.go: the content; json.go: JSON; fit.go, note.go: as much of it as a
//     reply holds, and the note for the rest
//   - address.go: other addresses in the place of a selector
//   - suggest.go: which selector was meant; complete.go, complete_part.go: shells
package selecting
