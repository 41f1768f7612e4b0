package toolargs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
)

// Models write "2" for 2, a string that holds an array for the array, filePath for
// file_path. What has one meaning is taken as that; everything else is refused
// with the words that make the next try succeed, for an argument that is ignored
// looks like one that was heard. Values are looked at only as deep as the
// declaration goes, so that no nesting costs anything.

const (
	maxAnything = 1 << 20 // bytes of JSON that is decoded as it is
	maxElements = 10_000  // of an array, and members of an object
	maxQuoted   = 60      // characters of what an error quotes
	maxHelp     = 120     // characters of an argument's help in an error
	maxUnknown  = 240     // characters of the unknown names in an error
	maxMessage  = 580     // characters of an error without its code

	maxToldErrors = 8   // of the elements of a list, besides the first
	maxDetail     = 160 // characters of such an error
)

// Values are those of a call, or of an object among them, as they are declared and as
// they were given. An empty text or list was given, null wasn't.
type Values struct {
	declared []Argument
	values   map[string]any // string, int, bool, []string, []Values or decoded JSON, by name
}

// Text returns the text that was given for an argument.
func (a *Values) Text(name string) (text string, given bool) {
	text, given = a.values[name].(string)
	return text, given
}

// Change puts what change makes of them in the place of the texts that were given for arguments of
// these names, those in lists and in objects too. It ends with the first error of change.
func (a *Values) Change(change func(text string) (string, error), names ...string) (err error) {
	for i := range a.declared {
		name := a.declared[i].Name
		isNamed := slices.Contains(names, name)
		switch value := a.values[name].(type) {
		case string:
			if isNamed {
				a.values[name], err = change(value)
			}
		case []string:
			for i := 0; isNamed && i < len(value) && err == nil; i++ {
				value[i], err = change(value[i])
			}
		case []Values:
			for i := 0; i < len(value) && err == nil; i++ {
				err = value[i].Change(change, names...)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Integer returns the whole number that was given for an argument.
func (a *Values) Integer(name string) (n int, given bool) {
	n, given = a.values[name].(int)
	return n, given
}

// Decode reads the arguments of a call as declared by args. The error is an
// *replies.Error whose code is invalid_argument or unknown_argument and whose message
// is one line of less than 600 characters.
func Decode(args []Argument, raw json.RawMessage) (Values, error) {
	raw = bytes.TrimSpace(raw)
	none := Values{declared: args}
	if len(raw) == 0 || isNull(raw) {
		return none, missing(args, "", nil)
	}
	if !json.Valid(raw) {
		return none, refuse(replies.CodeInvalidArgument, "", "the arguments are no valid JSON; send an object such as "+example(args))
	}
	return decodeObject(args, "", raw)
}

// decodeObject reads the members of an object, or of a string that holds one.
// Place names it in errors; it is empty for the arguments themselves.
func decodeObject(args []Argument, place string, raw json.RawMessage) (Values, error) {
	a := Values{declared: args, values: map[string]any{}}
	held := holds(raw)
	if held[0] != '{' {
		return a, wrong(place, "an object such as "+example(args), raw)
	}
	list, err := members(place, held)
	if err != nil {
		return a, err
	}
	var unknown []string
	for i := range list {
		if list[i].arg = find(args, list[i].name); list[i].arg == nil {
			unknown = append(unknown, list[i].name)
		}
	}
	if len(unknown) > 0 {
		return a, strangers(args, place, unknown)
	}
	names := map[string]string{} // what each argument was called
	for _, m := range list {
		value, err := m.arg.read(join(place, m.arg.Name), m.value)
		if err != nil {
			return a, err
		}
		if value == nil {
			continue
		}
		if before, twice := a.values[m.arg.Name]; twice && !reflect.DeepEqual(before, value) {
			return a, refuse(replies.CodeInvalidArgument, place, fmt.Sprintf(
				"%s and %s mean the same argument and have different values; give %s alone",
				runes.Clip(names[m.arg.Name], maxQuoted), runes.Clip(m.name, maxQuoted), m.arg.Name))
		}
		a.values[m.arg.Name], names[m.arg.Name] = value, m.name
	}
	return a, missing(args, place, a.values)
}

// member is a name in an object and its value, and what is meant by the name.
type member struct {
	name  string
	value json.RawMessage
	arg   *Argument
}

// members returns the members of an object in their order.
func members(place string, raw json.RawMessage) ([]member, error) {
	var list []member
	for m := range rawjson.Members(raw) {
		switch {
		case m.Again:
			return nil, refuse(replies.CodeInvalidArgument, place, quoted(m.Name)+" is given twice; give it once")
		case len(list) == maxElements:
			return nil, refuse(replies.CodeInvalidArgument, place, fmt.Sprintf("more than %d names are given", maxElements))
		}
		list = append(list, member{name: m.Name, value: m.Value})
	}
	return list, nil
}

// read returns the value of an argument as arguments keeps it, nil if the argument
// counts as absent: null always does, a blank string does where it can't be a
// value. A blank guard is an error.
func (g *Argument) read(place string, raw json.RawMessage) (any, error) {
	switch {
	case isNull(raw):
		return nil, nil
	case g.Guard != "" && isBlank(raw):
		// Whoever gives a guard wants one: without it the call would be another.
		return nil, refuse(replies.CodeInvalidArgument, place, "it is empty and would guard nothing; leave it out or give "+g.Guard)
	case (g.Kind != Text || len(g.Options) > 0) && isBlank(raw):
		return nil, nil
	}
	switch g.Kind {
	case Integer:
		n, ok := wholeNumber(scalar(raw))
		if !ok || n < g.Min || g.Max != 0 && n > g.Max {
			what := fmt.Sprintf("a whole number of at least %d", g.Min)
			if g.Max != 0 {
				what = fmt.Sprintf("a whole number from %d to %d", g.Min, g.Max)
			}
			return nil, wrong(place, what, raw)
		}
		return n, nil
	case Boolean:
		switch strings.ToLower(scalar(raw)) {
		case "true", "yes", "1":
			return true, nil
		case "false", "no", "0":
			return false, nil
		}
		return nil, wrong(place, "true or false", raw)
	case Texts:
		return g.readTexts(place, raw)
	case Object:
		object, err := decodeObject(g.Fields, place, raw)
		return []Values{object}, err
	case Objects:
		return g.readObjects(place, raw)
	case Anything:
		return readAnything(place, raw)
	}
	return g.readText(place, raw)
}

// readText returns a string as it is, and a number or truth value as it is
// written: a heading may be called 2024.
func (g *Argument) readText(place string, raw json.RawMessage) (string, error) {
	var text string
	switch raw[0] {
	case '{', '[', 'n':
		return "", wrong(place, "a text", raw)
	case '"':
		var whole bool
		if text, whole = rawjson.Text(raw); !whole {
			return "", refuse(replies.CodeInvalidArgument, place, rawjson.Broken)
		}
	default:
		text = string(raw)
	}
	if len(g.Options) == 0 {
		return text, nil
	}
	for _, option := range g.Options {
		if strings.EqualFold(option, strings.TrimSpace(text)) {
			return option, nil
		}
	}
	if g.Lenient {
		return text, nil
	}
	options := "one of " + strings.Join(g.Options, ", ")
	if near := nearest.Names(text, g.Options, 1); near != nil && len(text) > 2 {
		options += " (did you mean " + near[0] + "?)"
	}
	return "", wrong(place, options, raw)
}

// readAnything returns decoded JSON, or what a string holds of it.
func readAnything(place string, raw json.RawMessage) (value any, err error) {
	switch raw = holds(raw); {
	case len(raw) > maxAnything:
		return nil, refuse(replies.CodeInvalidArgument, place, fmt.Sprintf("it has more than %d bytes; send less", maxAnything))
	case !rawjson.IsWhole(raw):
		return nil, refuse(replies.CodeInvalidArgument, place, rawjson.Broken)
	}
	numbers := json.NewDecoder(bytes.NewReader(raw))
	numbers.UseNumber()                           // so that none is rounded
	if err = numbers.Decode(&value); err != nil { // it is nested too deep
		return nil, refuse(replies.CodeInvalidArgument, place, "it can't be read: "+err.Error()+"; send it in a simpler form")
	}
	return value, nil
}

// readTexts returns the texts of an array, of a string that holds an array of
// strings, or the one text that stands there instead. A heading "[2024]" is such
// a text, though it looks like an array.
func (g *Argument) readTexts(place string, raw json.RawMessage) ([]string, error) {
	if held := holds(raw); raw[0] == '"' && held[0] == '[' && onlyStrings(held) {
		raw = held
	}
	if raw[0] == '{' {
		return nil, wrong(place, "a list of texts", raw)
	}
	if raw[0] != '[' {
		text, err := g.readText(place, raw)
		return []string{text}, err
	}
	list := []string{}
	err := eachElement(place, raw, func(place string, raw json.RawMessage) error {
		text, err := g.readText(place, raw)
		list = append(list, text)
		return err
	})
	return list, err
}

// readObjects returns the objects of an array or of a string that holds one, or
// the one object that stands there instead. The error is about all that are wrong.
func (g *Argument) readObjects(place string, raw json.RawMessage) ([]Values, error) {
	list := []Values{}
	var errs []error
	add := func(place string, raw json.RawMessage) error {
		object, err := decodeObject(g.Fields, place, raw)
		list = append(list, object)
		if err != nil {
			errs = append(errs, err)
		}
		return nil
	}
	switch held := holds(raw); held[0] {
	case '[':
		if err := eachElement(place, held, add); err != nil {
			return nil, err
		}
	case '{':
		_ = add(place, held) // it never fails
	default:
		return nil, wrong(place, "a list of objects such as ["+example(g.Fields)+"]", raw)
	}
	return list, together(errs)
}

// together makes one error of those about the elements of a list: the first, with
// what the next ones tell as details. It is nil if there are none.
func together(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	first := *replies.AsError(errs[0])
	for i, err := range errs[1:] {
		if i == maxToldErrors {
			first.Details = append(first.Details, fmt.Sprintf("and %d more", len(errs)-1-i))
			break
		}
		first.Details = append(first.Details, runes.Clip(replies.AsError(err).Error(), maxDetail))
	}
	return &first
}

// eachElement calls f with each element of an array and its place, until f fails.
func eachElement(place string, raw json.RawMessage, f func(place string, raw json.RawMessage) error) error {
	n := 0
	for part := range rawjson.Parts(raw) {
		if n == maxElements {
			return refuse(replies.CodeInvalidArgument, place, fmt.Sprintf("it has more than %d elements; send fewer", maxElements))
		}
		if err := f(place+"["+strconv.Itoa(n)+"]", part); err != nil {
			return err
		}
		n++
	}
	return nil
}

// wholeNumber reads a number that has no fraction, however it is written: 2, 2.0,
// 20e-1. No digit is lost.
func wholeNumber(s string) (int, bool) {
	if len(s) > maxQuoted || strings.TrimLeft(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		// 1e1000000 is a whole number too, and a million digits.
		if exponent, err := strconv.Atoi(s[i+1:]); err != nil || exponent < -maxQuoted || exponent > maxQuoted {
			return 0, false
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || !r.IsInt() {
		return 0, false
	}
	n, err := strconv.Atoi(r.Num().String())
	return n, err == nil
}
