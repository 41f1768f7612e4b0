// Package replies has what all replies are made with: errors as they are answered, the marks
// that divide a reply, texts cut and made safe to show, and JSON. The rooms above it, one
// for each kind of request, import it; it imports none of them.
package replies
