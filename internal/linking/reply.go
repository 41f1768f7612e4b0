package linking

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
)

// formatGitHub is the format of annotations in GitHub's checks.
const formatGitHub = "github"

// linkJSON is a link in JSON.
type linkJSON struct {
	FilePath    string   `json:"file_path"`
	Line        int      `json:"line"`
	Kind        string   `json:"kind"`
	Destination string   `json:"destination"`
	Status      string   `json:"status"`
	Reason      string   `json:"reason,omitempty"`
	Target      string   `json:"target,omitempty"`
	Anchor      string   `json:"anchor,omitempty"`
	TargetLine  int      `json:"target_line,omitempty"`
	Fits        []string `json:"fits,omitempty"`
	Nearest     string   `json:"nearest,omitempty"`
}

// maxNearest is the number of broken links of a reply for which it is looked for what was
// meant.
const maxNearest = 200

// write renders the links of the page that is asked for.
func (s *scan) write(list []link, req *Request, res *Result, emit func([]byte) error) error {
	first, err := start(req.Cursor, list)
	if err != nil {
		return err
	}
	room, size := req.MaxChars, 0
	if req.Tells {
		told := 0
		for first == 0 && told < len(res.Unread) {
			e := res.Unread[told]
			line := fmt.Appendf(nil, "%s can't be read: %s\n", replies.Safe(e.Path), replies.Safe(replies.Clip(e.Message.String(), maxWhy)))
			if size += max(replies.Chars(line), replies.Chars(replies.JSON(e.Path))+len(",")); room > 0 && size > room/2 {
				break
			}
			if err := emit(line); err != nil {
				return err
			}
			told++
		}
		res.Unread = res.Unread[:told]
	}
	var text []byte // lines that wait to be handed over together
	for i := first; i < len(list); i++ {
		near := ""
		if list[i].target.Status == links.Broken && res.Shown < maxNearest {
			near = s.nearest(&list[i].target, list[i].link.Destination)
		}
		line := s.line(&list[i], req, near)
		var item []byte
		if req.Structured {
			item = s.object(&list[i], near, room-reserved)
		}
		size += max(replies.Chars(line), replies.Chars(item)+len(","))
		full := req.Max > 0 && res.Shown == req.Max || room > 0 && size > room-reserved && res.Shown > 0
		if full {
			res.Next = cursor(list, i)
			return emit(fmt.Appendf(text, "[%d of %d links; go on with cursor %s]\n", res.Shown, len(list), res.Next))
		}
		if room > 0 && replies.Chars(line) > room-reserved {
			line = append([]byte(replies.Clip(string(line), room-reserved)), '\n')
		}
		if req.Structured {
			res.Items = append(res.Items, item)
		}
		res.Shown++
		if text = append(text, line...); len(text) >= handedOver {
			if err := emit(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	if len(text) == 0 {
		return nil
	}
	return emit(text)
}

// handedOver is the number of bytes of lines that are handed over at once: each one by itself
// would be a call of the system.
const handedOver = 16 << 10

// maxWhy is the number of characters of the reason why a document can't be read.
const maxWhy = 150

// reserved is the number of characters that the note of a cut list may take.
const reserved = 80

// cursor returns what stands for the links from one on, whose index isn't 0: that, and the link before it. The
// list may be another one when it is asked on, with links mended that came before.
func cursor(list []link, next int) string {
	last, more := &list[next-1], 0
	for i := next; i < len(list) && list[i].isBeside(last); i++ {
		if list[i].link.Destination == last.link.Destination {
			more++
		}
	}
	return fmt.Sprintf("%d-%s", next, last.mark(more))
}

// mark returns a few letters that stand for a link: its document, line and destination, and how many more of the
// line have the same behind it. Those before it may be mended meanwhile.
func (l *link) mark(more int) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s\x00%d\x00%s\x00%d", l.page.Path, l.link.Line, l.link.Destination, more)
	const size = 5
	return hex.EncodeToString(h.Sum(nil)[:size])
}

// isBeside reports whether two links stand on one line.
func (l *link) isBeside(m *link) bool { return l.page == m.page && l.link.Line == m.link.Line }

// start returns the index of the first link of the page: behind the one that the page before ended with,
// wherever it is by now.
func start(cursor string, list []link) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	_, end, _ := strings.Cut(cursor, "-")
	for first := 0; first < len(list); {
		more := map[string]int{} // links of the line with each destination, behind those that were looked at
		last := first
		for ; last < len(list) && list[last].isBeside(&list[first]); last++ {
			more[list[last].link.Destination]++
		}
		for i := first; i < last; i++ {
			more[list[i].link.Destination]--
			if list[i].mark(more[list[i].link.Destination]) == end {
				return i + 1, nil
			}
		}
		first = last
	}
	return 0, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
		"there is no page at the cursor %q, or the link before it is no longer there; begin again without one", replies.Clip(cursor, replies.MaxShown))}
}

// line renders a link on one line.
func (s *scan) line(l *link, req *Request, near string) []byte {
	switch {
	case req.JSON:
		return s.lineJSON(l, near)
	case req.Format == formatGitHub:
		return fmt.Appendf(nil, "::%s file=%s,line=%d,title=%s::%s\n", level(l), property(s.path(l.page.Path)), l.link.Line,
			property("link "+l.target.Status.String()), message(replies.Safe(l.link.Destination+s.leads(l, near))))
	}
	return fmt.Appendf(nil, "%s:%d %s\n", replies.Safe(s.path(l.page.Path)), l.link.Line,
		replies.Safe(replies.Clip(l.link.Destination, maxDestination)+s.leads(l, near)))
}

// maxDestination is the number of characters of a destination that a line shows.
const maxDestination = 500

// leads tells what a link leads to.
func (s *scan) leads(l *link, near string) string {
	t := &l.target
	switch t.Status {
	case links.External:
		return ""
	case links.OK:
		what := " -> " + s.path(t.Path)
		if t.Place != nil {
			what += ":" + strconv.Itoa(t.Place.Line)
		}
		if t.Reason != "" {
			what += " (" + reasons[t.Reason] + ")"
		}
		return what
	case links.Ambiguous:
		fits := make([]string, len(t.Others))
		for i, other := range t.Others {
			fits[i] = s.path(other)
		}
		return ": ambiguous, it fits " + strings.Join(fits, ", ")
	}
	what := ": " + t.Status.String() + ", " + reasons[t.Reason]
	if t.Reason == links.NotLookedAt && files.IsMarkdown(t.Path) {
		what = ": " + t.Status.String() + ", it can't be looked at"
	}
	if t.Reason == links.NoAnchor && t.Path != l.page.Path {
		what += " in " + s.path(t.Path)
	}
	if near != "" {
		what += "; did you mean " + near + "?"
	}
	return what
}

// reasons are the reasons for people.
var reasons = map[links.Reason]string{
	links.NoFile: "no such file", links.NotLookedAt: "not looked at, as it names no document", links.NoAnchor: "no such anchor",
	links.OtherCase: "in another case", links.OtherForm: "in another normal form of Unicode",
	links.Outside: "it leads outside", links.NotSet: "links.root isn't set", links.FileAnchor: "an anchor of a file that is no document",
	links.MadeAnchor: "the document takes parts from elsewhere", links.LineAnchor: "an anchor of lines", links.FolderAnchor: "an anchor of a folder",
	links.Unread: "the document can't be read",
}

// object renders a link as an object of at most so many characters, if that number is
// positive: longer texts in it are cut.
func (s *scan) object(l *link, near string, room int) []byte {
	out := s.json(l, near)
	item := replies.AppendJSON(nil, out)
	for most := maxDestination; room > 0 && replies.Chars(item) > room && most > 0; most /= 2 {
		for _, text := range []*string{&out.FilePath, &out.Destination, &out.Target, &out.Anchor, &out.Nearest} {
			*text = replies.Clip(*text, most)
		}
		for i := range out.Fits {
			out.Fits[i] = replies.Clip(out.Fits[i], most)
		}
		item = replies.AppendJSON(nil, out)
	}
	return bytes.TrimSpace(item)
}

// lineJSON renders a link as an object on one line.
func (s *scan) lineJSON(l *link, near string) []byte {
	return replies.AppendJSON(nil, s.json(l, near))
}

// json returns a link as it is in JSON.
func (s *scan) json(l *link, near string) *linkJSON {
	t := &l.target
	out := linkJSON{
		FilePath: s.path(l.page.Path), Line: l.link.Line, Kind: l.link.Kind.String(), Destination: l.link.Destination,
		Status: t.Status.String(), Reason: string(t.Reason), Nearest: near,
	}
	if t.Path != "" {
		out.Target = s.path(t.Path)
	}
	if t.Place != nil && t.Status == links.OK {
		out.Anchor, out.TargetLine = t.Place.Name, t.Place.Line
	}
	for _, other := range t.Others {
		out.Fits = append(out.Fits, s.path(other))
	}
	return &out
}

// level returns the level of an annotation.
func level(l *link) string {
	switch l.target.Status {
	case links.Broken:
		return "error"
	case links.Ambiguous:
		return "warning"
	}
	return "notice"
}

// message escapes the message of a command of GitHub's workflows, property a value before it.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(s))
}
