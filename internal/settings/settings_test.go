package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// app is a test command line whose command serve has a flag of every type.
type app struct {
	Serve struct {
		A     string
		B     string
		N     int `default:"1"`
		Sleep time.Duration
		On    bool `negatable:""`
	} `cmd:""`
}

func parse(t *testing.T, file string, args ...string) (app, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.toml")
	if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"serve"}, args...)
	s := Read(Options{
		Args: args, Prefix: "SETTINGSTEST_", File: path, Commands: []string{"serve"}, KeyCommand: "serve",
		Exclusive: [2]string{"a", "b"}, ExclusiveWhy: "one of them is enough",
	})
	var a app
	parser, err := kong.New(&a, kong.Resolvers(s))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return a, err
}

func TestPrecedenceOfSettingsIsFlagThenVariableThenFileThenDefault(t *testing.T) {
	value := func(file string, args ...string) int {
		a, err := parse(t, file, args...)
		if err != nil {
			t.Fatal(err)
		}
		return a.Serve.N
	}
	byDefault, byFile := value(""), value("n = 2")
	t.Setenv("SETTINGSTEST_N", "3")
	if got := [4]int{byDefault, byFile, value("n = 2"), value("n = 2", "--n=4")}; got != [4]int{1, 2, 3, 4} {
		t.Errorf("default, file, variable and flag give %v", got)
	}
}

func TestHigherPrecedenceSourceDecidesBetweenMutuallyExclusiveSettings(t *testing.T) {
	t.Setenv("SETTINGSTEST_A", "variable")
	a, err := parse(t, `b = "file"`)
	if err != nil || a.Serve.A != "variable" || a.Serve.B != "" {
		t.Errorf("variable and file give %+v, %v", a.Serve, err)
	}
	if a, err = parse(t, "", "--b=flag"); err != nil || a.Serve.A != "" || a.Serve.B != "flag" {
		t.Errorf("variable and flag give %+v, %v", a.Serve, err)
	}
	t.Setenv("SETTINGSTEST_B", "variable")
	if _, err = parse(t, ""); err == nil || !strings.Contains(err.Error(), "SETTINGSTEST_A and SETTINGSTEST_B are both set: one of them is enough") {
		t.Errorf("two variables: %v", err)
	}
}

func TestEachInvalidSettingIsReportedInOneLineWithSourceAndKey(t *testing.T) {
	t.Setenv("SETTINGSTEST_ON", "perhaps")
	_, err := parse(t, "n = \"many\"\nsleep = 4\nport = 1\n")
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%v", len(lines), err)
	}
	for i, want := range []string{
		`test.toml:1: n must be a whole number, not "many"`, `test.toml:2: sleep must be a duration in quotes such as "400ms", not 4`,
		`test.toml:3: unknown key "port"; the keys are the flags of serve: a, b, n, on, sleep`, `SETTINGSTEST_ON: "perhaps" is neither true nor false`,
	} {
		if !strings.HasSuffix(lines[i], want) {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
}
