package truestep

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestReleaseArchiveHasFilesOfDeployDocument checks that a release archive has each file that the commands of docs/deploy.md
// install and that its links name. The program itself is built for the archive.
func TestReleaseArchiveHasFilesOfDeployDocument(t *testing.T) {
	text, err := os.ReadFile("docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command("bash", "scripts/release.sh", "--list", "linux").Output()
	if err != nil {
		t.Fatal(err)
	}
	archive := map[string]bool{"truestep": true}
	for file := range strings.Lines(string(list)) {
		archive[strings.TrimSpace(file)] = true
	}
	found := map[string]bool{}
	dir := "" // folder of the archive in which the commands run
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(strings.TrimSpace(line))
		switch {
		case len(words) == 2 && words[0] == "cd":
			dir = strings.TrimPrefix(strings.TrimPrefix(words[1], "/opt/truestep"), "/")
		case len(words) > 4 && words[0] == "install" && strings.HasPrefix(line, "    install -"):
			for _, w := range words[3 : len(words)-1] { // files to install: the words after "install -m MODE" and before the target
				if inArchive, ok := strings.CutPrefix(w, "/opt/truestep/"); ok {
					found[inArchive] = true
				} else if !strings.HasPrefix(w, "/") && regexp.MustCompile(`^[a-z]+[./]|^truestep$`).MatchString(w) {
					found[path.Join(dir, w)] = true
				}
			}
		}
	}
	for _, m := range link.FindAllSubmatch(text, -1) {
		found[path.Join("docs", string(m[1]))] = true
	}
	if len(found) < 12 {
		t.Errorf("only %d files were found in docs/deploy.md: %v", len(found), found)
	}
	for file := range found {
		if !archive[file] {
			t.Errorf("docs/deploy.md names %s, which a release archive does not have", file)
		}
	}
}
