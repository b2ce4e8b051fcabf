package gametest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// simPath is the package of the simulation, which the rules of a game may import, and its subpackages.
const simPath = "github.com/truestep-io/truestep/sim"

// The list pure has the packages of the standard library that the rules of a game may import. Their exported names give the same
// results in each run and on each CPU; of a package in the map exact, only some names do. The list lacks packages with clocks, random
// numbers, I/O, goroutines, reflection or access to memory, and packages that rules do not need.
var pure = []string{
	"bytes", "cmp", "container/heap", "container/list", "container/ring", "embed", "encoding/binary", "encoding/hex", "errors", "fmt",
	"hash/crc32", "hash/fnv", "iter", "maps", "math", "math/bits", "slices", "sort", "strconv", "strings", "unicode", "unicode/utf16", "unicode/utf8",
}

// use says what the rules of a game may use of a package, and why not more.
type use struct {
	names []string // functions and constants that may be used
	why   string   // why other names may not be used, and what to use in place of them
}

// The map exact has the packages of the list pure of which the rules of a game may not use everything.
var exact = map[string]use{
	"fmt": {[]string{"Append", "Appendf", "Appendln", "Errorf", "Sprint", "Sprintf", "Sprintln", "Stringer"}, "is input or output"},
	"maps": {[]string{"Clone", "Collect", "Copy", "Equal", "Insert"},
		"uses the elements of a map in an order that is random; use a slice, or slices.Sorted(maps.Keys(m))"},
	"math": {[]string{"Abs", "Ceil", "Copysign", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Inf", "IsInf", "IsNaN",
		"Max", "Min", "Mod", "NaN", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc", "Pi"}, "gives different results on different CPUs: use a table"},
}

// Source reports an error for everything in the Go files of a folder that the rules of a game must not use:
//
//   - packages other than sim, its subpackages and some of the standard library
//   - functions of these packages whose results a replay does not repeat
//   - goroutines, channels, ranges over maps, and addresses as text
//   - changes of package variables, and changes of the game itself in its methods
//
// Source reads neither test files nor the files that the parameter except names, such as a main.go that starts the server. The named
// files must not declare the game.
func Source(t testing.TB, folder string, except ...string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		return strings.HasSuffix(f, "_test.go") || slices.Contains(except, filepath.Base(f))
	})
	if len(files) == 0 {
		t.Fatalf("folder %s has no Go files with rules of a game", folder)
	}
	problems, err := check(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// checker collects what the rules of a game must not use, in the files of one package.
type checker struct {
	set      *token.FileSet
	info     *types.Info
	problems []string // problems found so far, one line each, with file and line number

	sorted map[*ast.SelectorExpr]bool // the functions maps.Keys and maps.Values in calls whose results are sorted at once
}

// check returns the uses, in the files of one package, of what the rules of a game must not use. They are sorted by file and line.
func check(files []string) ([]string, error) {
	c := &checker{set: token.NewFileSet(), sorted: map[*ast.SelectorExpr]bool{}, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
	}}
	var trees []*ast.File
	for _, f := range files {
		tree, err := parser.ParseFile(c.set, f, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	// Imports of this module's packages yield empty packages, because the checks concern only the game's own package and the
	// standard library.
	conf := types.Config{Importer: partial{importer.ForCompiler(c.set, "source", nil)}, Error: func(error) {}}
	_, _ = conf.Check("game", c.set, trees, c.info)
	games := gameTypes(trees)
	for _, tree := range trees {
		c.imports(tree)
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				c.inspect(d, nil)
				continue
			}
			c.inspect(f, receiver(f, games))
		}
	}
	return c.problems, nil
}

// partial is an importer of packages. For a package of the standard library it returns that package, for any other an empty one.
type partial struct{ std types.Importer }

// Import implements types.Importer: it returns an empty package unless the package belongs to the standard library.
func (p partial) Import(path string) (*types.Package, error) {
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") && path != "unsafe" {
		return p.std.Import(path)
	}
	pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	pkg.MarkComplete()
	return pkg, nil
}

// report records a problem at a position in a file.
func (c *checker) report(at token.Pos, format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf("%v: %s", c.set.Position(at), fmt.Sprintf(format, args...)))
}

// imports reports the imports of packages that the rules of a game must not use: other ones than sim, its subpackages, and those in the
// list pure.
func (c *checker) imports(tree *ast.File) {
	for _, i := range tree.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		switch first, _, _ := strings.Cut(path, "/"); {
		case path == simPath || strings.HasPrefix(path, simPath+"/") || slices.Contains(pure, path):
			if i.Name != nil && i.Name.Name == "." {
				c.report(i.Pos(), "rules of a game must not import %q with a dot: the check cannot tell what they use of it", path)
			}
		case strings.Contains(first, "."):
			c.report(i.Pos(), "rules of a game must not import %q: the check does not see its code; move what the rules need of it into their package", path)
		default:
			c.report(i.Pos(), "rules of a game must not import %q: a replay would not repeat what it returns, or it has other effects; use Hand.Now, Hand.Every and Hand.Rand for time and luck", path)
		}
	}
}

// gameTypes returns the names of the types that implement sim.Game. They are recognized by their methods Command and Tick.
func gameTypes(trees []*ast.File) map[string]bool {
	methods := map[string]int{}
	for _, tree := range trees {
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && (f.Name.Name == "Command" || f.Name.Name == "Tick") {
				methods[typeName(f.Recv.List[0].Type)]++
			}
		}
	}
	games := map[string]bool{}
	for name, n := range methods {
		games[name] = n == 2
	}
	return games
}

// receiver returns the identifier of the receiver if f is a method of a game, otherwise nil.
func receiver(f *ast.FuncDecl, games map[string]bool) *ast.Ident {
	if f.Recv == nil || !games[typeName(f.Recv.List[0].Type)] || len(f.Recv.List[0].Names) == 0 {
		return nil
	}
	return f.Recv.List[0].Names[0]
}

// typeName returns the name of the type that an expression denotes, or of the type that it points to. It returns "" for other
// expressions.
func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// inspect reports what the rules of a game must not do in a declaration, such as starting a goroutine. The parameter game is the
// receiver if the declaration is a method of the game, otherwise nil.
func (c *checker) inspect(d ast.Node, game *ast.Ident) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
			c.report(n.Pos(), "rules of a game must not use goroutines and channels: their order is not repeated")
		case *ast.RangeStmt:
			if tv, ok := c.info.Types[n.X]; ok && tv.Type != nil {
				if _, isMap := tv.Type.Underlying().(*types.Map); isMap {
					c.report(n.Pos(), "rules of a game must not range over a map: its order is random; use a slice, or sort the keys")
				}
			}
		case *ast.CallExpr:
			c.called(n)
		case *ast.SelectorExpr:
			c.selected(n)
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, to := range n.Lhs {
					c.assigned(to, game)
				}
			}
		case *ast.IncDecStmt:
			c.assigned(n.X, game)
		}
		return true
	})
}

// selected reports the use of a name that the map exact does not allow, such as a function of package math that may give different
// results on different CPUs.
func (c *checker) selected(s *ast.SelectorExpr) {
	path := c.packageOf(s)
	allowed, ok := exact[path]
	if !ok || slices.Contains(allowed.names, s.Sel.Name) || c.sorted[s] {
		return
	}
	if prefixes := []string{"Max", "Smallest", "Min"}; path == "math" && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s.Sel.Name, p) }) {
		return // constants
	}
	c.report(s.Pos(), "%s.%s %s", path, s.Sel.Name, allowed.why)
}

// packageOf returns the path of the package of which s selects a function, constant, type or variable, or "" if s selects something else.
func (c *checker) packageOf(s *ast.SelectorExpr) string {
	if id, ok := s.X.(*ast.Ident); ok {
		if pkg, ok := c.info.Uses[id].(*types.PkgName); ok {
			return pkg.Imported().Path()
		}
	}
	return ""
}

// called examines a call. It notes that slices.Sorted sorts the keys of a map, whose order is then not random, and reports a call
// that formats an address.
func (c *checker) called(call *ast.CallExpr) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch path := c.packageOf(f); {
	case path == "slices" && f.Sel.Name == "Sorted" && len(call.Args) == 1:
		if keys, ok := call.Args[0].(*ast.CallExpr); ok {
			if s, ok := keys.Fun.(*ast.SelectorExpr); ok && c.packageOf(s) == "maps" && (s.Sel.Name == "Keys" || s.Sel.Name == "Values") {
				c.sorted[s] = true
			}
		}
	case path == "fmt":
		for _, arg := range call.Args {
			if v := c.info.Types[arg].Value; v != nil && v.Kind() == constant.String && strings.Contains(constant.StringVal(v), "%p") {
				c.report(arg.Pos(), "rules of a game must not use addresses as text: they differ in each run")
			}
		}
	}
}

// assigned reports a problem if an assignment changes a variable of the package or a field of the game. The parameter to is the
// target of the assignment.
func (c *checker) assigned(to ast.Expr, game *ast.Ident) {
	for {
		switch e := to.(type) {
		case *ast.SelectorExpr:
			to = e.X
			continue
		case *ast.IndexExpr:
			to = e.X
			continue
		case *ast.StarExpr:
			to = e.X
			continue
		case *ast.ParenExpr:
			to = e.X
			continue
		case *ast.Ident:
			switch obj := c.info.Uses[e]; {
			case obj == nil:
			case game != nil && obj == c.info.Defs[game]:
				c.report(e.Pos(), "rules of a game must not change the game: areas share it, and snapshots do not have it; keep it in [[field]]")
			case obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope():
				c.report(e.Pos(), "rules of a game must not change the variable %s of the package: snapshots do not have it; keep it in [[field]]", e.Name)
			}
		}
		return
	}
}
