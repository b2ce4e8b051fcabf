package overlay

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// Mutations quote lines of the code. This test fails if a quoted line has changed, so that the mutation is adapted.
func TestEditsOfMutationsFitCode(t *testing.T) {
	t.Chdir("../../..")
	names := map[string]bool{}
	for i := range Mutations {
		m := &Mutations[i]
		folder := t.TempDir()
		if _, err := Write(".", folder, m.Edits); err != nil {
			t.Errorf("mutation %q: %v", m.Name, err)
			continue
		}
		if names[m.Name] || m.Wrong == "" || len(m.Edits) == 0 {
			t.Errorf("mutation %q is there twice, or incomplete", m.Name)
		}
		names[m.Name] = true
		for _, e := range m.Edits {
			path := filepath.Join(folder, Flat(e.File))
			if _, err := parser.ParseFile(token.NewFileSet(), path, nil, 0); err != nil {
				t.Errorf("mutation %q: %v", m.Name, err)
			}
		}
	}
}

func TestOverlayRefusesEditWhoseTextIsMissingOrOccursTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.go", []byte("package a // one two two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, ok := range map[string]bool{"one": true, "two": false, "three": false} {
		if _, err := Write(".", t.TempDir(), []Edit{{"a.go", text, "x"}}); (err == nil) != ok {
			t.Errorf("text %q: %v", text, err)
		}
	}
}
