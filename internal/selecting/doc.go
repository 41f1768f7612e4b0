// Package selecting answers requests by selectors: what a document can be selected by, and the content of
// what a selector names in one document or many.
package selecting
