package mcpserver

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A tool takes the exported fields of a struct, in their order; those of an embedded
// struct stand where that stands. A field's tags say what its type doesn't:
//
//	arg      its name, then required, empty or lenient, as argument has them
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
type declarer interface{ declare(arg *argument) }

// anything is JSON that is decoded as it is, whose shape a type around it declares; its
// value is nil where the argument is absent.
type anything struct{ value any }

func (a *anything) set(value any) { a.value = value }

// taking returns the arguments that are the fields of T, and the function that calls run
// with their values. It panics if a field can't be an argument, which is a mistake in a tool.
func taking[T any](run func(ctx context.Context, c *call, args *T) (*reply, error)) handler {
	return handler{
		args: declared(reflect.TypeFor[T]()),
		run: func(ctx context.Context, c *call) (*reply, error) {
			args := new(T)
			bind(reflect.ValueOf(args).Elem(), &c.arguments)
			return run(ctx, c, args)
		},
	}
}

// declared returns the arguments that the fields of a struct are.
func declared(of reflect.Type) []argument {
	var args []argument
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			args = append(args, declared(field.Type)...)
			continue
		}
		args = append(args, declaredField(&field))
	}
	return args
}

// declaredField returns the argument that a field is.
func declaredField(field *reflect.StructField) argument {
	of := field.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	a, zero := argument{}, reflect.New(of).Interface()
	if _, ok := zero.(interface{ set(value any) }); ok {
		a.kind = anyArg
	} else {
		a.kind, a.fields = kindOf(of)
	}
	if d, ok := zero.(declarer); ok {
		d.declare(&a)
	}
	name, flags, _ := strings.Cut(field.Tag.Get("arg"), ",")
	a.name = name
	for flag := range strings.SplitSeq(flags, ",") {
		switch flag {
		case "required":
			a.required = true
		case "empty":
			a.empty = true
		case "lenient":
			a.lenient = true
		}
	}
	for key, text := range map[string]*string{"doc": &a.help, "default": &a.def, "guard": &a.guard} {
		if said, ok := field.Tag.Lookup(key); ok {
			*text = said
		}
	}
	for key, list := range map[string]*[]string{"alias": &a.aliases, "options": &a.options} {
		if said, ok := field.Tag.Lookup(key); ok {
			*list = strings.Split(said, ",")
		}
	}
	for key, number := range map[string]*int{"min": &a.min, "max": &a.max} {
		if said, ok := field.Tag.Lookup(key); ok {
			n, err := strconv.Atoi(said)
			if err != nil {
				panic(fmt.Sprintf("mcpserver: %s of %s: %v", key, field.Name, err))
			}
			*number = n
		}
	}
	return a
}

// kindOf returns what the value of a field of a type is.
func kindOf(of reflect.Type) (kind kind, fields []argument) {
	switch of.Kind() {
	case reflect.String:
		return textArg, nil
	case reflect.Int:
		return integerArg, nil
	case reflect.Bool:
		return booleanArg, nil
	case reflect.Struct:
		return objectArg, declared(of)
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Struct {
			return objectsArg, declared(of.Elem())
		}
		if of.Elem().Kind() == reflect.String {
			return textsArg, nil
		}
	}
	panic(fmt.Sprintf("mcpserver: a field of type %v can't be an argument", of))
}

// bind sets the fields of a struct to the values of the arguments that they are.
func bind(to reflect.Value, args *arguments) {
	next := 0
	bindFields(to, args, &next)
}

// bindFields is bind for the arguments from the next one on.
func bindFields(to reflect.Value, args *arguments, next *int) {
	for i := range to.NumField() {
		field := to.Field(i)
		if to.Type().Field(i).Anonymous {
			bindFields(field, args, next)
			continue
		}
		a := &args.declared[*next]
		*next++
		value, given := args.values[a.name]
		if !given && field.Kind() != reflect.Pointer {
			value = a.absent()
		}
		if value != nil {
			a.set(field, value)
		}
	}
}

// absent returns the value of an argument that was not given, nil if it has none.
func (g *argument) absent() any {
	switch g.kind {
	case booleanArg:
		if g.def != "" {
			return g.def == "true"
		}
	case integerArg:
		if n, err := strconv.Atoi(g.def); err == nil {
			return n
		}
	}
	return nil
}

// set sets a field to a value of the argument's kind.
func (g *argument) set(field reflect.Value, value any) {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch v := value.(type) {
	case []arguments:
		if g.kind == objectArg {
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
