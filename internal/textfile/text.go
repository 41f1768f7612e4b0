package textfile

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileerror"
)

// TooLarge is the error for a file beyond the limit.
func TooLarge(path string, limit int64) error {
	return &fileerror.Error{Code: fileerror.TooLarge, Path: path, Reason: "larger than the limit of " + formatBytes(limit), Hint: "split it, or raise the limit with --max-bytes"}
}

// PartTooLarge is the error for a part of a file beyond the limit.
func PartTooLarge(path string, size, limit int64) error {
	return &fileerror.Error{
		Code: fileerror.TooLarge, Path: path, Reason: fmt.Sprintf("the part has %d bytes, and the limit is %s", size, formatBytes(limit)),
		Hint: "ask for a subsection, or raise the limit with --max-bytes",
	}
}

// UndividedTooLarge is the error for a file beyond the limit with something in it that can't be
// read in pieces: a line, paragraph, list, table or quote of so many bytes, or more; or, if it has
// blocks, a list, table or quote whose blocks take as many.
func UndividedTooLarge(path string, limit, piece int64, blocks bool) error {
	what := "line, paragraph, list, table or quote of more than " + formatBytes(piece)
	if blocks {
		what = "list, table or quote with so many blocks that they take more than " + formatBytes(piece) + " of memory"
	}
	return &fileerror.Error{
		Code: fileerror.TooLarge, Path: path, Reason: fmt.Sprintf("larger than the limit of %s, and has a %s, which can't be read in pieces", formatBytes(limit), what),
		Hint: "split it, or raise the limit with --max-bytes",
	}
}

// formatBytes renders a number of bytes for people.
func formatBytes(n int64) string {
	for _, unit := range []string{"bytes", "KiB", "MiB", "GiB"} {
		if n < 1024 || n%1024 != 0 || unit == "GiB" {
			return fmt.Sprint(n, " ", unit)
		}
		n /= 1024
	}
	return "" // not reached
}

// CheckText refuses what is no text, with a *fileerror.Error about the file at path.
func CheckText(path string, text []byte) error { return CheckPart(path, text, 0, 1) }

// CheckPart is CheckText for a part of a file, which begins at an offset in it and on the line
// of a number, from 1.
func CheckPart(path string, text []byte, start int64, line int) error {
	if i := bytes.IndexByte(text, 0); i >= 0 {
		reason, hint := fmt.Sprintf("it has a NUL byte at offset %d and is taken for binary", start+int64(i)), ""
		if encoding := wideEncoding(text); start == 0 && encoding != "" {
			reason, hint = "it is "+encoding, "convert it to UTF-8"
		}
		return &fileerror.Error{Code: fileerror.BinaryFile, Path: path, Reason: reason, Hint: hint}
	}
	if utf8.Valid(text) {
		return nil
	}
	offset := 0
	for {
		c, n := utf8.DecodeRune(text[offset:])
		if c == utf8.RuneError && n <= 1 {
			break
		}
		offset += n
	}
	before := text[:offset]
	line += bytes.Count(before, []byte("\n")) + bytes.Count(before, []byte("\r")) - bytes.Count(before, []byte("\r\n"))
	return &fileerror.Error{
		Code: fileerror.EncodingError, Path: path, Hint: "convert the file to UTF-8",
		Reason: fmt.Sprintf("byte 0x%02X at offset %d (line %d) is not UTF-8", text[offset], start+int64(offset), line),
	}
}

// wideEncoding returns the encoding of more than one byte a character whose byte order mark a text
// begins with, "" for none.
func wideEncoding(text []byte) string {
	for _, of := range [...]struct{ mark, encoding string }{
		{"\xFF\xFE\x00\x00", "UTF-32"}, {"\x00\x00\xFE\xFF", "UTF-32"}, {"\xFF\xFE", "UTF-16"}, {"\xFE\xFF", "UTF-16"},
	} {
		if bytes.HasPrefix(text, []byte(of.mark)) {
			return of.encoding
		}
	}
	return ""
}

// CheckNew refuses a text that no file may be written with, at most so many bytes, 0 for the usual
// limit. The error is a *fileerror.Error: TooLarge, BinaryFile or EncodingError.
func CheckNew(path string, data []byte, limit int64) error {
	limit = (&Reader{Limit: limit}).MaxBytes()
	switch at := bytes.IndexByte(data, 0); {
	case int64(len(data)) > limit:
		return TooLarge(path, limit)
	case at >= 0:
		return &fileerror.Error{
			Code: fileerror.BinaryFile, Path: path, Hint: "write it without",
			Reason: fmt.Sprintf("the new text has a NUL byte at offset %d", at),
		}
	case !utf8.Valid(data):
		return &fileerror.Error{Code: fileerror.EncodingError, Path: path, Reason: "the new text is not UTF-8", Hint: "write it in UTF-8"}
	}
	return nil
}
