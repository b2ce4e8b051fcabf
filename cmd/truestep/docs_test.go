package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestRunningDocListsEveryServerSetting(t *testing.T) {
	doc, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	here(t)
	code, out, errs := truestep("serve", "--print-config")
	if code != 0 {
		t.Fatal(errs)
	}
	keys := regexp.MustCompile(`(?m)^([a-z0-9-]+) = `).FindAllStringSubmatch(out, -1)
	if len(keys) < 30 {
		t.Fatalf("only %d settings in\n%s", len(keys), out)
	}
	for _, key := range keys {
		if !strings.Contains(string(doc), "`"+key[1]+"`") {
			t.Errorf("docs/running.md does not list %s", key[1])
		}
	}
}
