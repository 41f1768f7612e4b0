package editing

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/replies"
)

// ReadRows reads the rows of a table: a list of lists in JSON if the text begins with one, else
// CSV. The error is an *Error.
func ReadRows(text string) ([][]string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	trimmed := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(trimmed, "["); ok && strings.IndexAny(strings.TrimSpace(rest), "[]") == 0 {
		if raw := json.RawMessage(trimmed); !rawjson.IsWhole(raw) {
			return nil, noRows(replies.Say("%s", rawjson.Broken))
		}
		var value any
		numbers := json.NewDecoder(bytes.NewReader([]byte(trimmed)))
		numbers.UseNumber() // so that none is written otherwise
		if err := numbers.Decode(&value); err != nil {
			return nil, noRows(replies.Say("they can't be read: %s", replies.Safe(err.Error())))
		}
		if _, err := numbers.Token(); !errors.Is(err, io.EOF) {
			return nil, noRows(replies.Say("more stands behind the list; send one list of all rows"))
		}
		return RowsOf(value)
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1 // what is wrong with them is told by their numbers
	rows := [][]string{}
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

// RowsOf returns the rows that decoded JSON is, with numbers as json.Number, or the text of them.
// The error is an *Error.
func RowsOf(value any) ([][]string, error) {
	if text, ok := value.(string); ok {
		return ReadRows(text)
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
			case string, bool, json.Number:
				rows[i][k] = fmt.Sprint(cell)
			default:
				return nil, noRows(replies.Say("cell %d of row %d is no text, number, truth value or null", k+1, i+1))
			}
		}
	}
	return rows, nil
}

// noRows is the error for what are no rows.
func noRows(why replies.Sentence) error {
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s: %s", replies.Rows, why)}
}
