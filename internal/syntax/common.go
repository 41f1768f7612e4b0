package syntax

import "bytes"

// compared is the number of bytes that are compared at once.
const compared = 4096

// CommonPrefix returns the number of bytes that both begin with.
func CommonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for i+compared <= n && bytes.Equal(a[i:i+compared], b[i:i+compared]) {
		i += compared
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// CommonSuffix returns the number of bytes that both end with.
func CommonSuffix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for i+compared <= n && bytes.Equal(a[len(a)-i-compared:len(a)-i], b[len(b)-i-compared:len(b)-i]) {
		i += compared
	}
	for i < n && a[len(a)-i-1] == b[len(b)-i-1] {
		i++
	}
	return i
}
