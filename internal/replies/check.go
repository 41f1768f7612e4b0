package replies

// The doctor looks at what has to be in order before an agent can work with the
// program, and says what to do where it is not. It changes nothing, and runs
// nothing that a repository could have brought along.

// Status is the outcome of a check.
type Status string

// The outcomes of a check.
const (
	StatusOK      Status = "ok"
	StatusWarning Status = "warning" // something that only some need is missing
	StatusFailed  Status = "failed"
)

// Check is one thing that was looked at.
type Check struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Message string `json:"message"`          // what was found, on one line
	Advice  string `json:"advice,omitempty"` // what to do, unless all is well
}

const MaxMessage = 300 // characters of what others say
