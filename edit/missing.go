package edit

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
)

// Text is appended to a section that isn't there yet: what is missing of its path is put
// after the section that is there, as its last subsection, with the text below it.

// lastLevel is the deepest level of a heading.
const lastLevel = 6

// addMissing makes of an operation on a section that isn't there one that puts it in. A path
// of which a part is but the beginning of a heading that is there is not there.
func (b *batch) addMissing(w *work) *Error {
	doc, op := b.draft.before, *w.op
	parts := address.Parts(op.Address)
	if parts == nil || op.Occurrence != 0 || op.ExpectedHash != "" {
		return nil
	}
	level, there := 0, len(parts)
	for ; there > 0; there-- {
		if len(parts)-there > lastLevel { // which no section that is there has room for
			return &Error{Code: LevelMismatch, Message: fmt.Sprintf("more than %d headings of the path are missing, and there are levels 1 to %d", lastLevel, lastLevel)}
		}
		res, err := address.Resolver{Doc: doc, Whole: true}.Nth(strings.Join(parts[:there], " > "), 0)
		if err != nil && asError(err).Code != address.HeadingNotFound {
			return asError(err)
		}
		if err == nil && there == len(parts) {
			return nil
		}
		if err != nil || res.Kind != address.SectionNode || res.Tier == address.TierNone { // which is no heading, but a selector or the like
			continue
		}
		s := newSection(doc, res.Section)
		op.Action, op.Address = InsertAfter, res.Selector
		w.pinned, level = true, int(s.level)
		if s.hasChildren() {
			level = int(s.childLevel()) - 1
		}
		break
	}
	if there == 0 {
		op.Address = "@document"
		if level = -1; len(doc.Sections) == 0 {
			level = 0
		}
	}
	last, headings, err := missingHeadings(parts[there:], level)
	if err != nil {
		return err
	}
	if err := op.fits(w.text, last+1, lastLevel, false); err != nil {
		return err
	}
	op.Text, op.CreateMissing = headings+op.Text, false
	w.op = &op
	w.text, err = newContent(b.draft, op.Text)
	for i, part := range parts[there:] {
		if err == nil && (i >= len(w.text.doc.Sections) || address.HeadingOf(w.text.doc, i) != strings.Repeat("#", int(w.text.doc.Sections[i].Level))+" "+strings.TrimSpace(strings.TrimLeft(part, "#"))) {
			err = &Error{Code: InvalidArgument, Message: quoted(part) + " would not be the text of a heading; put the section in with its text"}
		}
	}
	return err
}

// missingHeadings returns the headings of the parts of a path, each below the one before, and
// the level of the last one. The level is that of the section which they come to stand in, -1
// if the first part has to say it.
func missingHeadings(parts []string, level int) (last uint8, text string, err *Error) {
	for _, part := range parts {
		title := strings.TrimLeft(part, "#")
		if title != "" && title[0] != ' ' && title[0] != '\t' { // "#a" has no marks
			title = part
		}
		switch own := len(part) - len(title); {
		case own > level && level >= 0, own > 0 && level < 0:
			level = own
		case own > 0:
			return 0, "", &Error{Code: LevelMismatch, Message: fmt.Sprintf("%s would not stand below what is before it in the path; leave its marks out", quoted(part))}
		case level < 0:
			return 0, "", &Error{Code: address.HeadingNotFound, Message: fmt.Sprintf(
				"nothing of the path is there; let it begin with a section that is there, or with the marks of its level, as in %s", quoted("## "+part))}
		default:
			level++
		}
		if level > lastLevel {
			return 0, "", &Error{Code: LevelMismatch, Message: fmt.Sprintf("%s would get level %d, and there are 1 to %d", quoted(part), level, lastLevel)}
		}
		text += strings.Repeat("#", level) + " " + strings.TrimSpace(title) + "\n\n"
	}
	return uint8(level), text, nil //nolint:gosec // 1 to 6
}
