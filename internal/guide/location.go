package guide

import (
	"fmt"
	"net/url"
	"strings"
)

const (
	locationScheme = "guide"
	locationHost   = "category"
	locationForm   = "guide://category/NAME/PATH, or guide://category/NAME/PATH#ANCHOR for a section, with other characters than letters and digits percent-encoded (a space is %20)"
)

// Location returns the URI of a file of a category, guide://category/NAME/PATH.
// Each component is percent-encoded (RFC 3986, section 2.1), so that it is plain
// ASCII without blanks, quotes or line breaks whatever the file is called.
func Location(category, path string) string {
	components := strings.Split(path, "/")
	for i, c := range components {
		components[i] = url.PathEscape(c)
	}
	return locationScheme + "://" + locationHost + "/" + url.PathEscape(category) + "/" + strings.Join(components, "/")
}

// ParseLocation takes a URI of a file of a category apart; the anchor is what
// stands after #, decoded. Scheme and host may be in capitals (RFC 3986, sections
// 3.1 and 3.2.2), and characters that needn't be encoded may be: agents write
// spaces and letters as they are. The error is an *Error of the type
// ValidationError and says what such a URI looks like.
func ParseLocation(uri string) (category, path, anchor string, err error) {
	fail := func(format string, args ...any) (string, string, string, error) {
		reason := fmt.Sprintf(format, args...)
		return "", "", "", &Error{
			Type:    ValidationError,
			Message: fmt.Sprintf("the URI %s can't be read: %s; write %s", quoted(uri), reason, locationForm),
		}
	}
	rest, fragment, _ := strings.Cut(uri, "#")
	scheme, rest, ok := strings.Cut(rest, "://")
	if !ok || !strings.EqualFold(scheme, locationScheme) {
		return fail("it doesn't begin with guide://")
	}
	host, rest, ok := strings.Cut(rest, "/")
	if !strings.EqualFold(host, locationHost) {
		return fail("only guide://category/ is known")
	}
	if strings.Contains(rest, "?") {
		return fail("it has a query; write a ? in a name as %%3F")
	}
	name, rest, named := strings.Cut(rest, "/")
	if !ok || name == "" {
		return fail("it names no category")
	}
	if !named || rest == "" {
		return fail("it names no file")
	}
	if category, err = decodeComponent(name); err != nil {
		return fail("the category's name %v", err)
	}
	components := strings.Split(rest, "/")
	for i, c := range components {
		if components[i], err = decodeComponent(c); err != nil {
			return fail("component %d of the path %v", i+1, err)
		}
	}
	if anchor, err = url.PathUnescape(fragment); err != nil {
		return fail("the anchor has a %% that two hexadecimal digits don't follow; write %%25 for the sign itself")
	}
	return category, strings.Join(components, "/"), anchor, nil
}

// decodeComponent decodes one component of a path, and refuses what can't be the
// name of a file or folder. The error is the predicate of a sentence.
func decodeComponent(encoded string) (string, error) {
	name, err := url.PathUnescape(encoded)
	switch {
	case err != nil:
		return "", fmt.Errorf("has a %% that two hexadecimal digits don't follow (write %%25 for the sign itself)")
	case name == "":
		return "", fmt.Errorf("is empty")
	case name == "." || name == "..":
		return "", fmt.Errorf("is %q, which is no name", name)
	case strings.Contains(name, "/"):
		return "", fmt.Errorf("has an encoded slash")
	case strings.ContainsRune(name, 0):
		return "", fmt.Errorf("has a NUL byte")
	}
	return name, nil
}
