package syntax

import "bytes"

// Rows of tables (GFM 4.10).

// DelimiterCells returns the number of cells of the delimiter row from i on, or
// 0 if the line is none. One without a pipe needs a colon: "---" underlines.
func DelimiterCells(line []byte, i int) int {
	end := TrimBlanks(line, i, len(line))
	marked := false
	if i < end && line[i] == '|' {
		i++
		marked = true
	}
	for cells := 1; ; cells++ {
		i = SkipBlanks(line, i)
		colons := 0
		if i < end && line[i] == ':' {
			i++
			colons++
		}
		dashes := i
		for i < end && line[i] == '-' {
			i++
		}
		if i == dashes {
			return 0
		}
		if i < end && line[i] == ':' {
			i++
			colons++
		}
		marked = marked || colons > 0
		i = min(SkipBlanks(line, i), end)
		if i < end && line[i] != '|' {
			return 0
		}
		if i == end && !marked {
			return 0
		}
		if i+1 >= end {
			return cells
		}
		marked = true
		i++
	}
}

// NextCell returns the range of the cell's text in row that begins at i, and
// where the next cell begins, or -1 after the last one.
func NextCell(row []byte, i int) (start, end, next int) {
	start, end, next = SkipBlanks(row, i), len(row), -1
	for i = start; ; i++ {
		pipe := bytes.IndexByte(row[i:], '|')
		if pipe < 0 {
			break
		}
		i += pipe
		if escaped(row[start:i]) {
			continue
		}
		end = i
		if i+1 < len(row) {
			next = i + 1
		}
		break
	}
	return start, TrimBlanks(row, start, end), next
}

// escaped reports whether a backslash at the end of text escapes what follows.
func escaped(text []byte) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// FirstCell returns row without trailing blanks and where its first cell begins,
// or -1 if it has none.
func FirstCell(row []byte) (trimmed []byte, i int) {
	row = row[:TrimBlanks(row, 0, len(row))]
	if len(row) > 0 && row[0] == '|' {
		i = 1
	}
	if i == len(row) {
		return row, -1
	}
	return row, i
}

// RowCells returns the number of cells in row, or limit+1 if there are more.
func RowCells(row []byte, limit int) int {
	n := 0
	row, i := FirstCell(row)
	for i >= 0 && n <= limit {
		_, _, i = NextCell(row, i)
		n++
	}
	return n
}
