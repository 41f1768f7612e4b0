package guiding

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// GuideTemplate is the template of the URIs of documents of categories (RFC 6570).
// Behind # they may name a section.
const GuideTemplate = "guide://category/{name}/{+path}"

// GuideDocument is a document of a category, or a section of it.
type GuideDocument struct {
	Type string // its media type
	Text []byte
}

// Document returns what a URI of the form of GuideTemplate names: the bytes that
// Content returns for the same document, or the section of them that an anchor
// names. What it takes is reserved for the request. The error is a *GuideError for what the category lacks, or an *Error for
// what the document lacks.
func (g *Guides) Document(ctx context.Context, work *documents.Work, uri string) (*GuideDocument, error) {
	name, file, anchor, err := guide.ParseLocation(uri)
	if err != nil {
		return nil, AsGuideError(err)
	}
	c, err := g.Loader.Load(ctx)
	if err != nil {
		return nil, AsGuideError(err)
	}
	part, err := guide.Document(ctx, c, name, file, g.serving(true))
	if err != nil {
		return nil, AsGuideError(err)
	}
	if err := reserveAnswer(work, false, *part); err != nil {
		return nil, AsGuideError(err)
	}
	d := &GuideDocument{Type: guide.ContentType(file), Text: part.Content}
	if anchor == "" {
		return d, nil
	}
	if kind, _, _ := strings.Cut(d.Type, ";"); kind != "text/markdown" {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Path: path.Join(name, file), Message: replies.Text("only Markdown has sections; leave #" + anchor + " out")}
	}
	doc, l, err := work.Parse(part.Content)
	if err == nil {
		d.Text, err = section(doc, anchor)
	}
	l.Release()
	if err != nil {
		return nil, replies.ErrorAbout(path.Join(name, file), err)
	}
	return d, nil
}

// GuideURI returns a URI of a document of a category as GuideTemplate has it, however
// it is written as long as it is clear what it means. The error is a *GuideError that
// says what such a URI looks like.
func GuideURI(uri string) (string, error) {
	name, file, anchor, err := guide.ParseLocation(uri)
	if err != nil {
		return "", AsGuideError(err)
	}
	location := guide.Location(name, file)
	if anchor != "" {
		location += "#" + (&url.URL{Fragment: anchor}).EscapedFragment()
	}
	return location, nil
}

// section returns the source of the section that an anchor names.
func section(doc *markdown.Document, anchor string) ([]byte, error) {
	res, err := address.Resolve(doc, "#"+anchor)
	if err != nil {
		return nil, err
	}
	return doc.Text(res.Span(doc)), nil
}

// CompleteName returns at most limit names of categories that contain what is typed,
// those that begin with it first, as values of a URI template; and whether there are
// more.
func (g *Guides) CompleteName(ctx context.Context, typed string, limit int) (names []string, more bool) {
	c, err := g.Loader.Load(ctx)
	if err != nil {
		return nil, false
	}
	for i := range c.Categories {
		names = append(names, c.Categories[i].Name)
	}
	return containing(names, Decoded(typed), limit)
}

// maxGuidePaths is the number of files of a category that a completion looks at.
const maxGuidePaths = 10_000

// CompletePath returns at most limit ways to go on with a path in a category, and after
// # with an anchor, as values of a URI template; and whether there are more.
func (g *Guides) CompletePath(ctx context.Context, work *documents.Work, name, typed string, limit int) (paths []string, more bool) {
	c, err := g.Loader.Load(ctx)
	if err != nil {
		return nil, false
	}
	name = Decoded(name)
	file, anchor, found := strings.Cut(typed, "#")
	if found {
		return g.completeAnchor(ctx, work, c, name, file, Decoded(anchor), limit)
	}
	paths, err = guide.Paths(ctx, c, name, maxGuidePaths)
	if err != nil {
		return nil, false
	}
	paths, more = containing(paths, Decoded(file), limit)
	for i := range paths {
		paths[i] = TemplateValue(paths[i])
	}
	return paths, more
}

// completeAnchor completes the anchor of a section of a document.
func (g *Guides) completeAnchor(
	ctx context.Context, work *documents.Work, c *config.Loaded, name, file, typed string, limit int,
) (paths []string, more bool) {
	part, err := guide.Document(ctx, c, name, Decoded(file), g.serving(true))
	if err != nil || !strings.HasPrefix(guide.ContentType(Decoded(file)), "text/markdown") {
		return nil, false
	}
	doc, l, err := work.Parse(part.Content)
	if err != nil {
		return nil, false
	}
	defer l.Release()
	anchors, more := replies.AnchorsOf(doc, typed, limit)
	for i := range anchors {
		anchors[i] = file + "#" + TemplateValue(anchors[i])
	}
	return anchors, more
}

// TemplateValue returns the value of {+path} in a URI template that stands for a text.
// Who expands the template encodes what no URI may have (RFC 6570, section 3.2.3); what
// would have a meaning there, or acts without being seen, is encoded here.
func TemplateValue(text string) string {
	var b strings.Builder
	before := rune(0)
	for _, r := range text {
		if strings.ContainsRune("%#?", r) || runes.Hides(before, r) {
			b.WriteString(url.PathEscape(string(r)))
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// Decoded decodes a part of a URI as far as it can be.
func Decoded(part string) string {
	if text, err := url.PathUnescape(part); err == nil {
		return text
	}
	return part
}

// containing returns at most limit of the texts that contain what is typed, in any
// case, those that begin with it first; and whether there are more.
func containing(texts []string, typed string, limit int) (found []string, more bool) {
	var inside []string
	folded := strings.ToLower(typed)
	for _, text := range texts {
		switch i := strings.Index(strings.ToLower(text), folded); {
		case i == 0:
			found = append(found, text)
		case i > 0:
			inside = append(inside, text)
		}
	}
	found = append(found, inside...)
	return found[:min(len(found), limit)], len(found) > limit
}
