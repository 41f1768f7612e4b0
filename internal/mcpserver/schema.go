package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/app"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/runes"
)

// A tool declares its arguments once. The schema that clients show to a model and
// the decoding of a call are both made from the declaration, so that they agree.
// The schema is written by hand: a list of tools is read by a model before its
// first word, and every byte of it counts. It never has an array of types, which
// some clients refuse, and no additionalProperties: a stranger is answered by
// decode, which names the argument that was meant.

// kind is what an argument's value is.
type kind uint8

const (
	textArg    kind = iota
	integerArg      // whole numbers that an int holds
	booleanArg
	textsArg   // an array of texts
	objectArg  // an object with fields of its own
	objectsArg // an array of such objects
	anyArg     // any JSON, whose shape the schema tells and who runs the tool checks
)

// argument is one that a tool takes.
type argument struct {
	name     string
	kind     kind
	help     string // for the schema; may be empty when the name says it all
	required bool   // a text is then not empty either, unless empty is set
	empty    bool   // of required texts: an empty one is a value too
	guard    string // of arguments that keep a call from writing: what to give, such as "the hash"

	options  []string   // the values that a text may have, matched without case; none for any
	lenient  bool       // the options are for the schema: another text is left to who runs the tool
	min, max int        // of integers; max 0 for none
	def      string     // the default as JSON, for the schema; empty for none
	aliases  []string   // other names that are accepted
	fields   []argument // of objects
	shape    string     // of any JSON: the members of its schema
	sample   string     // of any JSON: a value, for errors
}

// schema returns the JSON Schema of a tool's arguments, on one line: properties
// in the order of the declaration, the names of what is required, nothing else.
func schema(args []argument) json.RawMessage {
	return appendObjectSchema([]byte{'{'}, args)
}

// appendObjectSchema appends the rest of the schema of an object, with the closing
// brace.
func appendObjectSchema(dst []byte, args []argument) []byte {
	dst = append(dst, `"type":"object","properties":{`...)
	var required []string
	for i := range args {
		arg := &args[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, arg.name)
		dst = append(dst, ':')
		dst = arg.appendSchema(dst)
		if arg.required {
			required = append(required, arg.name)
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
func (g *argument) appendSchema(dst []byte) []byte {
	dst = append(dst, '{')
	if g.help != "" {
		dst = append(dst, `"description":`...)
		dst = appendText(dst, g.help)
		dst = append(dst, ',')
	}
	if g.def != "" {
		dst = append(dst, `"default":`...)
		dst = append(dst, g.def...)
		dst = append(dst, ',')
	}
	switch g.kind {
	case integerArg:
		dst = append(dst, `"type":"integer"`...)
		if g.min != 0 {
			dst = append(dst, `,"minimum":`...)
			dst = strconv.AppendInt(dst, int64(g.min), 10)
		}
		if g.max != 0 {
			dst = append(dst, `,"maximum":`...)
			dst = strconv.AppendInt(dst, int64(g.max), 10)
		}
	case booleanArg:
		dst = append(dst, `"type":"boolean"`...)
	case textsArg:
		dst = append(dst, `"type":"array","items":{`...)
		dst = append(g.appendTextSchema(dst), '}')
	case anyArg:
		dst = append(dst, g.shape...)
	case objectArg:
		return appendObjectSchema(dst, g.fields)
	case objectsArg:
		dst = append(dst, `"type":"array","items":{`...)
		dst = appendObjectSchema(dst, g.fields)
	default:
		dst = g.appendTextSchema(dst)
	}
	return append(dst, '}')
}

// appendTextSchema appends the members of the schema of a text.
func (g *argument) appendTextSchema(dst []byte) []byte {
	dst = append(dst, `"type":"string"`...)
	if len(g.options) > 0 {
		dst = append(dst, `,"enum":`...)
		dst = appendTexts(dst, g.options)
	}
	return dst
}

// example returns an object with the arguments that must be there, for errors.
func example(args []argument) string {
	return string(appendExample(nil, args))
}

func appendExample(dst []byte, args []argument) []byte {
	dst = append(dst, '{')
	first := true
	for i := range args {
		arg := &args[i]
		if !arg.required {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(appendText(dst, arg.name), ": "...)
		text := "…"
		if len(arg.options) > 0 {
			text = arg.options[0]
		}
		switch arg.kind {
		case integerArg:
			dst = strconv.AppendInt(dst, int64(arg.min), 10)
		case booleanArg:
			dst = append(dst, "true"...)
		case textsArg:
			dst = appendTexts(dst, []string{text})
		case anyArg:
			dst = append(dst, arg.sample...)
		case objectArg:
			dst = appendExample(dst, arg.fields)
		case objectsArg:
			dst = append(appendExample(append(dst, '['), arg.fields), ']')
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
func find(args []argument, name string) *argument {
	plain := squeeze(name)
	for _, same := range []func(*argument) bool{
		func(g *argument) bool { return g.name == name },
		func(g *argument) bool { return slices.Contains(g.aliases, name) },
		func(g *argument) bool { return squeeze(g.name) == plain },
		func(g *argument) bool {
			return slices.ContainsFunc(g.aliases, func(alias string) bool { return squeeze(alias) == plain })
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

// meant returns the argument whose name or alias is close to a name, "" if there is
// none.
func meant(args []argument, name string) string {
	var spellings, owners []string
	for i := range args {
		for _, spelling := range append([]string{args[i].name}, args[i].aliases...) {
			spellings, owners = append(spellings, squeeze(spelling)), append(owners, args[i].name)
		}
	}
	near := nearest.Names(squeeze(runes.Clip(name, maxQuoted)), spellings, 1)
	if near == nil {
		return ""
	}
	return owners[slices.Index(spellings, near[0])]
}

// strangers is the error for names that mean no argument.
func strangers(args []argument, place string, names []string) error {
	allowed := "no arguments are taken here"
	if len(args) > 0 {
		allowed = "allowed: " + args[0].name
		for i := range args[1:] {
			allowed += ", " + args[1+i].name
		}
	}
	if len(names) == 1 {
		message := "unknown argument " + quoted(names[0]) + "; "
		if near := meant(args, names[0]); near != "" {
			message += "did you mean " + near + "? "
		}
		return refuseAbout(codeUnknownArgument, join(place, strings.Trim(quoted(names[0]), `"`)), place, message+allowed)
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
	return refuse(codeUnknownArgument, place, message+"; "+allowed)
}

// missing is the error for arguments that must be there and are not among the
// values, nil if there are none.
func missing(args []argument, place string, values map[string]any) error {
	var names, helps []string
	what := "missing: "
	for i := range args {
		arg := &args[i]
		value, given := values[arg.name]
		blank := value == "" && !arg.empty
		if !arg.required || given && !blank {
			continue
		}
		if given {
			what = "missing or empty: "
		}
		names = append(names, arg.name)
		help := arg.name
		if arg.help != "" {
			help += " (" + runes.Clip(arg.help, maxHelp) + ")"
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
	return refuseAbout(codeInvalidArgument, join(place, names[0]), place, message)
}

// wrong is the error for a value of another kind than what is wanted.
func wrong(place, want string, raw json.RawMessage) error {
	got := runes.Clip(string(raw[:min(len(raw), (maxQuoted+1)*utf8.UTFMax)]), maxQuoted)
	if raw[0] == '"' {
		text, _ := rawjson.Text(raw)
		got = quoted(text)
	}
	return refuse(codeInvalidArgument, place, want+" is wanted, not "+got)
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
	e := &app.Error{Code: code, Argument: argument, Message: runes.Clip(message, maxMessage)}
	// What Error makes harmless shall be so in every other rendering too.
	e.Message = strings.TrimPrefix(e.Error(), code+": ")
	return e
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
