package engine

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
)

// CredentialsVariable is the variable of the environment that holds credentials.
const CredentialsVariable = "SECTILE_SEARCH_CREDENTIALS" //nolint:gosec // a name

// maxCredentials is the size of credentials in bytes.
const maxCredentials = 16 << 10

// Credentials returns those of the environment, or of a file, empty if there are none. A file
// must be the user's, or root's, and nobody else's to read. The error is an *Error, and doesn't
// name the file: clients of a server are told of it, who asked for no place on the machine.
func Credentials(file string) (string, error) {
	if given := os.Getenv(CredentialsVariable); given != "" || file == "" {
		return given, nil
	}
	f, err := os.OpenFile(file, fileinfo.OpenFlags, 0) // a pipe isn't waited for
	if err != nil {
		return "", unreadable(err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", unreadable(err)
	case !info.Mode().IsRegular():
		return "", errorOf(Misused, "%s is no file", credentialsFile)
	case !fileinfo.OwnedByUserOrRoot(info):
		return "", errorOf(Misused, "%s belongs to %s; make one of your own", credentialsFile, fileinfo.OwnerName(info))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", errorOf(Misused, "%s can be opened by others; take that from them with chmod 600", credentialsFile)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxCredentials+1))
	if err != nil {
		return "", unreadable(err)
	}
	given := strings.TrimSpace(string(text))
	if given == "" {
		return "", errorOf(Misused, "%s is empty; write USER:PASSWORD into it, or ApiKey and the key", credentialsFile)
	}
	return given, nil
}

// credentialsFile names the file in errors.
const credentialsFile = "the file with the credentials (search.credentials in your own configuration)"

// unreadable is the error for a file that can't be read.
func unreadable(err error) *Error {
	why := err
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		why = e.Err
	}
	return &Error{Code: Misused, Message: fmt.Sprintf("%s can't be read: %v", credentialsFile, why), Err: err}
}

// authorization returns what the header Authorization has for credentials.
func authorization(given string) (string, error) {
	if len(given) > maxCredentials || strings.ContainsFunc(given, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return "", errorOf(Misused, "the credentials are more than a line; write USER:PASSWORD, or ApiKey and the key")
	}
	for _, scheme := range []string{"ApiKey ", "Bearer ", "Basic "} {
		if strings.HasPrefix(given, scheme) {
			return given, nil
		}
	}
	switch {
	case given == "":
		return "", nil
	case !strings.Contains(given, ":"):
		return "", errorOf(Misused, "the credentials have no colon; write USER:PASSWORD, or ApiKey and the key")
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(given)), nil
}
