package markdown

// StreamIn is Stream with pieces of so many bytes, if they can be cut there.
var StreamIn = streamIn
