package truestep

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// runPattern finds the patterns of tests and benchmarks in the Makefile and the scripts, which are in quotes or one word.
var runPattern = regexp.MustCompile(`(?:-run|-skip|-bench|^(?:BUILDS|RACED_SERVERS) :=|^bench \S+) '?([A-Za-z|]{4,})'?`)

// TestRunPatternsInScriptsMatchExistingTests checks that every alternative of a -run or -bench pattern matches a test or benchmark. Without
// it, a renamed test could silently drop out of a Makefile target.
func TestRunPatternsInScriptsMatchExistingTests(t *testing.T) {
	var names []string
	for _, f := range testFiles(t) {
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)`).FindAllSubmatch(f, -1) {
			names = append(names, string(m[1]))
		}
	}
	all := strings.Join(names, " ")
	scripts, err := filepath.Glob("scripts/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, script := range append(scripts, "Makefile") {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			for _, m := range runPattern.FindAllStringSubmatch(line, -1) {
				for alternative := range strings.SplitSeq(m[1], "|") {
					found++
					if !strings.Contains(all, alternative) {
						t.Errorf("%s: no test or benchmark matches %q", script, alternative)
					}
				}
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d patterns were found", found)
	}
}

// testFiles returns the contents of all test files.
func testFiles(t *testing.T) (files [][]byte) {
	t.Helper()
	for _, pattern := range []string{"*/*_test.go", "*/*/*_test.go", "*/*/*/*_test.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, b)
		}
	}
	return files
}
