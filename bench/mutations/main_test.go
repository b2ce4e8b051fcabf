package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// A change of the code that a mutation quotes must change the mutation as well, so that the simulation is still tried with it.
func TestEditsOfMutationsFitCode(t *testing.T) {
	t.Chdir("../..")
	names := map[string]bool{}
	for i := range mutations {
		m := &mutations[i]
		folder := t.TempDir()
		if _, err := m.overlay(folder); err != nil {
			t.Errorf("mutation %q: %v", m.name, err)
			continue
		}
		if names[m.name] || m.wrong == "" || len(m.edits) == 0 {
			t.Errorf("mutation %q is there twice, or incomplete", m.name)
		}
		names[m.name] = true
		for _, e := range m.edits {
			path := filepath.Join(folder, flat(e.file))
			if _, err := parser.ParseFile(token.NewFileSet(), path, nil, 0); err != nil {
				t.Errorf("mutation %q: %v", m.name, err)
			}
		}
	}
}

func TestOverlayRefusesEditWhoseTextIsMissingOrTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.go", []byte("package a // one two two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, ok := range map[string]bool{"one": true, "two": false, "three": false} {
		m := mutation{edits: []edit{{"a.go", text, "x"}}}
		if _, err := m.overlay(t.TempDir()); (err == nil) != ok {
			t.Errorf("text %q: %v", text, err)
		}
	}
}
