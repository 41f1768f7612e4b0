package replies

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

// MaxMessage is the number of characters of what others say, in the message of a check.
const MaxMessage = 300
