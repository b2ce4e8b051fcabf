package web_test

import (
	"os"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/reason"
)

// Programs that use the npm package compare the names of reasons, so client/ts/API.md must list every reason in its section
// Reasons.
func TestDocumentationOfNpmPackageListsEveryRefusalReason(t *testing.T) {
	b, err := os.ReadFile("../../client/ts/API.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(b), "\n## Reasons\n")
	if !ok {
		t.Fatal("client/ts/API.md has no section Reasons")
	}
	for r := reason.None; r.String() != "invalid"; r++ {
		if !strings.Contains(list, "`"+r.String()+"`") {
			t.Errorf("client/ts/API.md does not have the reason %s", r)
		}
	}
}
