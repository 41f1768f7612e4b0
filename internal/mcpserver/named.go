package mcpserver

import (
	"path"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/replies"
)

// What models call a document beside its path: an address of a resource, a path with an
// anchor or with an address after ::, and, where nothing is written, the name of the file
// alone. A path that leads to a file is that file, whatever it looks like.

// nameSeparator stands between a file and an address in it, as mdsel has it.
const nameSeparator = "::"

// partName names a document, or a part of it that has an address.
type partName struct{ path, address string }

// addressed returns the path of the document, with #anchor for a section, whose address as a
// resource a client gave in the place of a path; and a path as it is.
func (c *call) addressed(name string) (string, error) {
	if uri := name[:min(len(name), len(docPrefix))]; !strings.EqualFold(uri, docPrefix) {
		return name, nil
	}
	path, address, err := splitDocURI(name)
	if err != nil {
		return "", &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s is no address of a document; it is %s", replies.Safe(name), docTemplate)}
	}
	if c.parts == nil {
		c.parts = map[string]partName{}
	}
	c.parts[path+address] = partName{path, address}
	return path + address, nil
}

// named answers a request about the document that a client named, and about the part of it
// that the name or heading names. Ask answers for a path and an address; it is asked again
// only if nothing is at the path. The answer to a name alone, without a folder, may be that
// of the only document of that name, if loosely is set.
func (c *call) named(name, heading string, loosely bool, ask func(path, heading string) (*reply, error)) (*reply, error) {
	if of, ok := c.parts[name]; ok {
		return within(of.path, of.address, heading, ask)
	}
	r, err := ask(name, heading)
	switch errorCode(err) {
	case replies.CodeNotAFile:
		return r, c.workspace.NameDocuments(c.work.Context(), name, err)
	case replies.CodeFileNotFound:
	default:
		return r, err
	}
	for _, separator := range []string{nameSeparator, "#"} {
		file, address, found := strings.Cut(name, separator)
		if !found || file == "" || address == "" {
			continue
		}
		if separator == "#" {
			address = separator + address
		}
		if r, again := within(file, address, heading, ask); errorCode(again) != replies.CodeFileNotFound {
			return r, again
		}
	}
	if loosely && path.Base(name) == name {
		same := slices.DeleteFunc(slices.Clone(replies.AsError(err).Closest), func(c string) bool { return path.Base(c) != name })
		if len(same) == 1 {
			return ask(same[0], heading)
		}
	}
	return r, err
}

// errorCode returns the code of an error, "" for none.
func errorCode(err error) string {
	if err == nil {
		return ""
	}
	return replies.AsError(err).Code
}

// within asks for the part of a file that its name or the heading names.
func within(file, address, heading string, ask func(path, heading string) (*reply, error)) (*reply, error) {
	if address == "" {
		return ask(file, heading)
	}
	if heading != "" && heading != address {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.Safe(file), Message: replies.Say(
			"the path names the part %s, and %s another one; name one of them", replies.Safe(address), replies.Heading)}
	}
	return ask(file, address)
}

// isGuide reports whether a name is the address of a document of a category.
func (c *call) isGuide(name string) bool {
	return c.guides != nil && c.offers(toolCategory) && documents.IsGuide(name)
}

// guideNamed answers a request about a document of a category that a client named by its
// address, alone or with that of a part. Ask answers for the document and the address of the part.
func (c *call) guideNamed(name, heading string, ask func(docs documents.Set, heading string) (*reply, error)) (*reply, error) {
	file, part, found := strings.Cut(name, nameSeparator)
	if !found {
		var anchor string
		if file, anchor, _ = strings.Cut(name, "#"); anchor != "" {
			part = "#" + guiding.Decoded(anchor)
		}
	}
	docs := documents.Set{Paths: []string{file}, Work: c.work, Marks: c.marks, Guide: func(work *documents.Work, uri string) ([]byte, error) {
		d, err := c.guides.Document(work.Context(), work, uri)
		if err != nil {
			return nil, err
		}
		return d.Text, nil
	}}
	return within(file, part, heading, func(_, heading string) (*reply, error) { return ask(docs, heading) })
}
