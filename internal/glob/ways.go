package glob

import "strings"

// What a pattern stands for is read by units: a class of characters, a backslash with what it takes as
// it is, or a byte. Braces, commas and separators that are part of a larger unit mean nothing.

// unit returns the length of the unit at the start of a pattern that isn't empty.
func unit(pattern string) int {
	switch pattern[0] {
	case '\\':
		return min(2, len(pattern))
	case '[':
		for i := 1; i < len(pattern); i++ {
			switch pattern[i] {
			case '\\':
				i++
			case ']':
				return i + 1
			}
		}
	}
	return 1
}

// alternatives returns the patterns without braces that a pattern stands for, and of more than
// maxAlternatives one more than these.
func alternatives(pattern string) (list []string) {
	for left := []string{pattern}; len(left) > 0 && len(list) <= maxAlternatives; {
		next := left[len(left)-1]
		left = left[:len(left)-1]
		before, inside, after := braces(next)
		if inside == nil {
			list = append(list, before)
		}
		for _, text := range inside {
			left = append(left, before+text+after)
		}
	}
	return list
}

// braces returns what is before the first braces of a pattern, the texts in them, and what is after;
// all is before them if there are none.
func braces(pattern string) (before string, inside []string, after string) {
	depth, from := 0, 0
	for i := 0; i < len(pattern); i += unit(pattern[i:]) {
		switch c := pattern[i]; {
		case c == '{':
			if depth++; depth == 1 {
				before, from = pattern[:i], i+1
			}
		case c == '}' && depth > 1:
			depth--
		case c == '}' && depth == 1:
			return before, append(inside, pattern[from:i]), pattern[i+1:]
		case c == ',' && depth == 1:
			inside, from = append(inside, pattern[from:i]), i+1
		}
	}
	return pattern, nil, ""
}

// names returns the patterns of the names in a pattern without braces. Stars that are not a whole name
// are one.
func names(pattern string) (list []string) {
	var name []byte
	end := func() {
		list, name = append(list, string(name)), nil
	}
	for i, stars := 0, 0; i < len(pattern); {
		n := unit(pattern[i:])
		u := pattern[i : i+n]
		if stars++; u != "*" {
			stars = 0
		}
		isWhole := stars == 2 && string(name) == "*" && (i+1 == len(pattern) || pattern[i+1] == '/' || strings.HasPrefix(pattern[i+1:], `\/`))
		switch {
		case u == "/" || u == `\/`:
			end()
		case stars < 2 || isWhole:
			name = append(name, u...)
		}
		i += n
	}
	end()
	return list
}
