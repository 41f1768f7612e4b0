package toolargs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
)

// A tool declares its arguments once, as the fields of a struct (declare.go). The schema
// that clients show to a model and the decoding of a call are both made from the
// declaration, so that they agree.
//
// The schema is written by hand: a list of tools is read by a model before its
// first word, and every byte of it counts. It never has an array of types, which
// some clients refuse, and no additionalProperties: a stranger is answered by
// Decode, which names the argument that was meant.

// Kind is what an argument's value is.
type Kind uint8

// The kinds of values.
const (
	Text    Kind = iota
	Integer      // whole numbers that an int holds
	Boolean
	Texts    // an array of texts
	Object   // an object with fields of its own
	Objects  // an array of such objects
	Anything // any JSON, whose shape the schema tells and who runs the tool checks
)

// Argument is one that a tool takes.
type Argument struct {
	Name     string
	Kind     Kind
	Help     string // for the schema; may be empty when the name says it all
	Required bool   // a text is then not empty either, unless Empty is set
	Empty    bool   // of required texts: an empty one is a value too
	Guard    string // of arguments that keep a call from writing: what to give, such as "the hash"

	Options  []string   // the values that a text may have, matched without case; none for any
	Lenient  bool       // the options are for the schema: another text is left to who runs the tool
	Min, Max int        // of integers; max 0 for none
	Again    bool       // another tool beside has the same: the schema tells neither help nor limits again
	Hidden   bool       // it is taken, because models send it, and told to nobody
	Default  string     // the default as JSON, for the schema; empty for none
	Aliases  []string   // other names that are accepted
	Fields   []Argument // of objects
	Shape    string     // of any JSON: the members of its schema
	Sample   string     // of any JSON: a value, for errors
}

// Schema returns the JSON Schema of a tool's arguments, on one line: properties
// in the order of the declaration, the names of what is required, nothing else.
func Schema(args []Argument) json.RawMessage {
	return appendObjectSchema([]byte{'{'}, args)
}

// appendObjectSchema appends the rest of the schema of an object, with the closing
// brace.
func appendObjectSchema(dst []byte, args []Argument) []byte {
	dst = append(dst, `"type":"object","properties":{`...)
	var required []string
	for i, told := 0, 0; i < len(args); i++ {
		arg := &args[i]
		if arg.Hidden {
			continue
		}
		if told++; told > 1 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, arg.Name)
		dst = append(dst, ':')
		dst = arg.appendSchema(dst)
		if arg.Required {
			required = append(required, arg.Name)
		}
	}
	dst = append(dst, '}')
	if len(required) > 0 {
		dst = append(dst, `,"required":`...)
		dst = appendTexts(dst, required)
	}
	return append(dst, '}')
}

// appendSchema appends the schema of the argument's value.
func (g *Argument) appendSchema(dst []byte) []byte {
	dst = append(dst, '{')
	if g.Help != "" && !g.Again {
		dst = append(dst, `"description":`...)
		dst = appendText(dst, g.Help)
		dst = append(dst, ',')
	}
	if g.Default != "" {
		dst = append(dst, `"default":`...)
		dst = append(dst, g.Default...)
		dst = append(dst, ',')
	}
	switch g.Kind {
	case Integer:
		dst = append(dst, `"type":"integer"`...)
		if g.Min != 0 && !g.Again {
			dst = append(dst, `,"minimum":`...)
			dst = strconv.AppendInt(dst, int64(g.Min), 10)
		}
		if g.Max != 0 && !g.Again {
			dst = append(dst, `,"maximum":`...)
			dst = strconv.AppendInt(dst, int64(g.Max), 10)
		}
	case Boolean:
		dst = append(dst, `"type":"boolean"`...)
	case Texts:
		dst = append(dst, `"type":"array","items":{`...)
		dst = append(g.appendTextSchema(dst), '}')
	case Anything:
		dst = append(dst, g.Shape...)
	case Object:
		return appendObjectSchema(dst, g.Fields)
	case Objects:
		dst = append(dst, `"type":"array","items":{`...)
		dst = appendObjectSchema(dst, g.Fields)
	default:
		dst = g.appendTextSchema(dst)
	}
	return append(dst, '}')
}

// appendTextSchema appends the members of the schema of a text.
func (g *Argument) appendTextSchema(dst []byte) []byte {
	dst = append(dst, `"type":"string"`...)
	if len(g.Options) > 0 {
		dst = append(dst, `,"enum":`...)
		dst = appendTexts(dst, g.Options)
	}
	return dst
}

// example returns an object with the arguments that must be there, for errors.
func example(args []Argument) string {
	return string(appendExample(nil, args))
}

func appendExample(dst []byte, args []Argument) []byte {
	dst = append(dst, '{')
	first := true
	for i := range args {
		arg := &args[i]
		if !arg.Required {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(appendText(dst, arg.Name), ": "...)
		text := "…"
		if len(arg.Options) > 0 {
			text = arg.Options[0]
		}
		switch arg.Kind {
		case Integer:
			dst = strconv.AppendInt(dst, int64(arg.Min), 10)
		case Boolean:
			dst = append(dst, "true"...)
		case Texts:
			dst = appendTexts(dst, []string{text})
		case Anything:
			dst = append(dst, arg.Sample...)
		case Object:
			dst = appendExample(dst, arg.Fields)
		case Objects:
			dst = append(appendExample(append(dst, '['), arg.Fields), ']')
		default:
			dst = appendText(dst, text)
		}
	}
	return append(dst, '}')
}

// appendTexts appends an array of JSON strings.
func appendTexts(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, s)
	}
	return append(dst, ']')
}

// appendText appends s as a JSON string, without escaping what is special in HTML
// alone.
func appendText(dst []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return append(dst, `""`...) // no string fails
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// find returns the argument that a name means: its own name, then an alias, then
// either in another spelling. It returns nil if there is none.
func find(args []Argument, name string) *Argument {
	plain := squeeze(name)
	for _, same := range []func(*Argument) bool{
		func(g *Argument) bool { return g.Name == name },
		func(g *Argument) bool { return slices.Contains(g.Aliases, name) },
		func(g *Argument) bool { return squeeze(g.Name) == plain },
		func(g *Argument) bool {
			return slices.ContainsFunc(g.Aliases, func(alias string) bool { return squeeze(alias) == plain })
		},
	} {
		for i := range args {
			if same(&args[i]) {
				return &args[i]
			}
		}
	}
	return nil
}

// squeeze returns a name without what differs between the ways to write it:
// file_path, file-path, filePath.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// apart returns a name with a sign between its words, if capitals begin them: filePath.
func apart(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if lower && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}

// meant returns the argument whose name or alias is close to a name, "" if there is
// none.
func meant(args []Argument, name string) string {
	var spellings, owners []string
	for i := range args {
		for _, spelling := range append([]string{args[i].Name}, args[i].Aliases...) {
			spellings, owners = append(spellings, spelling), append(owners, args[i].Name)
		}
	}
	near := nearest.Names(apart(runes.Clip(name, maxQuoted)), spellings, 1)
	if near == nil {
		return ""
	}
	return owners[slices.Index(spellings, near[0])]
}

// strangers is the error for names that mean no argument.
func strangers(args []Argument, place string, names []string) error {
	allowed := "no arguments are taken here"
	if len(args) > 0 {
		var names []string
		for i := range args {
			if !args[i].Hidden {
				names = append(names, args[i].Name)
			}
		}
		allowed = "allowed: " + strings.Join(names, ", ")
	}
	if len(names) == 1 {
		message := "unknown argument " + quoted(names[0]) + "; "
		if near := meant(args, names[0]); near != "" {
			message += "did you mean " + near + "? "
		}
		return refuseAbout(replies.CodeUnknownArgument, join(place, strings.Trim(quoted(names[0]), `"`)), place, message+allowed)
	}
	message := "unknown arguments "
	for i, name := range names {
		if i > 0 {
			message += ", "
		}
		if len(message) > maxUnknown {
			message += fmt.Sprintf("and %d more", len(names)-i)
			break
		}
		message += quoted(name)
		if near := meant(args, name); near != "" {
			message += " (did you mean " + near + "?)"
		}
	}
	return refuse(replies.CodeUnknownArgument, place, message+"; "+allowed)
}

// missing is the error for arguments that must be there and are not among the
// values, nil if there are none.
func missing(args []Argument, place string, values map[string]any) error {
	var names, helps []string
	what := "missing: "
	for i := range args {
		arg := &args[i]
		value, given := values[arg.Name]
		blank := value == "" && !arg.Empty
		if !arg.Required || given && !blank {
			continue
		}
		if given {
			what = "missing or empty: "
		}
		names = append(names, arg.Name)
		help := arg.Name
		if arg.Help != "" {
			help += " (" + runes.Clip(arg.Help, maxHelp) + ")"
		}
		helps = append(helps, help)
	}
	if names == nil {
		return nil
	}
	message := what + strings.Join(helps, ", ")
	if utf8.RuneCountInString(message) > maxMessage-maxQuoted {
		message = what + strings.Join(names, ", ")
	}
	return refuseAbout(replies.CodeInvalidArgument, join(place, names[0]), place, message)
}

// wrong is the error for a value of another kind than what is wanted.
func wrong(place, want string, raw json.RawMessage) error {
	got := runes.Clip(string(raw[:min(len(raw), (maxQuoted+1)*utf8.UTFMax)]), maxQuoted)
	if raw[0] == '"' {
		text, _ := rawjson.Text(raw)
		got = quoted(text)
	}
	return refuse(replies.CodeInvalidArgument, place, want+" is wanted, not "+got)
}

// refuse returns an error about what stands at a place, which is empty for the
// arguments as a whole.
func refuse(code, place, message string) error {
	return refuseAbout(code, place, place, message)
}

// refuseAbout returns an error that tells a place and is about an argument, mostly one
// that is missing there.
func refuseAbout(code, argument, place, message string) error {
	if place != "" {
		message = place + ": " + message
	}
	// What Error makes harmless shall be so in every other rendering too.
	return &replies.Error{Code: code, Argument: argument, Message: replies.Text(replies.Safe(runes.Clip(message, maxMessage)))}
}

// join returns the place of an argument within an object at a place.
func join(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}

// quoted returns s in quotes, cut when it is long, with escapes for what can't be
// seen.
func quoted(s string) string {
	q := strconv.QuoteToGraphic(runes.Clip(s, maxQuoted))
	if utf8.RuneCountInString(q) > maxQuoted+len(`""`) {
		q = runes.Clip(q, maxQuoted+1) + `"`
	}
	return q
}
