package truestep

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Patterns of references in documents: an identifier with its file in parentheses, as in `Area.admit` (sim/admit.go), a file in
// parentheses, and the target of a Markdown link.
var (
	namedFile = regexp.MustCompile("`([A-Za-z][A-Za-z0-9_./]*)`\\s+\\(([a-z][a-z0-9_/]*\\.go)\\)")
	anyFile   = regexp.MustCompile(`\(([a-z][a-z0-9_/]*\.go)\)`)
	link      = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// TestArchitectureNamesExistingCode checks that every file named in docs/ARCHITECTURE.md exists and declares the identifier
// that is named with it. A file without a folder is in the folder of the file named before it.
func TestArchitectureNamesExistingCode(t *testing.T) {
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
		code, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s does not exist", path)
			continue
		}
		found++
		start := max(0, at[0]-120)
		named := namedFile.FindAllSubmatch(text[start:at[1]], -1)
		if len(named) == 0 || string(named[len(named)-1][2]) != string(text[at[2]:at[3]]) {
			continue // a file without an identifier
		}
		name := string(named[len(named)-1][1])
		last := name[strings.LastIndexAny(name, "./")+1:]
		declared := regexp.MustCompile(`(?m)(^func (\([^)]*\) )?|^type |^\t|^var |^const )` + regexp.QuoteMeta(last) + `\b`)
		if !strings.HasSuffix(name, ".go") && !declared.Match(code) {
			t.Errorf("%s does not declare %s", path, name)
		}
	}
	if found < 40 {
		t.Errorf("only %d references to files were found", found)
	}
}

func TestRelativeLinksOfDocsNameExistingFiles(t *testing.T) {
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
