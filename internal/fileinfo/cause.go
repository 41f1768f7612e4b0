package fileinfo

import "errors"

// Cause returns the innermost error, the first of several that were joined: those
// around it name paths of the host.
func Cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
			inner = joined.Unwrap()[0]
		}
		if inner == nil {
			return err
		}
		err = inner
	}
}
