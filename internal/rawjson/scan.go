package rawjson

import "iter"

// The scan looks at the outermost level alone and keeps the bytes as they are. It
// takes constant memory and stack, and makes do with what is not JSON, or not all
// of it.

// Parts returns the elements of an array, or the keys of an object, in their
// quotes, and its values by turns. It ends before the first that is not whole;
// nobody knows whether those before it are JSON.
func Parts(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := skipSpace(raw, 0)
		isObject := at(raw, i, '{')
		if !isObject && !at(raw, i, '[') {
			return
		}
		for isKey := isObject; ; isKey = isObject && !isKey {
			i = skipSpace(raw, i+1) // after a bracket, comma or colon
			end, ok := skipValue(raw, i)
			if !ok || isKey && raw[i] != '"' || !yield(raw[i:end:end]) {
				return
			}
			separator := byte(',')
			if isKey {
				separator = ':'
			}
			if i = skipSpace(raw, end); !at(raw, i, separator) {
				return
			}
		}
	}
}

// Fields returns the keys of an object, in their quotes, and their values, those
// that are whole. What is no object has none.
func Fields(raw []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		if !at(raw, skipSpace(raw, 0), '{') {
			return
		}
		var key []byte
		for part := range Parts(raw) {
			if key == nil {
				key = part
				continue
			}
			if !yield(key, part) {
				return
			}
			key = nil
		}
	}
}

// Nesting is the number of levels of arrays and objects in a value.
func Nesting(raw []byte) int {
	deepest, depth := 0, 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			end, ok := skipString(raw, i)
			if !ok {
				return deepest
			}
			i = end - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// at reports whether the byte at i is b.
func at(raw []byte, i int, b byte) bool { return i < len(raw) && raw[i] == b }

// skipSpace returns the first offset from i on that holds no white space.
func skipSpace(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\r' || raw[i] == '\n') {
		i++
	}
	return i
}

// skipString returns the offset after the string that begins at i.
func skipString(raw []byte, i int) (int, bool) {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1, true
		}
	}
	return len(raw), false
}

// skipValue returns the offset after the value that begins at i. A number or a
// word needs something after it: it could go on.
func skipValue(raw []byte, i int) (int, bool) {
	start, depth := i, 0
	for i < len(raw) {
		switch raw[i] {
		case '"':
			end, ok := skipString(raw, i)
			if !ok {
				return end, false
			}
			if i = end; depth == 0 {
				return i, true
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i, i > start
			}
			if depth--; depth == 0 {
				return i + 1, true
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i, i > start
			}
		}
		i++
	}
	return i, false
}
