// Package reading answers requests about the parts of a document: its outline, a list of sections, their
// lines, and the text of what an address names, in a reply of limited length that accounts
// for every line it leaves out.
package reading
