package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/server"
)

// dataFolder makes a data folder.
func dataFolder(t *testing.T, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestAddedTokenIsListedUntilRevoked(t *testing.T) {
	here(t)
	dataFolder(t, "truestep-data")
	code, out, errs := truestep("token", "list")
	if code != 0 || out != "there are no tokens for the server of ./truestep-data; truestep token add makes one\n" || errs != "" {
		t.Errorf("at first: exit status %d, %q, %s", code, out, errs)
	}
	isEmpty(t, "truestep-data")

	code, token, errs := truestep("token", "add", "Ann", "--role", "moderator", "--expires", "30d")
	if code != 0 || !regexp.MustCompile(`^[\w-]{43}\n$`).MatchString(token) || !strings.HasPrefix(errs, "Token of Ann, moderator.") {
		t.Fatalf("exit status %d, %q, %s", code, token, errs)
	}
	file := filepath.Join("truestep-data", console.TokensFile)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if b, err := os.ReadFile(file); err != nil || strings.Contains(string(b), strings.TrimSpace(token)) {
		t.Errorf("the file has the token itself, %v", err)
	}
	if _, again, _ := truestep("token", "add", "Bo", "--role", "viewer"); again == token {
		t.Error("two operators have one token")
	}
	_, out, _ = truestep("token", "list")
	if want := regexp.MustCompile(`(?s)^NAME +ROLE +SINCE +EXPIRES\nAnn +moderator +\d{4}-.*\nBo +viewer .* never\n$`); !want.MatchString(out) {
		t.Errorf("%s", out)
	}
	if code, out, _ := truestep("token", "revoke", "Ann"); code != 0 || out != "Ann has no token any more\n" {
		t.Errorf("exit status %d, %s", code, out)
	}
	if _, out, _ = truestep("token", "list"); strings.Contains(out, "Ann") || !strings.Contains(out, "Bo") {
		t.Errorf("%s", out)
	}
}

func TestTokenCommandErrorsAreOneLine(t *testing.T) {
	here(t)
	dataFolder(t, "truestep-data")
	if code, _, errs := truestep("token", "add", "Ann", "--role", "admin"); code != 0 {
		t.Fatal(errs)
	}
	write(t, "broken.json", "{}")
	dataFolder(t, "bad")
	write(t, filepath.Join("bad", console.TokensFile), `{"operators": [{"name": "x", "role": "king"}]}`)
	for args, want := range map[string]string{
		"token add Ann --role viewer":                      "truestep: Ann: an operator with this name exists already: revoke the old token first with truestep token revoke Ann\n",
		"token add Bo":                                     "truestep: missing flags: --role=ROLE; see truestep token add --help\n",
		"token add Bo --role king":                         `truestep: --role must be one of "viewer","moderator","admin" but got "king"; see truestep token add --help` + "\n",
		"token add Bo --role admin --expires=-1h":          "truestep: --expires -1h0m0s: must be positive, such as 30d\n",
		"token add Bo --role admin --data-dir broken.json": "truestep: operators: stat broken.json/operators.json: not a directory; " + server.OtherData + "\n",
		"token revoke Bo":                                  "truestep: Bo: no operator has this name; list all operators with truestep token list\n",
		"token list --data-dir bad":                        "truestep: bad/operators.json: operator \"x\": role \"king\": must be viewer, moderator or admin\n",
		"token add x --role admin --data-dir bad":          "truestep: bad/operators.json: operator \"x\": role \"king\": must be viewer, moderator or admin\n",
	} {
		if code, out, errs := truestep(strings.Fields(args)...); code != exitUsage || out != "" || errs != want {
			t.Errorf("%s: exit status %d, %q\n%s, want\n%s", args, code, out, errs, want)
		}
	}
}

func TestTokenCommandsUseDataFolderOfConfigFile(t *testing.T) {
	here(t)
	write(t, defaultConfig, "data-dir = \"elsewhere\"\n")
	dataFolder(t, "elsewhere")
	if code, _, errs := truestep("token", "add", "Ann", "--role", "viewer"); code != 0 {
		t.Fatal(errs)
	}
	if _, err := os.Stat(filepath.Join("elsewhere", console.TokensFile)); err != nil {
		t.Error(err)
	}
	if _, out, _ := truestep("token", "list"); !strings.Contains(out, "Ann") {
		t.Errorf("%s", out)
	}
}

func TestTokenAddRefusesMissingFolderAndCreatesNothing(t *testing.T) {
	here(t)
	for _, args := range []string{"add ann --role viewer", "list", "revoke ann"} {
		code, out, errs := truestep(append(append([]string{"token"}, strings.Fields(args)...), "--data-dir", "typo")...)
		if code != exitUsage || out != "" || !strings.Contains(errs, "there is no folder typo: name the folder of a server's data with --data-dir DIR") {
			t.Errorf("%s: exit status %d, %q, %s", args, code, out, errs)
		}
	}
	isEmpty(t, ".")
}
