package view

import (
	"bufio"
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
	s.mux.Handle("GET /static/{file}", http.StripPrefix("/static/", http.FileServerFS(static)))
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
	codeNotFound: http.StatusNotFound, "file_not_found": http.StatusNotFound, "heading_not_found": http.StatusNotFound, "invalid_address": http.StatusNotFound,
	"not_a_file": http.StatusNotFound, "path_outside_root": http.StatusForbidden, "permission": http.StatusForbidden,
	"conflict": http.StatusConflict, "no_change": http.StatusConflict, "read_only": http.StatusForbidden,
	replies.CodeInvalidArgument: http.StatusBadRequest, "ambiguous_heading": http.StatusNotFound, "no_matches": http.StatusNotFound,
	"file_too_large": http.StatusUnprocessableEntity, replies.CodeTooComplex: http.StatusUnprocessableEntity,
	"binary_file": http.StatusUnprocessableEntity, "encoding_error": http.StatusUnprocessableEntity,
}

// answers writes the page that a request asks for, or why there is none.
func (s *site) answers(find func(r *http.Request) (*answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// What the page is made of stays reserved until it is written, which may take longer than to find it.
		sent, end := context.WithCancel(r.Context())
		defer end()
		ctx, cancel := context.WithTimeout(documents.WithAnswered(sent), maxTime)
		defer cancel()
		if r.Method == http.MethodPost { // what may write waits for no lock once the server is told to end, and goes on else
			ctx = documents.WithEnd(ctx, s.Ending)
		} else {
			defer context.AfterFunc(s.Ending, cancel)()
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		r = r.WithContext(ctx)
		status := http.StatusOK
		a, err := s.found(w, r, find)
		if err != nil {
			if sent.Err() != nil {
				panic(http.ErrAbortHandler) // nobody waits any more, or nothing true could be answered
			}
			status, a = s.failed(r, err)
		}
		if a.to != "" {
			http.Redirect(w, r, a.to, http.StatusSeeOther)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		s.write(w, status, a)
	})
}

// found finds the page that a request asks for, when its form has come.
func (s *site) found(w http.ResponseWriter, r *http.Request, find func(r *http.Request) (*answer, error)) (*answer, error) {
	if r.Method != http.MethodPost {
		return find(r)
	}
	var long *http.MaxBytesError
	switch err := r.ParseForm(); {
	case errors.As(err, &long):
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("the form is longer than %d bytes; those of this page are short", long.Limit), Err: err}
	case !httpguard.Begins(w, r):
		return nil, errEnding
	}
	return find(r)
}

// errEnding says that a request came, or was worked on, when the server was told to end.
var errEnding = &replies.Error{Code: replies.CodeIOError, Message: replies.Text("the server was told to end before this was made; start it again")}

// pageBuffer is the number of bytes of a page that are written at once. A page that can't be made is
// told of as long as no more of it was.
const pageBuffer = 64 << 10

// write writes a page as it is made, so that no more than a part of it takes memory.
func (s *site) write(w http.ResponseWriter, status int, a *answer) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(maxTime)) // that of the server counts from the request; a connection that has none is one of a test
	out := &begun{w: w, status: status}
	page := bufio.NewWriterSize(out, pageBuffer)
	err := s.templates.ExecuteTemplate(page, a.template, a.data)
	if err == nil {
		err = page.Flush()
	}
	if err == nil || out.err != nil { // who has gone doesn't miss it
		return
	}
	s.Log.Error("a page can't be written", "page", a.template, "error", err)
	if out.begun {
		panic(http.ErrAbortHandler) // or the browser would take it for all
	}
	http.Error(w, "the page can't be written; the log of the server says why", http.StatusInternalServerError)
}

// begun is an answer whose status is written with the first of it.
type begun struct {
	w      http.ResponseWriter
	status int
	begun  bool
	err    error
}

// Write implements io.Writer.
func (b *begun) Write(p []byte) (n int, err error) {
	if !b.begun {
		b.begun = true
		b.w.WriteHeader(b.status)
	}
	n, err = b.w.Write(p)
	b.err = err
	return n, err
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
	late := documents.IsEnd(err) || errors.Is(err, errEnding)
	e := replies.AsError(err)
	if r.Context().Err() != nil || late && !errors.As(err, new(*replies.Error)) { // it doesn't say itself what it has waited for
		written := e.Written
		e = errEnding
		if s.Ending.Err() == nil {
			e = &replies.Error{Code: replies.CodeIOError, Message: replies.Say("it wasn't made within %v; other requests may hold it up, or it is about too much: try again, or ask for less", maxTime)}
		}
		if written {
			e = &replies.Error{Code: e.Code, Message: e.Message.Then("; something may have been written: look before you try again"), Written: true}
		}
	}
	status, ok := statuses[e.Code]
	var long *http.MaxBytesError
	switch {
	case late:
		status = http.StatusServiceUnavailable
	case errors.As(err, &long):
		status = http.StatusRequestEntityTooLarge
	case !ok:
		status = http.StatusInternalServerError
	}
	f := failure{frame: s.newFrame(r, "", "Not shown"), Heading: "This can’t be shown", Message: e.Message.String(), Lines: e.Lines(), Closest: e.Closest}
	if e.Path != "" {
		f.Message = e.Path + ": " + f.Message
	}
	if id := r.PostFormValue("id"); r.Method == http.MethodPost && id != "" {
		f.frame = s.newFrame(r, "changes", "Not taken back")
		f.Heading, f.Change, f.Lines, f.Parts = "This was not taken back", id, nil, partsOf(f.Lines)
		if e.Written {
			f.Title, f.Heading = "Written, and failed", "This failed after something was written"
		}
	}
	f.Wide, f.Live = true, ""
	return status, &answer{template: "failure.html", data: f}
}

// aloneSVG is the policy of an SVG that is opened by itself: nothing in it runs or is loaded.
const aloneSVG = "default-src 'none'; sandbox; frame-ancestors 'none'"

// picture answers with an image of the root.
func (s *site) picture(w http.ResponseWriter, r *http.Request) {
	const most = 16 << 20
	sent, end := context.WithCancel(r.Context())
	defer end()
	ctx, cancel := context.WithTimeout(documents.WithAnswered(sent), maxTime)
	defer cancel()
	work := s.Workspace.Begin(ctx, nil)
	defer work.End()
	data, media, err := s.Workspace.Picture(work, r.URL.Query().Get("path"), most)
	if err != nil {
		e, status := replies.ErrorAbout("", err), http.StatusNotFound
		if e.Code == replies.CodeTooComplex || documents.IsEnd(err) { // there is no room for it now
			status = http.StatusServiceUnavailable
		}
		http.Error(w, e.Error(), status)
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
