package sent

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/replies"
)

// ReadRows reads the rows of a table from a file of the host, or standard input, as ReadText
// does: a list of lists in JSON if the text begins with one, else CSV. What they take is
// reserved until the request ends. The error is a *replies.Error.
func ReadRows(docs documents.Set) ([][]string, error) {
	var l *documents.Lease
	defer func() { l.Release() }()
	text, err := readText(docs, func(size int64) error {
		l.Release() // a stream is asked about again as it goes on
		var err error
		if l, err = docs.Work.Borrow(textCopies*size, nil); err != nil {
			return tooManyRows(replies.Say("%d bytes", size))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rowsOfText(docs.Work, text)
}

// textCopies is how often a text is there while it is read, at most: in a buffer that grows, too.
const textCopies = 3

// rowsOfText reads rows from a text.
func rowsOfText(work *documents.Work, text string) ([][]string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.Contains(text, "\n") { // package csv takes none for the end of a row
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	trimmed := strings.TrimSpace(text)
	rest, isList := strings.CutPrefix(trimmed, "[")
	isList = isList && strings.IndexAny(strings.TrimSpace(rest), "[]") == 0
	lines := strings.Count(text, "\n") + 1
	if err := reserveRows(work, text, lines, isList); err != nil {
		return nil, err
	}
	if isList {
		return rowsOfJSON(trimmed)
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1 // what is wrong with them is told by their numbers
	rows := make([][]string, 0, lines)
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, noRows(replies.Say("they are no CSV: %s; write a quote in a quoted cell twice, or send a list of lists in JSON", replies.Safe(err.Error())))
		}
		rows = append(rows, row)
	}
}

// What rows take in bytes: each, and each cell, beside the text. Of JSON the values are there too.
const (
	perRow, perCell = 40, 18
	perValue        = 100
)

// reserveRows reserves what the rows in a text take, until the request ends.
func reserveRows(work *documents.Work, text string, lines int, isList bool) error {
	cells := int64(strings.Count(text, ",") + lines)
	bytes := int64(len(text)) + perRow*int64(lines) + perCell*cells
	if isList {
		bytes = textCopies*int64(len(text)) + perValue*(cells+int64(strings.Count(text, "[")))
	}
	table := int64(len(text)) + int64(len(" | ")-len(","))*cells
	if !work.MayHave(table, cells+int64(lines)) || work.HoldBytes(bytes, nil) != nil {
		return tooManyRows(replies.Say("%d bytes with about %d cells", len(text), cells))
	}
	return nil
}

// tooManyRows is the error for rows that there is no memory for.
func tooManyRows(size replies.Sentence) error {
	e := noRows(size.Then(" take more memory than there is; add the rows in several edits, or raise the memory of the program with --max-memory"))
	e.Code = replies.CodeTooComplex
	return e
}

// rowsOfJSON reads rows from a list of lists.
func rowsOfJSON(list string) ([][]string, error) {
	if !rawjson.IsWhole(json.RawMessage(list)) {
		return nil, noRows(replies.Say("%s", rawjson.Broken))
	}
	var value any
	numbers := json.NewDecoder(strings.NewReader(list))
	numbers.UseNumber() // so that none is written otherwise
	if err := numbers.Decode(&value); err != nil {
		return nil, noRows(replies.Say("they can't be read: %s", replies.Safe(err.Error())))
	}
	if _, err := numbers.Token(); !errors.Is(err, io.EOF) {
		return nil, noRows(replies.Say("more stands behind the list; send one list of all rows"))
	}
	return RowsOf(nil, value)
}

// RowsOf returns the rows that decoded JSON is, with numbers as json.Number, or the text of them,
// for whose rows memory is reserved. The error is a *replies.Error.
func RowsOf(work *documents.Work, value any) ([][]string, error) {
	if text, ok := value.(string); ok {
		return rowsOfText(work, text)
	}
	list, ok := value.([]any)
	if !ok {
		return nil, noRows(replies.Say(`they should be a list of lists, such as [["Name", "Price"], ["Apple", 1]]`))
	}
	rows := make([][]string, len(list))
	for i, item := range list {
		cells, ok := item.([]any)
		if !ok {
			return nil, noRows(replies.Say("row %d is no list of cells", i+1))
		}
		rows[i] = make([]string, len(cells))
		for k, cell := range cells {
			switch cell := cell.(type) {
			case nil:
			case string:
				rows[i][k] = cell
			case json.Number:
				rows[i][k] = cell.String()
			case bool:
				rows[i][k] = strconv.FormatBool(cell)
			default:
				return nil, noRows(replies.Say("cell %d of row %d is no text, number, truth value or null", k+1, i+1))
			}
		}
	}
	return rows, nil
}

// noRows is the error for what are no rows.
func noRows(why replies.Sentence) *replies.Error {
	return replies.Invalid(replies.Say("%s: %s", replies.Rows, why))
}
