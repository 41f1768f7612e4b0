package view

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/httpguard"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/viewing"
)

//go:embed page
var embedded embed.FS

// site is the page.
type site struct {
	doctor.PageOptions

	templates *template.Template
	mux       *http.ServeMux
	live      chan struct{} // has an entry for each open page that is told what happens
	last      lastUndo
}

// lately is how far back the page tells of what was read and changed.
const lately = 24 * time.Hour

// maxTime is how long an answer may take.
const maxTime = 30 * time.Second

// New returns the page, which must stand behind [httpguard.Browsers].
func New(o doctor.PageOptions) http.Handler {
	s := &site{PageOptions: o, mux: http.NewServeMux(), live: make(chan struct{}, maxLive)}
	s.templates = template.Must(template.New("").Funcs(template.FuncMap{
		"read": readPath, "count": count, "clock": clock, "since": since, "safe": replies.Safe, "percent": percent, "command": command, "session": shortSession, "form": undoForm,
	}).ParseFS(embedded, "page/*.html"))
	for pattern, answer := range map[string]func(r *http.Request) (*answer, error){
		"GET /{$}": s.home, "GET /read": s.read, "GET /folder": s.folder, "GET /totals": s.totals, "GET /links": s.links, "GET /search": s.search, "GET /changes": s.changes, "GET /change": s.change,
		"GET /map": s.treemap, "GET /plan": s.plan, "POST /undo": s.undo,
	} {
		s.mux.Handle(pattern, s.answers(answer))
	}
	s.mux.HandleFunc("GET /picture", s.picture)
	s.mux.HandleFunc("GET /events", s.events)
	static, err := fs.Sub(embedded, "page/static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	s.mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	s.mux.Handle("/", s.answers(func(*http.Request) (*answer, error) {
		return nil, &replies.Error{Code: codeNotFound, Message: replies.Text("there is no such page")}
	}))
	return s
}

// ServeHTTP implements http.Handler.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// answer is a page to write: the template with its data, or where else to go.
type answer struct {
	template string
	data     any
	to       string // the address to go on with, of the page; then there is nothing else
}

// frame is what every page has around it.
type frame struct {
	Title  string // of the page
	Name   string // of what is looked at: the folder
	At     string // which part of the page is open: read, changes, map, plan or ""
	Query  string
	Writes bool
	Token  string // for forms
	Live   string // the address of events; empty for none
	Wide   bool   // the page has no column at its side

	Trouble *trouble // why what happened lately can't be told; nil for nothing
}

// newFrame returns the frame of a page.
func (s *site) newFrame(r *http.Request, at, title string) frame {
	return frame{
		Title: title, Name: filepath.Base(s.Workspace.Roots()[0]), At: at, Writes: s.Writes, Token: httpguard.FormToken(r),
		Live: "/events", Query: r.URL.Query().Get("q"),
	}
}

// docs returns the documents of a request, which must be ended.
func (s *site) docs(ctx context.Context) (documents.Set, func()) {
	work := s.Workspace.Begin(ctx, nil)
	return documents.Set{Workspace: s.Workspace, Work: work}, work.End
}

const codeNotFound = "not_found"

// statuses are those of errors; others are 500.
var statuses = map[string]int{
	codeNotFound: http.StatusNotFound, "file_not_found": http.StatusNotFound, "heading_not_found": http.StatusNotFound,
	"not_a_file": http.StatusNotFound, "path_outside_root": http.StatusForbidden, "permission": http.StatusForbidden,
	"conflict": http.StatusConflict, "no_change": http.StatusConflict, "read_only": http.StatusForbidden,
	replies.CodeInvalidArgument: http.StatusBadRequest, "ambiguous_heading": http.StatusNotFound, "no_matches": http.StatusNotFound,
	"file_too_large": http.StatusUnprocessableEntity, replies.CodeTooComplex: http.StatusUnprocessableEntity,
	"binary_file": http.StatusUnprocessableEntity, "encoding_error": http.StatusUnprocessableEntity,
}

// answers writes the page that a request asks for, or why there is none.
func (s *site) answers(find func(r *http.Request) (*answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), maxTime)
		defer cancel()
		r.Body = http.MaxBytesReader(w, r.Body, 64<<10) // of forms with two short fields
		r = r.WithContext(ctx)
		status := http.StatusOK
		a, err := find(r)
		if err != nil {
			if r.Context().Err() != nil && !errors.Is(err, context.DeadlineExceeded) {
				return // nobody waits any more
			}
			status, a = s.failed(r, err)
		}
		if a.to != "" {
			http.Redirect(w, r, a.to, http.StatusSeeOther)
			return
		}
		var page bytes.Buffer
		if err := s.templates.ExecuteTemplate(&page, a.template, a.data); err != nil {
			s.Log.Error("a page can't be written", "page", a.template, "error", err)
			http.Error(w, "the page can't be written; the log of the server says why", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		_, _ = w.Write(page.Bytes()) // who has gone doesn't miss it
	})
}

// failure is the page about an error.
type failure struct {
	frame

	Heading, Message string
	Lines            []string // what might have been meant
	Closest          []string // documents that might have been
	// Change is the change that could not be taken back, and Parts the difference that is in the
	// way.
	Change string
	Parts  []diffPart
}

// failed returns the page about an error.
func (s *site) failed(r *http.Request, err error) (int, *answer) {
	e := replies.AsError(err)
	status, ok := statuses[e.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	f := failure{frame: s.newFrame(r, "", "Not shown"), Heading: "This can’t be shown", Message: e.Message.String(), Lines: e.Lines(), Closest: e.Closest}
	if e.Path != "" {
		f.Message = e.Path + ": " + f.Message
	}
	if id := r.PostFormValue("id"); r.Method == http.MethodPost && id != "" {
		f.frame = s.newFrame(r, "changes", "Not taken back")
		f.Heading, f.Change, f.Lines, f.Parts = "This was not taken back", id, nil, partsOf(f.Lines)
	}
	f.Wide, f.Live = true, ""
	return status, &answer{template: "failure.html", data: f}
}

// aloneSVG is the policy of an SVG that is opened by itself: nothing in it runs or is loaded.
const aloneSVG = "default-src 'none'; sandbox; frame-ancestors 'none'"

// picture answers with an image of the root.
func (s *site) picture(w http.ResponseWriter, r *http.Request) {
	const most = 16 << 20
	data, media, err := s.Workspace.Picture(r.URL.Query().Get("path"), most)
	if err != nil {
		http.Error(w, replies.ErrorAbout("", err).Error(), http.StatusNotFound)
		return
	}
	if media == documents.SVG {
		w.Header().Set("Content-Security-Policy", aloneSVG)
	}
	w.Header().Set("Content-Type", media)
	_, _ = w.Write(data) //nolint:gosec // it begins as an image does, and is told to be one
}

// pages says where things are on the page.
var pages = viewing.Pages{Read: readPath, Picture: func(path string) string { return "/picture?path=" + url.QueryEscape(path) }}

// readPath is the address of a document, at an address in it.
func readPath(path, at string) string {
	to := "/read?path=" + url.QueryEscape(path)
	if at != "" {
		to += "&at=" + url.QueryEscape(at)
	}
	return to
}

// editorLink returns the address that opens a document in the editor.
func (s *site) editorLink(name string, line int) template.URL {
	if s.Editor == "" {
		return ""
	}
	host := name
	switch {
	case s.Workspace.HasSeveralRoots():
		host = s.Workspace.Host(name)
	case !filepath.IsAbs(name):
		host = filepath.Join(s.Workspace.Roots()[0], name)
	}
	u := url.URL{Path: filepath.ToSlash(host)}
	text := strings.NewReplacer("{path}", u.EscapedPath(), "{line}", fmt.Sprint(line)).Replace(s.Editor)
	return template.URL(text) //nolint:gosec // the user's own setting, with a path that is escaped
}

// count writes a number with its thousands apart.
func count(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// clock writes a time of the last day.
func clock(t time.Time) string { return t.Local().Format("15:04:05") }

// since writes how long ago a time is.
func since(t time.Time) string {
	switch d := time.Since(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h ago", int(time.Since(t).Hours()))
}

// shortSession writes as much of the name of a session as tells it from others.
func shortSession(name string) string { return replies.Safe(replies.Clip(name, 7)) }

// percent returns a part of a whole in percent, at least 1 of anything.
func percent(part, all int) int {
	if part <= 0 || all <= 0 {
		return 0
	}
	return max(1, part*100/all)
}

// baseName returns the last name of a path.
func baseName(name string) string { return path.Base(filepath.ToSlash(name)) }

// command writes a command as it is typed, for people: what has a space is quoted.
func command(args []string) string {
	words := []string{"sectile"}
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"") {
			arg = "'" + strings.ReplaceAll(arg, "'", "’") + "'"
		}
		words = append(words, arg)
	}
	return replies.Safe(strings.Join(words, " "))
}
