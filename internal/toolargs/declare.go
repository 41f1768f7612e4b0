package toolargs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A tool takes the exported fields of a struct, in their order; those of an embedded
// struct stand where that stands. A field's tags say what its type doesn't:
//
//	arg      its name, then required, empty, lenient, again or hidden, as Argument has them
//	doc      help
//	alias    other names, with commas between
//	options  the values that a text may have, with commas between
//	min, max of a whole number
//	default  as JSON; the value of the field where the argument is absent, too
//	guard    what to give where it was given empty
//
// A text, a whole number and a truth value may each be a pointer, nil where the argument
// is absent. A list is nil then, and empty where an empty one was given. A struct is an
// object, a list of structs one of objects.

// declarer is a type of fields that says itself what their tags don't.
type declarer interface{ Declare(arg *Argument) }

// JSON is an argument that is decoded as it is, whose shape a type around it declares.
type JSON struct {
	Value any // what encoding/json decodes, with numbers as json.Number; nil where the argument is absent
}

func (a *JSON) set(value any) { a.Value = value }

// Of returns the arguments that the fields of the struct T are. It panics if a field can't
// be an argument, which is a mistake in a tool.
func Of[T any]() []Argument { return declared(reflect.TypeFor[T]()) }

// declared is Of for the type of a struct.
func declared(of reflect.Type) []Argument {
	var args []Argument
	for field := range of.Fields() {
		if field.Anonymous {
			args = append(args, declared(field.Type)...)
			continue
		}
		args = append(args, declaredField(&field))
	}
	return args
}

// declaredField returns the argument that a field is.
func declaredField(field *reflect.StructField) Argument {
	of := field.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	a, zero := Argument{}, reflect.New(of).Interface()
	if _, ok := zero.(interface{ set(value any) }); ok {
		a.Kind = Anything
	} else {
		a.Kind, a.Fields = kindOf(of)
	}
	if d, ok := zero.(declarer); ok {
		d.Declare(&a)
	}
	name, flags, _ := strings.Cut(field.Tag.Get("arg"), ",")
	a.Name = name
	for flag := range strings.SplitSeq(flags, ",") {
		switch flag {
		case "required":
			a.Required = true
		case "empty":
			a.Empty = true
		case "lenient":
			a.Lenient = true
		case "again":
			a.Again = true
		case "hidden":
			a.Hidden = true
		}
	}
	for key, text := range map[string]*string{"doc": &a.Help, "default": &a.Default, "guard": &a.Guard} {
		if said, ok := field.Tag.Lookup(key); ok {
			*text = said
		}
	}
	for key, list := range map[string]*[]string{"alias": &a.Aliases, "options": &a.Options} {
		if said, ok := field.Tag.Lookup(key); ok {
			*list = strings.Split(said, ",")
		}
	}
	for key, number := range map[string]*int{"min": &a.Min, "max": &a.Max} {
		if said, ok := field.Tag.Lookup(key); ok {
			n, err := strconv.Atoi(said)
			if err != nil {
				panic(fmt.Sprintf("toolargs: %s of %s: %v", key, field.Name, err))
			}
			*number = n
		}
	}
	return a
}

// kindOf returns what the value of a field of a type is.
func kindOf(of reflect.Type) (kind Kind, fields []Argument) {
	switch of.Kind() {
	case reflect.String:
		return Text, nil
	case reflect.Int:
		return Integer, nil
	case reflect.Bool:
		return Boolean, nil
	case reflect.Struct:
		return Object, declared(of)
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Struct {
			return Objects, declared(of.Elem())
		}
		if of.Elem().Kind() == reflect.String {
			return Texts, nil
		}
	}
	panic(fmt.Sprintf("toolargs: a field of type %v can't be an argument", of))
}

// Bind sets the fields of the struct that to points to, which declared the values, to
// these; a field whose argument is absent has its default, or stays as it is.
func Bind(to any, values *Values) { bind(reflect.ValueOf(to).Elem(), values) }

// bind is Bind for a struct that is held otherwise.
func bind(to reflect.Value, args *Values) {
	next := 0
	bindFields(to, args, &next)
}

// bindFields is bind for the arguments from the next one on.
func bindFields(to reflect.Value, args *Values, next *int) {
	for i := range to.NumField() {
		field := to.Field(i)
		if to.Type().Field(i).Anonymous {
			bindFields(field, args, next)
			continue
		}
		a := &args.declared[*next]
		*next++
		value, given := args.values[a.Name]
		if !given && field.Kind() != reflect.Pointer {
			value = a.absent()
		}
		if value != nil {
			a.set(field, value)
		}
	}
}

// absent returns the value of an argument that was not given, nil if it has none.
func (g *Argument) absent() any {
	switch g.Kind {
	case Boolean:
		if g.Default != "" {
			return g.Default == "true"
		}
	case Integer:
		if n, err := strconv.Atoi(g.Default); err == nil {
			return n
		}
	}
	return nil
}

// set sets a field to a value of the argument's kind.
func (g *Argument) set(field reflect.Value, value any) {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch v := value.(type) {
	case []Values:
		if g.Kind == Object {
			bind(field, &v[0])
			return
		}
		field.Set(reflect.MakeSlice(field.Type(), len(v), len(v)))
		for i := range v {
			bind(field.Index(i), &v[i])
		}
	default:
		if json, ok := reflect.TypeAssert[interface{ set(value any) }](field.Addr()); ok {
			json.set(value)
			return
		}
		field.Set(reflect.ValueOf(value).Convert(field.Type()))
	}
}
