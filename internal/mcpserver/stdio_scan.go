package mcpserver

// A scan over JSON that looks at the outermost level alone and keeps the bytes as
// they are. It takes constant memory and stack, and makes do with what is not
// JSON, or not all of it.

// scanObject calls visit with each key of an object, in its quotes, and its value.
// It is false if raw is not an object; what was visited before is as it stands
// there, except that nobody knows whether it is JSON.
func scanObject(raw []byte, visit func(key, value []byte)) bool {
	i := skipSpace(raw, 0)
	if !at(raw, i, '{') {
		return false
	}
	if i = skipSpace(raw, i+1); at(raw, i, '}') {
		return true
	}
	for at(raw, i, '"') {
		keyEnd, ok := skipString(raw, i)
		colon := skipSpace(raw, keyEnd)
		if !ok || !at(raw, colon, ':') {
			return false
		}
		start := skipSpace(raw, colon+1)
		end, ok := skipValue(raw, start)
		if !ok {
			return false
		}
		visit(raw[i:keyEnd], raw[start:end])
		i = skipSpace(raw, end)
		if at(raw, i, '}') {
			return true
		}
		if !at(raw, i, ',') {
			return false
		}
		i = skipSpace(raw, i+1)
	}
	return false
}

// splitArray returns the elements of an array, the first of them if there are more
// than most. It is false if raw is not an array.
func splitArray(raw []byte, most int) ([][]byte, bool) {
	i := skipSpace(raw, 0)
	if !at(raw, i, '[') {
		return nil, false
	}
	if i = skipSpace(raw, i+1); at(raw, i, ']') {
		return nil, true
	}
	var elements [][]byte
	for len(elements) < most {
		end, ok := skipValue(raw, i)
		if !ok {
			return nil, false
		}
		elements = append(elements, raw[i:end:end])
		i = skipSpace(raw, end)
		if at(raw, i, ']') {
			return elements, true
		}
		if !at(raw, i, ',') {
			return nil, false
		}
		i = skipSpace(raw, i+1)
	}
	return elements, true
}

// nesting is the number of levels of arrays and objects in a value.
func nesting(raw []byte) int {
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
// word needs something behind it: it could go on.
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
