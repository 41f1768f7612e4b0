package engine

import (
	"bytes"
	"context"
	"io"
)

// What an engine answers is in no budget of memory, so its size is bounded here: that of the
// text, of what the text becomes, and how many large ones there are at a time.
const (
	smallAnswer  = 1 << 20  // bytes of an answer that waits for no other one
	smallObjects = 2000     // objects in such an answer, each of some hundred bytes once it is decoded
	maxAnswer    = 64 << 20 // bytes
	maxObjects   = 250_000
	maxValues    = 5_000_000 // in lists and objects
)

// read returns the body of an answer, and what is to be called when it isn't needed any more,
// never nil. The error is an *Error, or that of the context.
func (c *Client) read(ctx context.Context, body io.Reader) (text []byte, done func(), err error) {
	done = func() {}
	text, err = io.ReadAll(io.LimitReader(body, smallAnswer+1))
	if err != nil {
		return nil, done, c.unreachable(err)
	}
	if objects, _ := sizes(text); len(text) <= smallAnswer && objects <= smallObjects {
		return text, done, nil
	}
	select {
	case c.large <- struct{}{}:
	case <-ctx.Done():
		return nil, done, ctx.Err()
	}
	done = func() { <-c.large }
	rest, err := io.ReadAll(io.LimitReader(body, maxAnswer-smallAnswer))
	if err != nil {
		return nil, done, c.unreachable(err)
	}
	text = append(text, rest...)
	if len(text) > maxAnswer {
		return nil, done, errorOf(Strange, "%s answers with more than %d MiB", c.URL(), maxAnswer>>20)
	}
	if objects, values := sizes(text); objects > maxObjects || values > maxValues {
		return nil, done, errorOf(Strange, "%s answers with more than an engine has to say; check the address", c.URL())
	}
	return text, done, nil
}

// sizes returns the numbers of objects and of other values in a text in JSON, those of values no
// less than there are; it ends where one is beyond what an answer may have. What is in a list
// counts as an object, for one is made for each entry of a list of them, also for what is none.
func sizes(text []byte) (objects, values int) {
	var lists []bool // what is open, the outermost first: whether it is a list and no object
	for objects <= maxObjects && values <= maxValues {
		at := bytes.IndexAny(text, `"{}[],`)
		if at < 0 {
			break
		}
		c, inList := text[at], len(lists) > 0 && lists[len(lists)-1]
		text = text[at+1:]
		switch {
		case c == '"':
			text = afterString(text)
		case c == '{' || c == '[':
			if lists = append(lists, c == '['); c == '[' || !inList { // a list has an entry, if only one that is not there
				objects++
			}
		case c == ',' && inList:
			objects++
		case c == ',':
			values++
		default:
			lists = lists[:max(len(lists)-1, 0)]
		}
	}
	return objects, values
}

// afterString returns what follows a string of JSON whose first quotation mark is before text.
func afterString(text []byte) []byte {
	for {
		at := bytes.IndexAny(text, `"\`)
		switch {
		case at < 0:
			return nil
		case text[at] == '"':
			return text[at+1:]
		}
		text = text[min(at+2, len(text)):]
	}
}

// areCounts reports whether an engine can have counted so many documents, sections or bytes.
func areCounts(counts ...float64) bool {
	for _, n := range counts {
		if n < 0 || n > 1<<52 {
			return false
		}
	}
	return true
}
