package gametest

import (
	"fmt"
	"go/ast"
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

// The list impure has the packages that the rules of a game must not import: those with clocks, random numbers, I/O, goroutines
// or access to memory. A package below a listed one, such as os/exec below os, must not be imported either.
var impure = []string{"time", "math/rand", "crypto/rand", "os", "net", "syscall", "sync", "context", "log", "runtime", "unsafe", "io/ioutil"}

// The list exact has the functions and constants of package math that give the same result on every CPU. The rules of a game
// may use no others.
var exact = []string{"Abs", "Ceil", "Copysign", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Inf", "IsInf", "IsNaN",
	"Max", "Min", "Mod", "NaN", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc", "Pi"}

// Source reports an error for everything in the Go files of a folder that the rules of a game must not use: impure packages,
// inexact functions of package math, goroutines, channels, ranges over maps, changes of package variables, and changes of the
// game itself in its methods. Source reads neither test files nor the files that the parameter except names, such as a main.go
// that starts the server. The named files must not declare the game.
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
	problems []string // one line each, with file and line number
}

// check returns what the rules of a game must not use, in the files of one package, in the order of files and lines.
func check(files []string) ([]string, error) {
	c := &checker{set: token.NewFileSet(), info: &types.Info{
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

// imports reports the imports of packages that the rules of a game must not use (the list impure).
func (c *checker) imports(tree *ast.File) {
	for _, i := range tree.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		for _, p := range impure {
			if path == p || strings.HasPrefix(path, p+"/") {
				c.report(i.Pos(), "rules of a game must not import %q: a replay would not repeat what it returns; use Hand.Now, Hand.Every and Hand.Rand", path)
			}
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
		case *ast.SelectorExpr:
			c.mathFunction(n)
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

// mathFunction reports a function of package math that may give different results on different CPUs: one that is not in the list
// exact.
func (c *checker) mathFunction(s *ast.SelectorExpr) {
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return
	}
	if pkg, ok := c.info.Uses[id].(*types.PkgName); ok && pkg.Imported().Path() == "math" {
		isConst := strings.HasPrefix(s.Sel.Name, "Max") || strings.HasPrefix(s.Sel.Name, "Smallest") || strings.HasPrefix(s.Sel.Name, "Min")
		if !slices.Contains(exact, s.Sel.Name) && !isConst {
			c.report(s.Pos(), "math.%s gives different results on different CPUs: use a table", s.Sel.Name)
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
