package guide

import "bytes"

// Encoded returns how many bytes a text takes in the answer of a server, which is JSON
// in a text of JSON: a control character takes 7, one of < > & takes 6, a
// quote or a backslash 4, a line break 3.
func Encoded(text []byte) int64 {
	n := int64(len(text))
	for _, b := range text {
		n += int64(more[b])
	}
	const perSeparator = 4 // beside the 3 bytes of their own
	return n + perSeparator*int64(bytes.Count(text, []byte("\u2028"))+bytes.Count(text, []byte("\u2029")))
}

// more is how many bytes beside its own a byte takes in JSON in JSON.
var more = func() (more [256]uint8) {
	for b := range byte(' ') {
		more[b] = 6
	}
	for _, b := range []byte("\b\f\n\r\t") {
		more[b] = 2
	}
	for _, b := range []byte(`"\`) {
		more[b] = 3
	}
	for _, b := range []byte("<>&") {
		more[b] = 5
	}
	return more
}()

// room returns how much of the bytes of a reply a file takes: its size, which is all for a
// text that people read, or half of what it is in an answer if that is more. So what an
// answer has of files is at most twice as large as a reply may be, whatever it is made of.
func room(path string, content []byte) int64 {
	if content == nil { // it wasn't asked for
		return 0
	}
	// Of the path, which stands in the header of a part with three bytes for one, only so
	// much is free.
	const freePath = 256
	return max(int64(len(content)), (Encoded(content)+3*int64(max(0, len(path)-freePath))+1)/2)
}
