package truestep

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link is a Markdown link to a file of this repository.
var link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

func TestLinksOfDocsLeadToFiles(t *testing.T) {
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

// TestReadmeExampleIsTheRunningOne checks that the lines of the README's Go code are lines of the example that go test runs.
func TestReadmeExampleIsTheRunningOne(t *testing.T) {
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
