// Package overlay puts errors into the code of a cluster with overlays of the go command, so that no file changes. They are errors that
// the design of the cluster must exclude. bench/mutations checks that the simulation finds them. e2e/cluster checks that the checker of
// real clusters finds some of them.
package overlay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutation is an error that is put into the code.
type Mutation struct {
	Name   string // what the code no longer does, or does wrongly
	Stands string // what must not go wrong at which failure; "" if the error is not about players that change areas
	Wrong  string // what can go wrong because of the error
	Edits  []Edit

	Forged bool   // the simulation needs forged messages to find the error (TestSimulatedForgeriesBreakNoGuarantee)
	Seeds  int    // number of seeds in which the simulation must find the error; 0 for the usual number
	Test   string // test of package cluster that finds the error instead of the simulation; "" for none
}

// Edit replaces a text, which must occur exactly once in the file.
type Edit struct {
	File     string // path of the file, relative to the root of the module
	Old, New string
}

// Named returns the edits of the mutation that has the given name. It panics if there is no such mutation.
func Named(name string) []Edit {
	for i := range Mutations {
		if Mutations[i].Name == name {
			return Mutations[i].Edits
		}
	}
	panic("no mutation has the name " + name)
}

// Write writes the changed files to a folder, and a file that makes the go command use them: go build -overlay PATH. The parameter
// root is the root of the module.
func Write(root, folder string, edits []Edit) (path string, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	texts := map[string]string{}
	for _, e := range edits {
		text, ok := texts[e.File]
		if !ok {
			b, err := os.ReadFile(filepath.Join(root, e.File))
			if err != nil {
				return "", err
			}
			text = string(b)
		}
		if n := strings.Count(text, e.Old); n != 1 {
			return "", fmt.Errorf("%s contains the text to replace %d times, but must contain it exactly once:\n%s", e.File, n, e.Old)
		}
		texts[e.File] = strings.Replace(text, e.Old, e.New, 1)
	}
	replace := map[string]string{}
	for file, text := range texts {
		changed := filepath.Join(folder, Flat(file))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, file)] = changed
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, b, 0o600)
}

// Flat returns the name under which Write stores a changed file.
func Flat(path string) string { return strings.ReplaceAll(path, "/", "_") }
