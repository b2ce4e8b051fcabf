package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// actAsTruestep is the name of an environment variable. If it is set, the test binary runs truestep instead of the tests; tests that
// send signals need a process of their own.
const actAsTruestep = "ACT_AS_TRUESTEP"

// keepStopTimeout is the name of an environment variable. If it is set, a server in another process than the tests' stops within
// server.StopTimeout, like the one that operators run. Otherwise it has the time stopsWithin.
const keepStopTimeout = "KEEP_STOP_TIMEOUT"

// testdata is the absolute path of the folder, for tests that change the working directory.
var testdata = func() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return dir
}()

// shortParallelTests is the minimum number of tests that run in parallel with -short. On 2 CPUs they hardly delay one
// another.
const shortParallelTests = 8

func TestMain(m *testing.M) {
	if os.Getenv(actAsTruestep) != "" {
		c := newCLI()
		if os.Getenv(keepStopTimeout) == "" {
			c.Serve.stopTimeout = stopsWithin
		}
		os.Exit(c.execute(std{os.Stdout, os.Stderr}, os.Args[1:]))
	}
	for _, v := range os.Environ() { // settings of the environment must not reach the tests
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "TRUESTEP_") && name != "TRUESTEP_RCCE_PROJECT" {
			os.Unsetenv(name)
		}
	}
	os.Setenv("TRUESTEP_WEB", "off") // programs of several tests run at the same time and cannot all listen on the default port
	// Processes inherit ignored signals, so under nohup the programs that the tests start would ignore SIGHUP. A handler in
	// the tests' process prevents this: in a new program, a signal that had a handler has its default effect.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	os.Unsetenv("COLUMNS") // with COLUMNS set, help is wrapped to that width instead of the terminal's
	// With -short, more tests run in parallel than there are CPUs, because tests mostly wait for server processes and swarms.
	flag.Parse()
	if testing.Short() {
		if err := flag.Set("test.parallel", strconv.Itoa(max(shortParallelTests, runtime.GOMAXPROCS(0)))); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// here makes a new, empty folder the working directory for the rest of the test.
func here(t *testing.T) string {
	t.Helper()
	t.Setenv("TRUESTEP_RCCE_PROJECT", "")
	dir := t.TempDir()
	t.Chdir(dir)
	return dir
}

// truestep runs the program in this process with a command line that ends by itself, and returns the exit status and the
// output.
func truestep(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = newCLI().execute(std{&out, &err}, args)
	return code, out.String(), err.String()
}

func TestHelpMatchesGoldenFiles(t *testing.T) {
	here(t)
	for name, args := range map[string][]string{
		"truestep":        nil,
		"serve":           {"serve"},
		"admin":           {"admin"},
		"admin-ban":       {"admin", "ban"},
		"admin-give":      {"admin", "give"},
		"admin-spawn":     {"admin", "spawn"},
		"decode":          {"decode", "rcce"},
		"decode-rs":       {"decode", "rs"},
		"decode-bedrock":  {"decode", "bedrock"},
		"vectors":         {"vectors", "rs"},
		"swarm":           {"swarm", "rcce"},
		"check-world":     {"check-world"},
		"import-accounts": {"import-accounts"},
		"backup":          {"backup"},
		"restore":         {"restore"},
		"token":           {"token"},
		"token-add":       {"token", "add"},
		"why":             {"why"},
		"schema":          {"schema"},
		"cluster-keys":    {"cluster", "keys"},
		"cluster":         {"cluster"},
		"cluster-status":  {"cluster", "status"},
		"health":          {"health"},
		"cluster-move":    {"cluster", "move"},
		"version":         {"version"},
		"bench-web":       {"bench", "web"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := truestep(append(args, "--help")...)
			if code != 0 || errs != "" {
				t.Errorf("exit status %d, %s", code, errs)
			}
			golden(t, "help/"+name+".txt", out)
		})
	}
	_, want, _ := truestep("--help")
	if code, got, _ := truestep(); code != 0 || got != want {
		t.Errorf("without arguments: exit status %d\n%s", code, got)
	}
}

func TestVersionCommandAndVersionFlagPrintCommit(t *testing.T) {
	here(t)
	was := commit
	defer func() { commit = was }()
	commit = "0123456789abcdef0123456789abcdef01234567"
	want := "truestep " + version + " (0123456789ab) " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for _, args := range []string{"version", "--version", "-v", "serve --version"} {
		if code, out, errs := truestep(strings.Fields(args)...); code != 0 || out != want || errs != "" {
			t.Errorf("%s: exit status %d, %q, %s", args, code, out, errs)
		}
	}
}

func TestHelpCommandPrintsHelpOfNamedCommand(t *testing.T) {
	here(t)
	for _, name := range []string{"", "serve", "swarm web", "account export"} {
		words := strings.Fields(name)
		_, want, _ := truestep(append(words, "--help")...)
		if code, got, errs := truestep(append([]string{"help"}, words...)...); code != 0 || got != want || got == "" || errs != "" {
			t.Errorf("help %s: exit status %d, %q, %s", name, code, got, errs)
		}
	}
}

// Durations are written in one way everywhere: each flag that is a duration accepts 30d and refuses 30days.
func TestEveryDurationFlagAcceptsDays(t *testing.T) {
	here(t)
	parser := newParser(newCLI(), nil, std{io.Discard, io.Discard}, func(int) {})
	flags := map[string]*kong.Value{}
	for _, command := range parser.Model.Leaves(false) {
		for _, group := range command.AllFlags(false) {
			for _, f := range group {
				flags[command.Path()+" --"+f.Name] = f.Value
			}
		}
	}
	durations := 0
	for name, flag := range flags {
		if _, isText := flag.Target.Interface().(string); isText && regexp.MustCompile(`^\d+(ms|s|m|h|d)$`).MatchString(flag.Default) {
			if !slices.Contains([]string{"history-retain", "tape-retain", "from"}, flag.Name) { // their values may also be words, sizes or times
				t.Errorf("%s is a duration by default, but no duration for the parser", name)
			}
		}
		if _, ok := flag.Target.Interface().(time.Duration); !ok {
			continue
		}
		durations++
		value := reflect.New(flag.Target.Type()).Elem()
		if err := flag.Parse(kong.Scan("30d"), value); err != nil || value.Interface() != 720*time.Hour {
			t.Errorf("%s 30d: %v, %v", name, value, err)
		}
		if err := flag.Parse(kong.Scan("30days"), value); err == nil {
			t.Errorf("%s takes 30days", name)
		}
	}
	if durations < 30 {
		t.Errorf("only %d flags are durations", durations)
	}
}

// All commands with --json print JSON and nothing else on standard output: one object, or one object a line if the result is a list
// that may be long. Their help texts must begin with the same words.
func TestHelpOfEveryJSONFlagBeginsWithSameWords(t *testing.T) {
	here(t)
	parser := newParser(newCLI(), nil, std{io.Discard, io.Discard}, func(int) {})
	found := 0
	for _, command := range parser.Model.Leaves(false) {
		for _, group := range command.AllFlags(false) {
			for _, f := range group {
				if f.Name != "json" {
					continue
				}
				found++
				if !strings.HasPrefix(f.Help, "Print JSON instead of text: one object") {
					t.Errorf("%s --json: %s", command.Path(), f.Help)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d commands have --json", found)
	}
}

func TestCommandLineErrorsAreOneLineWithExitStatus2(t *testing.T) {
	here(t)
	for _, c := range []struct{ args, want string }{
		{"nonsense", "truestep: unexpected argument nonsense; see truestep --help\n"},
		{"serve --nonsense", "truestep: unknown flag --nonsense; see truestep serve --help\n"},
		{"serve --metrix off", `truestep: unknown flag --metrix, did you mean "--metrics"? See truestep serve --help` + "\n"},
		{"serve extra", "truestep: unexpected argument extra; see truestep serve --help\n"},
		{"serve --rcce-workers many", `truestep: --rcce-workers: "many" is not a whole number; see truestep serve --help` + "\n"},
		{"serve --seed=-1", `truestep: --seed: "-1" is not a whole number of 0 or more; see truestep serve --help` + "\n"},
		{"serve --journal-retain 7days", `truestep: --journal-retain: "7days" is not a duration such as 400ms, 10m, 12h or 30d; see truestep serve --help` + "\n"},
		{"swarm rcce -d 5", `truestep: --duration: "5" is not a duration such as 400ms, 10m, 12h or 30d; see truestep swarm rcce --help` + "\n"},
		{"serve --data-dir", "truestep: --data-dir: a value is missing; see truestep serve --help\n"},
		{"serve --rcce-workers", "truestep: --rcce-workers: a value is missing; see truestep serve --help\n"},
		{"serve --log-level loud", `truestep: --log-level must be one of "debug","info","warn","error" but got "loud"; see truestep serve --help` + "\n"},
		{"serve --world a --rcce-project b", "truestep: --world and --rcce-project can't be used together; see truestep serve --help\n"},
		{"serve --data-dir=", "truestep: data-dir is empty: name a folder, or leave it out for ./truestep-data\n"},
		{"serve --rcce-rules x", "truestep: rcce-rules is for a project: name that with --rcce-project DIR\n"},
		{"serve --neutral-resistances", "truestep: neutral-resistances is for a project: name that with --rcce-project DIR\n"},
		{"serve --seed 9223372036854775808", "truestep: seed 9223372036854775808 is too great: at most 9223372036854775807, as TOML has no greater numbers\n"},
		{"serve --rcce-max-peers 0 --rcce-peers-per-addr 32767 --rcce-workers 65 --rcce-middle-every 0s",
			"truestep: rcce-max-peers 0: must be 1..32766\ntruestep: rcce-peers-per-addr 32767: must be 1..32766\n" +
				"truestep: rcce-workers 65: must be 0..64\ntruestep: rcce-middle-every 0s: must be 1ms or more, such as 400ms\n"},
		{"decode", `truestep: expected one of "rcce", "rs", "bedrock", "web"; see truestep decode --help` + "\n"},
		{"import-accounts", "truestep: missing flags: --rcce-project=DIR; see truestep import-accounts --help\n"},
	} {
		code, out, errs := truestep(strings.Fields(c.args)...)
		if code != exitUsage || out != "" || errs != c.want {
			t.Errorf("%s: exit status %d, printed %q and\n%s, want\n%s", c.args, code, out, errs, c.want)
		}
	}
	isEmpty(t, ".")
}

// isEmpty checks that a folder is empty, because the program must not have written anything.
func isEmpty(t *testing.T, dir string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) > 0 {
		t.Errorf("%s has %v, %v", dir, list, err)
	}
}

// unwrapped returns the printed text with its lines joined by spaces.
func unwrapped(out fmt.Stringer) string { return strings.Join(strings.Fields(out.String()), " ") }
