package rcce

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests in this file check that the wire document, which authors of clients use, agrees with the codec.

func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/wire/rcce.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWireDocHasEveryTestVector(t *testing.T) {
	digits := strings.NewReplacer(" ", "", "\n", "").Replace(document(t))
	for _, v := range loadVectors(t) {
		if !strings.Contains(digits, "`"+hex.EncodeToString(v.msg)+"`") {
			t.Errorf("%s is missing in docs/wire/rcce.md", v.name)
		}
	}
}

func TestWireDocListsEveryPacketType(t *testing.T) {
	text := document(t)
	for _, row := range Table() {
		dirs := strings.TrimSpace(formLetter(row.C2S, "C") + " " + formLetter(row.S2C, "S"))
		if !strings.Contains(text, fmt.Sprintf("\n| %d | %s | %s |", row.ID, row.Name, dirs)) && row.ID != TypeFetchItems {
			t.Errorf("%d %s %q is missing in the table of docs/wire/rcce.md", row.ID, row.Name, dirs)
		}
	}
}

func TestCommentsCiteExistingWireDocSections(t *testing.T) {
	anchors := map[string]bool{}
	text := document(t)
	for _, m := range regexp.MustCompile(`<a id="([a-z-]+)"></a>`).FindAllStringSubmatch(text, -1) {
		anchors[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		anchors[strings.ToLower(strings.ReplaceAll(m[1], " ", "-"))] = true
	}
	files, _ := filepath.Glob("*.go")
	vectors, _ := filepath.Glob("testdata/*.hex")
	cited := regexp.MustCompile(`docs/wire/rcce\.md#([a-z-]+)`)
	for _, file := range append(files, vectors...) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range cited.FindAllStringSubmatch(string(b), -1) {
			if !anchors[m[1]] {
				t.Errorf("%s cites #%s, which docs/wire/rcce.md lacks", file, m[1])
			}
		}
	}
}
