package guide

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The reference: braces are tried one after another where they stand, and a path is
// matched by going through the components. It is slow and simple.

// referenceMatch reports whether a pattern, which ParsePattern has taken, matches a
// path.
func referenceMatch(pattern, path string) bool {
	for _, alternative := range referenceExpand(pattern) {
		var components []string
		rest := alternative
		for rest != "" {
			var c string
			c, rest = referenceCut(rest)
			if c != "" && c != "." {
				components = append(components, c)
			}
		}
		if referencePath(components, strings.Split(path, "/"), map[[2]int]bool{}) {
			return true
		}
	}
	return false
}

// referenceToken splits the first token off: an escaped character, a class or a
// character.
func referenceToken(s string) (token, rest string) {
	_, n := utf8.DecodeRuneInString(s)
	switch s[0] {
	case '\\':
		_, m := utf8.DecodeRuneInString(s[1:])
		n = 1 + m
	case '[':
		for n = 1; s[n] != ']'; n++ {
			if s[n] == '\\' {
				n++
			}
		}
		n++
	}
	return s[:n], s[n:]
}

// referenceExpand replaces the first group of braces by each of its alternatives.
func referenceExpand(s string) []string {
	before := ""
	for rest := s; rest != ""; {
		token, tail := referenceToken(rest)
		if token != "{" {
			before, rest = before+token, tail
			continue
		}
		alternatives, current, depth := []string{}, "", 1
		for depth > 0 {
			token, tail = referenceToken(tail)
			switch token {
			case "{":
				depth++
			case "}":
				depth--
			}
			if depth == 0 || depth == 1 && token == "," {
				alternatives, current = append(alternatives, current), ""
				continue
			}
			current += token
		}
		var all []string
		for _, a := range alternatives {
			all = append(all, referenceExpand(before+a+tail)...)
		}
		return all
	}
	return []string{s}
}

// referenceCut splits the first component off.
func referenceCut(s string) (component, rest string) {
	for s != "" {
		var token string
		token, s = referenceToken(s)
		if token == "/" || token == `\/` {
			break
		}
		component += token
	}
	return component, s
}

// referencePath matches components with names. Failed has what was tried in vain.
func referencePath(components, names []string, failed map[[2]int]bool) bool {
	key := [2]int{len(components), len(names)}
	if failed[key] {
		return false
	}
	var ok bool
	switch {
	case len(components) == 0:
		ok = len(names) == 0
	case components[0] == "**":
		ok = len(components) > 1 && referencePath(components[1:], names, failed)
		if !ok && len(names) > 0 && !strings.HasPrefix(names[0], ".") {
			ok = len(names) == 1 && len(components) == 1 || referencePath(components, names[1:], failed)
		}
	case len(names) > 0:
		ok = referenceComponent(components[0], names[0]) && referencePath(components[1:], names[1:], failed)
	}
	failed[key] = !ok
	return ok
}

// referenceComponent matches a component with a name, which must be written out if it
// is hidden.
func referenceComponent(component, name string) bool {
	plain, rest := "", component
	for rest != "" {
		var token string
		token, rest = referenceToken(rest)
		if token == "*" || token == "?" || token[0] == '[' {
			return !strings.HasPrefix(name, ".") && referenceGlob(component, []rune(name), map[[2]int]bool{})
		}
		plain += strings.TrimPrefix(token, `\`)
	}
	return plain == name
}

// referenceGlob matches the tokens of a component with characters. Failed has what
// was tried in vain.
func referenceGlob(component string, name []rune, failed map[[2]int]bool) bool {
	if component == "" {
		return len(name) == 0
	}
	key := [2]int{len(component), len(name)}
	if failed[key] {
		return false
	}
	token, rest := referenceToken(component)
	var ok bool
	switch {
	case token == "*":
		ok = referenceGlob(rest, name, failed) || len(name) > 0 && referenceGlob(component, name[1:], failed)
	case len(name) == 0:
	case token == "?":
		ok = referenceGlob(rest, name[1:], failed)
	case token[0] == '[':
		ok = referenceClass(token, name[0]) && referenceGlob(rest, name[1:], failed)
	default:
		ok = strings.TrimPrefix(token, `\`) == string(name[0]) && referenceGlob(rest, name[1:], failed)
	}
	failed[key] = !ok
	return ok
}

// referenceClass tells whether a class has a character.
func referenceClass(class string, c rune) bool {
	class = class[1 : len(class)-1]
	negated := class[0] == '!' || class[0] == '^'
	if negated {
		class = class[1:]
	}
	type char struct {
		c       rune
		escaped bool
	}
	var chars []char
	for class != "" {
		escaped := class[0] == '\\'
		if escaped {
			class = class[1:]
		}
		r, n := utf8.DecodeRuneInString(class)
		chars = append(chars, char{r, escaped})
		class = class[n:]
	}
	for i := 0; i < len(chars); i++ {
		low, high := chars[i].c, chars[i].c
		if i+2 < len(chars) && chars[i+1] == (char{'-', false}) {
			high = chars[i+2].c
			i += 2
		}
		if low <= c && c <= high {
			return !negated
		}
	}
	return negated
}

// FuzzPattern reads any text as a pattern and matches any path with it.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{
		"**/*.md", "{a,b{c,d}}/**/[!x-z]*", `a\*b?`, "**", "docs/**/deep/*", "[a-]*", `[\]]`, "a**b", "{[,],x}", "{,a/}b", `[\]b]`, ".x/**/.y", "***", "**/**",
	} {
		for _, path := range []string{"a.md", "docs/x/deep/a", ".x/a/.y", "b", "ab", "a/b", "a*b-", "é/日本"} {
			f.Add(pattern, path)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if p, err := Literal(path); err == nil && !strings.Contains("/"+path+"/", "/./") && !strings.Contains(path, "//") && !p.Match(path) {
			t.Errorf("%q is not matched by itself", path)
		}
		p, err := ParsePattern(pattern)
		if err != nil {
			if quoted(pattern) == "" || !strings.Contains(err.Error(), quoted(pattern)) {
				t.Errorf("%q is not named in %v", pattern, err)
			}
			return
		}
		if n := len(p.alternatives); n == 0 || n > maxAlternatives {
			t.Errorf("%q stands for %d patterns", pattern, n)
		}
		if !utf8.ValidString(path) || len(path) > 200 || strings.HasPrefix(path, "/") || strings.Contains(path+"/", "//") {
			return
		}
		if got, want := p.Match(path), referenceMatch(pattern, path); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, path, got, want)
		}
	})
}
