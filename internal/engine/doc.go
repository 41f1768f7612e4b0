// Package engine keeps sections of documents in a search engine, OpenSearch, and finds those that
// a query may be about, where there are too many documents for one machine to look at. It uses
// of its interface what Elasticsearch answers too.
//
// The engine is given words as package search takes them, so that it counts the same words, and
// it only finds: what it returns is scored again by package search. What it answers is hostile
// until shown otherwise, and so are its redirects, which aren't followed.
//
// An index has two kinds of records. One for each section: its words, its text up to the first
// subsection, the headings around it. And one for each document, which is written after all its
// sections, and removed after them: what has no record of its document, or one with another hash,
// is fed again. Each record has a version, a number that grows with every push of the document,
// so that what comes late never replaces what is newer.
//
// Which file holds what:
//
//   - client.go: addresses, requests, errors; answer.go: what an answer may take; credentials.go: what they are signed with
//   - index.go: the index and its fields; record.go: what is kept of a document
//   - bulk.go: records written and removed, again if the engine is busy; feed.go: those of a root
//   - query.go: queries as the engine's; find.go: what it counts and finds
package engine
