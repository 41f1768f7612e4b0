// Package render writes documents as HTML: blocks and inline content as CommonMark
// 0.31.2 and GFM 0.29 specify it for their examples, footnotes as GitHub does.
//
//	page := render.AppendHTML(nil, doc, render.Options{Safe: true})
//
// What is written is for people to look at: nothing in sectile reads it again, and no
// range is taken from it. Its size is bounded by that of the source, and the stack does
// not grow with the depth of a document.
//
// # Files
//
//   - render.go: the walk over blocks; leaf.go: code, HTML, tables; footnote.go: footnotes
//   - inline.go: inline content; picture.go: images that are written as HTML
//   - escape.go: text and addresses in HTML, and what is unsafe
package render
