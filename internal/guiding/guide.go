package guiding

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/internal/replies"
)

// Guides serves the categories of a project, and changes which there are. It is
// safe for concurrent use.
type Guides struct {
	start  string // the folder from which the project is looked for
	Loader *config.Loader
	log    *slog.Logger
	now    func() time.Time
	// structured says that answers have their JSON twice.
	structured bool
	patience   time.Duration // of Validate
}

// GuideOptions say where the configuration is.
type GuideOptions struct {
	Start    string // the folder from which the project is looked for, upwards; empty for the working directory
	UserFile string // the user's configuration; empty for the usual place, "-" for none
	// Roots are those of a server, in which the project's categories must lie; nil if it
	// is the user who asks.
	Roots *files.Roots
	// Structured says that a server answers with structured content beside the text, which
	// takes more memory.
	Structured bool
	Log        *slog.Logger     // nil for none
	Now        func() time.Time // nil for the clock
}

// NewGuides returns the guides of the project that Start lies in. Nothing is read
// before something is asked for.
func NewGuides(o GuideOptions) *Guides {
	g := &Guides{start: o.Start, log: o.Log, now: o.Now, Loader: project.NewLoader(o.Start, o.UserFile, o.Roots), structured: o.Structured, patience: maxValidation}
	if g.now == nil {
		g.now = time.Now
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	return g
}

// CheckStart refuses a folder to look for the project from that is not there.
// The error is an *Error.
func CheckStart(dir string) error {
	if err := files.CheckClimb(dir); err != nil {
		return replies.ErrorAbout(dir, err)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &replies.Error{Code: string(fileerror.NotFound), Path: dir, Message: replies.Say("no such folder; name one that exists with --root DIR"), Err: err}
	case err != nil:
		return systemFailure(dir, err)
	case !info.IsDir():
		return &replies.Error{Code: replies.CodeInvalidArgument, Path: dir, Message: replies.Say("it is no folder; name a folder of the project with --root DIR")}
	}
	return nil
}

// GuideContent is what a category or collection holds.
type GuideContent struct {
	Value     []byte // the content of the one file that matched, or of several those that came, as multipart/mixed
	Matched   int
	Returned  int
	Truncated bool
	Skipped   []GuideSkipped
	Warning   string // about what can't be seen in it, "" if there is nothing

	parts       []guide.Part
	path        string // CATEGORY/PATH of the file that the value is a piece of
	list        []byte // the files and their sizes, in place of the value; nil if it is the value that is answered
	next        string // the cursor that goes on
	instruction string
}

// GuideSkipped is a file or folder that was left out, with the reason.
type GuideSkipped = guide.Skipped

// Content returns the files of the category or collection that match the pattern,
// or those that count if the pattern is empty. What the answer takes is reserved for the
// request. The error is a *GuideError.
func (g *Guides) Content(ctx context.Context, work *documents.Work, name, pattern string) (*GuideContent, error) {
	c, err := g.Loader.Load(ctx)
	if err != nil {
		return nil, AsGuideError(err)
	}
	reply, err := guide.Serve(ctx, c, name, pattern, g.serving(true))
	if err != nil {
		return nil, AsGuideError(err)
	}
	if err := reserveAnswer(work, g.structured, reply.Parts...); err != nil {
		return nil, AsGuideError(err)
	}
	value, err := reply.Value()
	if err != nil {
		return nil, AsGuideError(err)
	}
	return &GuideContent{
		Value: value, Matched: reply.Matched, Returned: len(reply.Parts), Truncated: reply.Truncated, Skipped: reply.Skipped,
		Warning: invisibleWarning(reply.Parts), parts: reply.Parts,
	}, nil
}

// invisibleWarning returns a warning about the invisible characters in files, with the
// lines of each.
func invisibleWarning(parts []guide.Part) string {
	var u replies.Unseen
	for i := range parts {
		p := &parts[i]
		if len(parts) > 1 {
			u.Of = " of " + replies.Clip(replies.Safe(p.Category+"/"+p.Path), replies.MaxShown)
		}
		u.LookIn(p.Content, 0, true, func(offset int) int { return 1 + bytes.Count(p.Content[:offset], []byte("\n")) })
	}
	return u.Warning()
}

// serving are the options of what is served now.
func (g *Guides) serving(content bool) guide.Options {
	return guide.Options{Content: content, Date: g.now().Format(time.DateOnly), Log: g.log}
}

// What a reply lists of files and folders that are left out: so many, and so many characters of
// their paths and of what is said of them.
const (
	maxSkippedShown = 100
	maxSkippedChars = 5_000
)

// JSON returns the reply as the tool's Result object. What only repeats that one
// file was asked for and came is not said.
func (c *GuideContent) JSON() []byte {
	result := struct {
		Success      bool           `json:"success"`
		Value        *string        `json:"value,omitempty"`
		Files        string         `json:"files,omitempty"`
		Matched      *int           `json:"matched,omitempty"`
		Returned     *int           `json:"returned,omitempty"`
		Truncated    bool           `json:"truncated,omitempty"`
		Skipped      []GuideSkipped `json:"skipped,omitempty"`
		SkippedTotal int            `json:"skipped_total,omitempty"`
		Warning      string         `json:"warning,omitempty"`
		Path         string         `json:"path,omitempty"`
		Next         string         `json:"next_cursor,omitempty"`
		Instruction  string         `json:"instruction,omitempty"`
	}{
		Success: true, Files: string(c.list), Truncated: c.Truncated, Skipped: c.Skipped, Warning: c.Warning,
		Path: replies.Safe(c.path), Next: c.next, Instruction: c.instruction,
	}
	if c.list == nil {
		value := string(c.Value)
		result.Value = &value
	}
	if c.Returned != 1 || c.Matched != c.Returned {
		result.Matched, result.Returned = &c.Matched, &c.Returned
	}
	room := maxSkippedChars
	for i, s := range c.Skipped {
		if room -= utf8.RuneCountInString(s.Path + s.Reason + s.Detail); i == maxSkippedShown || room < 0 {
			result.Skipped, result.SkippedTotal = c.Skipped[:i], len(c.Skipped)
			break
		}
	}
	return replies.VerbatimJSON(result)
}

// Configured reports whether there is any category, or a configuration that can't
// be read, which somebody will mend.
func (g *Guides) Configured(ctx context.Context) bool {
	c, err := g.Loader.Load(ctx)
	return err != nil || len(c.Categories) > 0
}
