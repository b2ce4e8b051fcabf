package truestep

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Patterns of references in documents: an identifier with its file, as in `Area.admit` (sim/admit.go) or (`Area.admit`,
// sim/admit.go), a file in parentheses, an identifier in code font, and the target of a Markdown link.
var (
	namedFile  = regexp.MustCompile("`([A-Za-z][A-Za-z0-9_./]*)`(?:\\s+\\(|,\\s+)([a-z][a-z0-9_/]*\\.go)\\)")
	anyFile    = regexp.MustCompile(`[(\s]([a-z][a-z0-9_/]*\.go)\)`)
	identifier = regexp.MustCompile("`([A-Za-z]\\w*\\.[A-Za-z]\\w*|[A-Z][a-z]+[A-Z]\\w*)`")
	link       = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// TestArchitectureDocumentCitesExistingFilesAndDeclarations checks that every file named in docs/ARCHITECTURE.md exists and declares
// the identifier that is named with it, a method with its receiver. A file without a folder is in the folder of the file named before it.
func TestArchitectureDocumentCitesExistingFilesAndDeclarations(t *testing.T) {
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := ""
	found := 0
	for _, at := range anyFile.FindAllSubmatchIndex(text, -1) {
		path := string(text[at[2]:at[3]])
		if strings.Contains(path, "/") {
			folder = filepath.Dir(path)
		} else {
			path = filepath.Join(folder, path)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s does not exist", path)
			continue
		}
		found++
		start := max(0, at[0]-120)
		named := namedFile.FindAllSubmatch(text[start:at[1]], -1)
		if len(named) == 0 || string(named[len(named)-1][2]) != string(text[at[2]:at[3]]) {
			continue // the reference names a file, but no identifier in it
		}
		name := string(named[len(named)-1][1])
		if !strings.HasSuffix(name, ".go") && !declarations(t, path)[name] {
			t.Errorf("%s does not declare %s", path, name)
		}
	}
	if found < 100 {
		t.Errorf("only %d references to files were found", found)
	}
}

// TestArchitectureDocumentUsesOnlyDeclaredIdentifiers checks that docs/ARCHITECTURE.md has no identifier that no file declares, also
// where it names no file beside it.
func TestArchitectureDocumentUsesOnlyDeclaredIdentifiers(t *testing.T) {
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range sourceFiles(t) {
		for name := range declarations(t, f.path) {
			known[name] = true
			known[name[strings.LastIndex(name, ".")+1:]] = true
		}
	}
	found := 0
	for _, m := range identifier.FindAllSubmatch(text, -1) {
		name := string(m[1])
		if slices.Contains([]string{".go", ".md", ".sqlite"}, filepath.Ext(name)) {
			continue
		}
		if found++; !known[name] {
			t.Errorf("docs/ARCHITECTURE.md names %s, which no file declares", name)
		}
	}
	if found < 150 {
		t.Errorf("only %d identifiers were found", found)
	}
}

// TestArchitectureDocumentListsEveryFolder checks that the table of docs/ARCHITECTURE.md names every folder with Go code.
func TestArchitectureDocumentListsEveryFolder(t *testing.T) {
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Packages\n")
	table, _, ok := strings.Cut(table, "\n## ")
	if !ok {
		t.Fatal("docs/ARCHITECTURE.md has no section Packages")
	}
	for _, f := range sourceFiles(t) {
		if folder := filepath.ToSlash(filepath.Dir(f.path)); !strings.Contains(table, "`"+folder+"`") {
			t.Errorf("the table of packages in docs/ARCHITECTURE.md does not name %s, the folder of %s", folder, f.path)
		}
	}
}

// declarations returns the identifiers that a Go file declares at package level: functions and values by their names, methods and
// fields with their type, as in "Area.Step", and exported names also with their package, as in "tape.Playback".
func declarations(t *testing.T, path string) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	add := func(name string) {
		names[name] = true
		if ast.IsExported(name) {
			names[file.Name.Name+"."+name] = true
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl.Name.Name)
			} else {
				names[typeName(decl.Recv.List[0].Type)+"."+decl.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name.Name)
					}
				case *ast.TypeSpec:
					add(spec.Name.Name)
					var members *ast.FieldList
					switch is := spec.Type.(type) {
					case *ast.StructType:
						members = is.Fields
					case *ast.InterfaceType:
						members = is.Methods
					default:
						continue
					}
					for _, m := range members.List {
						for _, name := range m.Names {
							names[spec.Name.Name+"."+name.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

// typeName returns the name of a receiver's type without pointer and type parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func TestRelativeLinksInDocsLeadToExistingFiles(t *testing.T) {
	docs, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"docs/*/*.md", "*.md"} {
		more, _ := filepath.Glob(pattern)
		docs = append(docs, more...)
	}
	for _, doc := range docs {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), string(m[1]))); err != nil {
				t.Errorf("%s links to %s, which does not exist", doc, m[1])
			}
		}
	}
}

// TestReadmeExampleEqualsCompiledExample checks that the lines of the README's Go code are lines of the example that go test runs.
func TestReadmeExampleEqualsCompiledExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("server/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(readme), "```go\n")
	code, _, ok := strings.Cut(code, "```")
	if !ok || strings.Count(code, "\n") < 5 {
		t.Fatal("README.md has no Go code")
	}
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "..." && !strings.Contains(string(example), line) {
			t.Errorf("server/example_test.go does not have the line %q", line)
		}
	}
}

// TestDocsCiteExistingTests checks that every Go test, benchmark and fuzz target that a document names exists. A document may cite
// the beginning of a name, such as TestSoak.
func TestDocsCiteExistingTests(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)[A-Z]\w*)\(`)
	cited := regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	var names []string
	docs := map[string][]byte{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "dist"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".md"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".md") {
			docs[path] = text
			return nil
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for path, text := range docs {
		for _, name := range cited.FindAll(text, -1) {
			if !slices.ContainsFunc(names, func(declared string) bool { return strings.HasPrefix(declared, string(name)) }) {
				t.Errorf("%s cites %s, which does not exist", path, name)
			}
			found++
		}
	}
	if found < 100 {
		t.Errorf("the documents cite %d tests, want at least 100: the pattern no longer finds them", found)
	}
}
