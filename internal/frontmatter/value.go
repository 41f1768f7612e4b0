package frontmatter

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/rawjson"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Value is what a key is set to. Make one with ParseValue.
type Value struct {
	node  *Node
	plain bool // a text that is no JSON, and so may be meant as a date
}

// textValue returns the value that a text is.
func textValue(s string) Value { return Value{node: &Node{Kind: String, Text: s}, plain: true} }

// ParseValue reads a value: JSON, or else a text, which is a date where it stands for another
// date, and in TOML also where it stands for no text. A text of one line is taken without white
// space around it, one of several lines as it is, the last line ending too. What begins as a text in quotes, a
// list or an object of JSON does must be one, whole, with each member once. The error is an
// *Error with the reason Invalid.
func ParseValue(s string) (Value, error) {
	if len(s) > maxSize {
		return Value{}, wrong(Invalid, "the value has more than %d bytes, which front matter may have as a whole", maxSize)
	}
	if values(s) > maxValues {
		return Value{}, wrong(Invalid, "the value has more than %d lines and items, which front matter may have as a whole", maxValues)
	}
	trimmed := strings.Trim(s, " \t\r\n")
	if !json.Valid([]byte(trimmed)) {
		if trimmed != "" && strings.IndexByte(`"[{`, trimmed[0]) >= 0 {
			return Value{}, wrong(Invalid, "the value begins like JSON and is none; close what it opens, or write a text in double quotes")
		}
		if strings.Contains(trimmed, "\n") {
			return textValue(s), nil
		}
		return textValue(trimmed), nil
	}
	if rawjson.Nesting([]byte(trimmed)) > maxNesting {
		return Value{}, wrong(Invalid, "the value has more than %d lists and objects in each other", maxNesting)
	}
	if !rawjson.IsWhole([]byte(trimmed)) {
		return Value{}, wrong(Invalid, "the value is not whole: %s", rawjson.Broken)
	}
	node, err := fromJSON([]byte(trimmed))
	if err != nil {
		return Value{}, err
	}
	return Value{node: node}, nil
}

// fromJSON returns the node of valid JSON.
func fromJSON(raw []byte) (*Node, *Error) {
	n := &Node{}
	switch raw[0] {
	case 'n':
	case 't', 'f':
		n.Kind, n.Text = Bool, string(raw)
	case '"':
		n.Kind = String
		n.Text, _ = rawjson.Text(raw)
	case '[':
		n.Kind = List
		for part := range rawjson.Parts(raw) {
			value, err := fromJSON(part)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, Item{Value: value})
		}
	case '{':
		n.Kind = Map
		for m := range rawjson.Members(raw) {
			if m.Again {
				return nil, wrong(Invalid, "the value has the member %q twice; give it once", m.Name)
			}
			value, err := fromJSON(m.Value)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, Item{Key: &Node{Kind: String, Text: m.Name}, Value: value})
		}
	default:
		return numberOf(string(raw))
	}
	return n, nil
}

// numberOf returns the node of a number, which must be the same one where it is written and read.
func numberOf(s string) (*Node, *Error) {
	if !strings.ContainsAny(s, ".eE") {
		return &Node{Kind: Int, Text: number(Int, s)}, nil
	}
	text, isHeld := decimal(s)
	switch {
	case text == "":
		return nil, wrong(Invalid, "the number %s is too large; write it as a text in quotes", s)
	case !isHeld:
		return nil, wrong(Invalid, "the number %s is another one where it is read with the usual 64 bits; write it without an exponent, or as a text in quotes", s)
	}
	return &Node{Kind: Float, Text: text}, nil
}

// decimal returns a number with a fraction or an exponent as it is written, and compared with others:
// with the digits that it has, and one with an exponent so that all readers take it for a number.
// isHeld says that it is no other one then than 64 bits hold. The text is empty for one that has no
// digits, or is too large.
func decimal(s string) (text string, isHeld bool) {
	text = strings.TrimPrefix(strings.ReplaceAll(s, "_", ""), "+")
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
		return "", false
	case !strings.ContainsAny(text, "eE"):
		return text, true
	}
	short := float(strconv.FormatFloat(f, 'g', -1, 64))
	if digits(short) != digits(text) {
		return text, false
	}
	return short, true
}

// numeral returns a number of front matter as it is compared.
func numeral(k Kind, s string) string {
	if k == Float {
		if text, _ := decimal(s); text != "" {
			return text
		}
	}
	return number(k, s)
}

// float returns a number that every reader takes for one with a fraction.
func float(s string) string {
	mantissa, exponent, _ := strings.Cut(s, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if exponent == "" {
		return mantissa
	}
	return mantissa + "e" + exponent
}

// digits returns those of a number before its exponent, without zeros at their start and end.
func digits(s string) string {
	s, _, _ = strings.Cut(strings.ToLower(s), "e")
	return strings.Trim(strings.NewReplacer(".", "", "-", "").Replace(s), "0")
}
