package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/replies"
)

// docs/errors.md has every code that is in the source, and no other.

// unseenCodes are in the source and never shown.
var unseenCodes = map[string]string{
	"task is a parent": "is told as task ambiguous",
}

// codeRow is a row of a table of codes; its groups are the code and the next cell.
var codeRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]*) \\|")

func TestErrorsPage(t *testing.T) {
	page := readPage(t, filepath.Join("..", "..", "docs", "errors.md"))
	var shown []string
	for _, m := range codeRow.FindAllStringSubmatch(page, -1) {
		code, exit := m[1], m[2]
		shown = append(shown, code)
		if exit != "1" && exit != "2" {
			continue // a table without exit codes
		}
		want := "1"
		if (&replies.Error{Code: code}).Usage() {
			want = "2"
		}
		if exit != want {
			t.Errorf("%s: the page says exit code %s, the program %s", code, exit, want)
		}
	}
	slices.Sort(shown)
	if diff := cmp.Diff(codesInSource(t), slices.Compact(shown)); diff != "" {
		t.Errorf("docs/errors.md has other codes than the source (-source +page):\n%s", diff)
	}
}

// codesInSource returns the codes of errors that the source has.
func codesInSource(t *testing.T) []string {
	t.Helper()
	var codes []string
	for _, dir := range []string{"address", "cmd", "edit", "internal", "markdown", "outline", "plan"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir(), filepath.Ext(path) != ".go", strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			codes = append(codes, codesOf(file)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(codes)
	return slices.DeleteFunc(slices.Compact(codes), func(code string) bool { return unseenCodes[code] != "" })
}

// codesOf returns the codes that a file has: constants of a type of codes or with a
// name that says so, and texts that are put into a field of that name.
func codesOf(file *ast.File) []string {
	var codes []string
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
				codes = append(codes, text)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, v := range n.Values {
				if isCode(file.Name.Name, n.Names[i].Name, n.Type, v) {
					add(v)
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
				add(n.Value)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if field, ok := left.(*ast.SelectorExpr); ok && field.Sel.Name == "Code" && len(n.Lhs) == len(n.Rhs) {
					add(n.Rhs[i])
				}
			}
		}
		return true
	})
	return codes
}

// planErrorName is a name of a type of errors that are not those of a package below.
var planErrorName = regexp.MustCompile(`^plan(Invalid|Input|NotRecognised)$`)

// isCode reports whether a constant of a package is a code.
func isCode(pkg, name string, typ, value ast.Expr) bool {
	if typ, ok := typ.(*ast.Ident); ok {
		return typ.Name == "Code" || typ.Name == "Type" && (pkg == "guide" || pkg == "planstore")
	}
	_, literal := value.(*ast.BasicLit)
	return literal && (strings.HasPrefix(name, "code") || pkg == "replies" && strings.HasPrefix(name, "Code") ||
		pkg == "planning" && planErrorName.MatchString(name))
}
