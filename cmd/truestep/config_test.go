package main

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/internal/settings"
	"github.com/truestep-io/truestep/server"
)

// config runs serve --print-config and returns the value of one key.
func config(t *testing.T, key string, args ...string) string {
	t.Helper()
	code, out, errs := truestep(append([]string{"serve", "--print-config"}, args...)...)
	if code != 0 {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	for line := range strings.Lines(out) {
		if v, ok := strings.CutPrefix(line, key+" = "); ok {
			return strings.TrimSpace(v)
		}
	}
	t.Fatalf("no %s in\n%s", key, out)
	return ""
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFlagsTakePrecedenceOverVariablesFileAndDefaults(t *testing.T) {
	for _, c := range []struct{ key, byDefault, file, inFile, variable, inVariable, flag, inFlag string }{
		{"metrics", `"127.0.0.1:9180"`, `"off"`, `"off"`, "127.0.0.1:1", `"127.0.0.1:1"`, "127.0.0.1:2", `"127.0.0.1:2"`},
		{"rcce-max-peers", "5000", "1", "1", "2", "2", "3", "3"},
		{"seed", "0", "1", "1", "2", "2", "3", "3"},
		{"rcce-middle-every", `"400ms"`, `"1s"`, `"1s"`, "2s", `"2s"`, "3s", `"3s"`},
		{"rs-register", "true", "false", "false", "yes", "true", "false", "false"},
		{"claim-policy", `"world"`, `"strict"`, `"strict"`, "seed", `"seed"`, "world", `"world"`},
	} {
		t.Run(c.key, func(t *testing.T) {
			here(t)
			if got := config(t, c.key); got != c.byDefault {
				t.Errorf("by default %s, want %s", got, c.byDefault)
			}
			write(t, defaultConfig, c.key+" = "+c.file+"\n")
			if got := config(t, c.key); got != c.inFile {
				t.Errorf("with the file %s, want %s", got, c.inFile)
			}
			t.Setenv(settings.Variable(variablePrefix, c.key), "")
			if got := config(t, c.key); got != c.inFile {
				t.Errorf("with an empty variable %s, want %s", got, c.inFile)
			}
			t.Setenv(settings.Variable(variablePrefix, c.key), c.variable)
			if got := config(t, c.key); got != c.inVariable {
				t.Errorf("with the variable %s, want %s", got, c.inVariable)
			}
			if got := config(t, c.key, "--"+c.key+"="+c.flag); got != c.inFlag {
				t.Errorf("with the flag %s, want %s", got, c.inFlag)
			}
		})
	}
}

func TestWorldIsSelectedByFlagThenVariableThenFile(t *testing.T) {
	here(t)
	write(t, defaultConfig, "rcce-project = \"file\"\n")
	if got := config(t, "rcce-project"); got != `"file"` {
		t.Errorf("project %s", got)
	}
	t.Setenv("TRUESTEP_WORLD", "variable.toml")
	if w, p := config(t, "world"), config(t, "rcce-project"); w != `"variable.toml"` || p != `""` {
		t.Errorf("variable over file: world %s, project %s", w, p)
	}
	flag := []string{"--rcce-project", "flag"}
	if w, p := config(t, "world", flag...), config(t, "rcce-project", flag...); w != `""` || p != `"flag"` {
		t.Errorf("flag over variable: world %s, project %s", w, p)
	}
	if w, p := config(t, "world", "--world="), config(t, "rcce-project", "--world="); w != `""` || p != `""` {
		t.Errorf("an empty flag selects the embedded world, got world %s, project %s", w, p)
	}
}

func TestPrintConfigOutputIsAValidConfigFile(t *testing.T) {
	here(t)
	for _, args := range [][]string{
		nil,
		{"--rcce-project", `C:\My "Game"\data`, "--rcce-rules", "rules.toml", "--neutral-resistances", "--no-status"},
		{"--world", "w.toml", "--seed", "9223372036854775807", "--rcce", "off", "--rcce-middle-every", "1s", "--log-format", "json"},
	} {
		code, first, errs := truestep(append([]string{"serve", "--print-config"}, args...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		write(t, "printed.toml", first)
		_, again, errs := truestep("serve", "--print-config", "--config", "printed.toml")
		if again != first {
			t.Errorf("%v: %s\ngot\n%s\nwant\n%s", args, errs, again, first)
		}
	}
}

func TestConfigFileErrorsNameFileAndLine(t *testing.T) {
	here(t)
	for text, want := range map[string]string{
		"data-dir = \"d\"\nx = = 3\n":                 "my.toml:2: expected value but found '=' instead",
		"# note\n\nrcce-max-peers = \"many\"\n":       `my.toml:3: rcce-max-peers must be a whole number, not "many"`,
		"rcce-max-peers = 12.5\n":                     "my.toml:1: rcce-max-peers must be a whole number, not 12.5",
		"seed = -1\n":                                 "my.toml:1: seed must be a whole number from 0, not -1",
		"metrics = 9180\n":                            "my.toml:1: metrics must be a text in quotes, not 9180",
		"status = \"maybe\"\n":                        `my.toml:1: status must be true or false, not "maybe"`,
		"rcce-middle-every = 400\n":                   `my.toml:1: rcce-middle-every must be a duration in quotes such as "400ms", not 400`,
		"rcce-middle-every = \"4 h\"\n":               `my.toml:1: rcce-middle-every "4 h" is not a duration such as 400ms, 10m, 12h or 30d`,
		"data-dir = [\"a\", \"b\"]\n":                 "my.toml:1: data-dir must be a text in quotes, not a list",
		"seed = 1\n[rcce]\nport = 1\n":                "my.toml:2: rcce must be a text in quotes, not a table",
		"seed = 1\nlog-format = \"xml\"\n":            `my.toml:2: log-format "xml" is none of auto, text, json`,
		"seed = 1\nworld = \"a\"\nrcce-project='b'\n": "my.toml:2: world and rcce-project are both set: there is only one world",
	} {
		write(t, "my.toml", text)
		code, out, errs := truestep("serve", "--config=my.toml")
		if code != exitUsage || out != "" || errs != "truestep: "+want+"\n" {
			t.Errorf("%q: exit status %d\n%s, want\n%s", text, code, errs, want)
		}
	}
	write(t, "my.toml", "seed = 1\nport = 3\nstatus = 4\n")
	_, _, errs := truestep("serve", "--config", "my.toml")
	lines := strings.Split(errs, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], `truestep: my.toml:2: unknown key "port"; the keys are the flags of serve: accounts-per-addr, area-chat,`) ||
		lines[1] != "truestep: my.toml:3: status must be true or false, not 4" {
		t.Errorf("want two lines for two problems, got\n%s", errs)
	}
}

func TestMissingConfigFileIsErrorOnlyIfFlagOrVariableNamesIt(t *testing.T) {
	here(t)
	config(t, "seed")
	const want = "truestep: read the configuration file: open no.toml: no such file or directory; name another one with --config FILE\n"
	if code, _, errs := truestep("serve", "--config", "no.toml"); code != exitUsage || errs != want {
		t.Errorf("by flag: exit status %d, %s", code, errs)
	}
	t.Setenv("TRUESTEP_CONFIG", "no.toml")
	if code, _, errs := truestep("serve"); code != exitUsage || errs != want {
		t.Errorf("by variable: exit status %d, %s", code, errs)
	}
	write(t, "yes.toml", "seed = 7\n")
	if got := config(t, "seed", "--config", "yes.toml"); got != "7" {
		t.Errorf("seed %s", got)
	}
}

func TestErrorAboutInvalidEnvironmentVariableContainsItsName(t *testing.T) {
	here(t)
	t.Setenv("TRUESTEP_RCCE_WORKERS", "x")
	t.Setenv("TRUESTEP_STATUS", "perhaps")
	t.Setenv("TRUESTEP_LOG_FORMAT", "xml")
	t.Setenv("TRUESTEP_WORLD", "a")
	t.Setenv("TRUESTEP_RCCE_PROJECT", "b")
	const want = `truestep: TRUESTEP_LOG_FORMAT: "xml" is none of auto, text, json
truestep: TRUESTEP_RCCE_PROJECT and TRUESTEP_WORLD are both set: there is only one world
truestep: TRUESTEP_RCCE_WORKERS: "x" is not a whole number
truestep: TRUESTEP_STATUS: "perhaps" is neither true nor false
`
	if code, _, errs := truestep("serve"); code != exitUsage || errs != want {
		t.Errorf("exit status %d\n%s", code, errs)
	}
}

func TestImportAccountsCommandReadsConfigFile(t *testing.T) {
	here(t)
	write(t, defaultConfig, "rcce-project = \"game\"\ndata-dir = \"elsewhere\"\nseed = 3\n")
	code, _, errs := truestep("import-accounts")
	if code != exitUsage || !strings.HasPrefix(errs, "truestep: game/Server Data: there is no such folder") {
		t.Errorf("exit status %d, %s", code, errs)
	}
	write(t, defaultConfig, "nonsense")
	if code, _, errs := truestep("version"); code != 0 {
		t.Errorf("version reads the file: %s", errs)
	}
}

func TestServeFlagDefaultsEqualDefaultServerConfig(t *testing.T) {
	here(t)
	c := newCLI()
	parser, err := kong.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"serve"}); err != nil {
		t.Fatal(err)
	}
	got, want := c.Serve.config(nil, new(server.LoadedWorld)), server.Default()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("flags give\n%+v, want\n%+v", got, want)
	}
	for i, d := range want.Doors {
		if !reflect.DeepEqual(got.Doors[i].Settings(), d.Settings()) {
			t.Errorf("%s: flags give\n%+v, want\n%+v", d.Name(), got.Doors[i].Settings(), d.Settings())
		}
	}
}

func TestPrintedConfigurationHasCommentsAndCanBeReadBack(t *testing.T) {
	here(t)
	code, out, errs := truestep("serve", "--print-config", "--journal-retain", "30d", "--tape", "off")
	if code != 0 || errs != "" {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	for _, want := range []string{
		"journal-retain = \"30d\"\n", "\ntape = \"off\"\n", "\n# status = true\n",
		"\n# Prometheus metrics over HTTP: HOST:PORT or off. Default: 127.0.0.1:9180.\nmetrics = \"127.0.0.1:9180\"\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the settings do not have %q", want)
		}
	}
	write(t, defaultConfig, out)
	if code, again, errs := truestep("serve", "--print-config"); code != 0 || again != out {
		t.Errorf("read back: exit status %d, %s\n%s", code, errs, again)
	}
}

func TestChangedSettingsWithoutEffectAreReportedWithReason(t *testing.T) {
	for args, want := range map[string]string{
		"":                                    "",
		"--demo-bots 9":                       "demo-bots: demo is not set",
		"--demo --demo-bots 9":                "",
		"--tape off --tape-sync 1s":           "tape-sync: tape is off",
		"--tape off --tape-sync 200ms":        "",
		"--rs off --no-rs-register":           "rs-register: rs is off",
		"--web off --web-max-players 5":       "web-max-players: web is off",
		"--rcce off --rcce-project .":         "",
		"--console off --console-insecure":    "console-insecure: console is off",
		"--metrics off --metrics-profiles":    "metrics-profiles: metrics is off",
		"--rcce off --rcce-middle-every 1s":   "rcce-middle-every: rcce is off",
		"--rcce off --rcce-middle-every 0.4s": "",
		"--backup-keep 9 --backup-dir b":      "backup-keep: backup-every is 0, backup-dir: backup-every is 0",
		"--backup-every 1d --backup-keep 9":   "",
		"--chat-retain 0 --chat-keep 9":       "chat-keep: chat-retain is 0",
		"--chat-keep 9":                       "",
		"--cluster-name x --suspect-after 5s": "cluster-name: cluster is not set, suspect-after: cluster is not set",
		"--cluster-listen :1 --node a":        "node: cluster is not set, cluster-listen: cluster is not set",
		"--no-cluster-balance":                "cluster-balance: cluster is not set",
		"--no-cluster-lead":                   "cluster-lead: cluster is not set",
		"--cluster a=b:1 --node a --cluster-keys k --cluster-listen :1 --cluster-name x --suspect-after 5s": "",
	} {
		c := newCLI()
		k, err := kong.New(c, kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(settings.DecodeDuration)), kong.Vars{"version": ""})
		if err != nil {
			t.Fatal(err)
		}
		command, err := k.Parse(append([]string{"serve"}, strings.Fields(args)...))
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		var got []string
		for _, u := range c.Serve.withoutEffect(command.Selected().Flags) {
			got = append(got, u.flag+": "+u.why)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
