package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
)

// write writes a file into a folder of the test's.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// codeOf returns the code of a *fileerror.Error, or what else err is.
func codeOf(err error) fileerror.Code {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return e.Code
	}
	if err != nil {
		return fileerror.Code(err.Error())
	}
	return ""
}
