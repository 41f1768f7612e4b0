package planning

import (
	"log/slog"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/plan"
)

// A plan is a text in a store: it is read, changed as a value, checked and written
// in one turn, under the store's lock. The verbs that change it are in
// change.go, those that only look in gather.go; inspect.go works on
// any text without a store.

// Plans reads and changes the plan of a project for one reader. It is safe for
// concurrent use.
//
// What the reader was shown is remembered, for positions of tasks are worth nothing in
// another text: see For, if there are several. All errors of its methods are
// *PlanError, or the context's.
type Plans struct {
	*planPlace
	shown *session.Plan // to the reader; nil for one whom nobody knows
}

// planPlace is where a project keeps its plan, for all readers.
type planPlace struct {
	options PlanOptions
	loader  *config.Loader

	mu     sync.Mutex
	opened *openPlans // the store for the settings as they last were; nil for none
}

// PlanOptions say where a project keeps its plan. What is left out is taken from
// the project's configuration.
type PlanOptions struct {
	Start    string // the folder from which the project is looked for, upwards; empty for the working directory
	UserFile string // the user's configuration; empty for the usual place, "-" for none
	// Roots are those of a server, in which the file of a plan must lie unless the user
	// names it; nil if it is the user who asks.
	Roots *files.Roots

	Store  string // auto, jj, git or file; empty for what is configured
	File   string // of the store file, below the project's root; empty for what is configured
	Preset string // the form of the plan; empty for what is configured

	// ReadOnly has reading write nothing at all, which Jujutsu does otherwise. What
	// writes must not be called.
	ReadOnly bool

	JJ, Git string        // the programs; empty for those in the PATH
	Timeout time.Duration // of one command; 0 for 10 seconds
	Stages  plan.Table    // nil for the usual ones
	// Guidance is that of the stages, by their names; nil for that of the usual ones.
	Guidance map[string]Guidance
	Log      *slog.Logger     // nil for none
	Marks    *replies.Marks   // of the server's replies; nil for none
	Now      func() time.Time // for claims; nil for time.Now
}

// NewPlans returns the plans of the project that Start lies in, for a reader to whom
// nothing was shown. Nothing is read before something is asked for.
func NewPlans(o PlanOptions) *Plans {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stages == nil {
		o.Stages = plan.Stages()
		o.Guidance = guidanceOf
	}
	return &Plans{&planPlace{options: o, loader: project.NewLoader(o.Start, o.UserFile, o.Roots)}, new(session.Plan)}
}

// For returns the same plans for the reader of a session; nil stands for one of many
// whom nobody knows, and from whom positions of tasks are taken with a version alone.
func (p *Plans) For(s *session.Session) *Plans { return &Plans{p.planPlace, s.Plan()} }

// PlanGather asks for the state of the plan and what to do next.
type PlanGather struct {
	IncludeDiff  bool
	MaxDiffBytes int // 0 for DefaultDiffBytes
	// Section is a part of a long plan: "goal", "description", "constraints", "tasks" or
	// "direction"; an address within the description; or a task with those below it, as in
	// PlanMark. Empty for all. Cursor reads on from where a reply has ended, to the end of what
	// that was asked for; notes of replies have cursors. With either, files are not looked at.
	Section, Cursor string
}

// The limits of the difference that PlanGather includes, in bytes.
const (
	DefaultDiffBytes = 8192
	MaxDiffBytes     = 30_000
)

// PlanGoal is the first line of a plan.
type PlanGoal struct {
	Type     string
	Scope    string
	Breaking bool
	Title    string
	// ReplaceExisting writes over a text that is no plan, or one that is none from
	// some line on.
	ReplaceExisting bool
	ExpectedVersion string // refuse if the plan has another one; empty for any
}

// PlanDetail is the description of a plan.
type PlanDetail struct {
	Description string
	Keep        bool // the description stays as it is; Description is not looked at
	// Constraints are a list of [key, value] or of "Key: value", decoded from JSON
	// or as a json.RawMessage. Nil keeps those that there are, an empty list clears
	// them.
	Constraints     any
	ExpectedVersion string
}

// PlanTasks are the tasks of a plan.
type PlanTasks struct {
	// Tasks are [[done, text, [children]]], or objects {text, done, subtasks}, decoded
	// from JSON or as a json.RawMessage; or a checklist, as a string.
	Tasks any
	// Lines, if there are any, take the place of lines of the stored text, counted from 1, and
	// Tasks isn't looked at: a text that is no plan from some line on is mended so. An empty
	// one takes its line out. It needs ExpectedVersion, for lines move.
	Lines           map[int]string
	ExpectedVersion string
}

// PlanMark names a task that is done, or open again; or that somebody begins.
type PlanMark struct {
	Task string // a position, an id, the words, or a part of them that no other task has
	Open bool   // the task is not done
	// Keep leaves the mark as it is: there is a claim or a note alone.
	Keep bool
	// Claim is the name of who works on the task from now on; empty for nobody. With it Task may
	// be empty, for any that can be begun.
	Claim string
	For   time.Duration // of the claim; 0 for DefaultClaim
	Note  string        // is kept at the task; empty for none

	ExpectedVersion string
}

// How long a claim counts.
const (
	DefaultClaim = 30 * time.Minute
	MinClaim     = time.Minute
	MaxClaim     = 7 * 24 * time.Hour
)

// PlanFinish ends a plan all of whose tasks are done.
type PlanFinish struct{ ExpectedVersion string }

// PlanNew begins a new plan.
type PlanNew struct {
	Force           bool // though tasks are open
	ExpectedVersion string
}

// PlanReply is a plan as it is now, and what was done about it. Text renders it for
// models (MCP), JSON for programs.
type PlanReply struct {
	Version string // changes when the text does
	Store   string // jj, git or file
	Where   string // in words that follow "in": "change qpvuntsm"
	Source  string // what is stored
	State   string // of the text: empty, parsed, unknown (it is no plan) or halted (it is one up to a line)

	Stage    PlanStage
	Document plan.Document // as far as the text is a plan
	Tasks    []PlanTask    // all, in the order of their lines
	Done     int           // tasks without subtasks that are done
	Total    int           // tasks without subtasks
	// Ready are the positions of the tasks that anybody may begin; nil if no task waits for
	// another or is claimed, and any that is open may be.
	Ready []string

	Did      string             // what was done, in a sentence; empty if nothing was asked for
	Changed  bool               // something was written
	Notes    []replies.Sentence // what else should be known
	Voice    replies.Voice      // in which what names requests is written out; nil for nobody in particular
	Problems []PlanProblem      // what is wrong with the text

	// Gather alone fills these.
	Gathered bool
	Changes  PlanChanges
	Diff     PlanDiff
	Others   []PlanListed // unfinished plans elsewhere, if there is none here

	// Mark is what every line of the text begins with that is none of the plan or of the
	// difference; empty if there is none. Marked sets it.
	Mark string

	Old *PlanOld // where the old plan stays, if New has begun another

	from   *place                   // from where on the plan is shown; nil for all of the reply
	show   func(positions []string) // notes the tasks that the reader is shown by it; nil for nothing
	unseen string                   // what is said of characters of the text that can't be seen
	brief  bool                     // of a long description only the beginning is shown, for nothing of it has changed
}

// PlanStage says how far a plan is.
type PlanStage struct {
	Number  int              `json:"number"`
	Shown   string           `json:"shown"` // such as "2/3"
	Last    int              `json:"last"`  // the number of the last stage
	Name    string           `json:"name"`
	Meaning string           `json:"meaning"` // a sentence
	Advice  replies.Sentence `json:"-"`       // what to do now; of Gather, and when the stage has changed
	// Next are the requests that come next, the most likely first.
	Next []replies.Call `json:"-"`
}

// PlanTask is a task with its position.
type PlanTask struct {
	ID     string `json:"id"` // "2.1.3" is the third subtask of the first subtask of the second task
	Text   string `json:"text"`
	Done   bool   `json:"done"`
	Depth  int    `json:"depth"`
	Parent bool   `json:"parent,omitempty"` // it has subtasks, and its mark follows from theirs
}

// PlanProblem is something about a line of a text, or a field of a document.
type PlanProblem struct {
	Line    int    `json:"line,omitempty"` // from 1; 0 if it is about no line
	Field   string `json:"field"`          // its path; "state" if the text is none, or no plan to its end
	Code    string `json:"code"`
	Message string `json:"message"`
	Halt    string `json:"halt,omitempty"`    // the parser's code for what it stopped at
	Warning bool   `json:"warning,omitempty"` // nothing need be done
}

// PlanChanges are the files that were changed.
type PlanChanges struct {
	Against string       `json:"against,omitempty"` // what they are compared with; empty if the store knows of no files
	Files   []PlanChange `json:"files"`
	More    int          `json:"more,omitempty"`
	Hidden  int          `json:"hidden,omitempty"`  // files that the server may not read
	Unknown string       `json:"unknown,omitempty"` // why they can't be told
}

// PlanDiff is the difference of the changed files. The zero value says that there is
// none, or that nobody asked for it.
type PlanDiff struct {
	Text    string `json:"text"`              // whole lines, unless one is longer than the limit
	Cut     string `json:"cut,omitempty"`     // what is left out; empty if nothing is
	Unknown string `json:"unknown,omitempty"` // why it can't be told
}

// PlanChange is one of them.
type PlanChange struct {
	Status string `json:"status"`
	Path   string `json:"path"`
}

// PlanListed is one of the plans that a project has.
type PlanListed struct {
	Name      string `json:"name"` // for Adopt
	Where     string `json:"where"`
	Title     string `json:"title"` // the first line, at most 200 characters of it
	Stage     string `json:"stage"` // its number as it is shown
	Done      int    `json:"done"`
	Total     int    `json:"total"`
	Current   bool   `json:"current"`
	Open      bool   `json:"open"`                // it is not finished
	Halted    bool   `json:"halted,omitempty"`    // only the beginning of the text is a plan, and the tasks are those in there
	Orphan    bool   `json:"orphan,omitempty"`    // its branch or worktree is gone, the worktree has a branch now, or a message has taken its place
	Workspace string `json:"workspace,omitempty"` // another one that works on it
	Continue  string `json:"continue,omitempty"`  // the command that goes on with it

	Unreadable string `json:"unreadable,omitempty"` // why its text can't be read
	Hint       string `json:"hint,omitempty"`       // what to do about that

	gone string // which of these it is, of an Orphan
}

// PlanOld is where a plan stays when a new one was begun.
type PlanOld struct {
	Name  string `json:"name"`
	Where string `json:"where"`
	See   string `json:"see,omitempty"` // a command that shows it
}
