package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	gate "github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/swarm"
)

// serveAll runs `truestep serve` with all doors and the console until the test ends, and returns the flags with which a
// mixed swarm finds them.
func serveAll(t *testing.T) []string {
	t.Helper()
	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"))
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	if _, err := parser.Parse([]string{
		"serve", "--data-dir", data, "--rcce", "127.0.0.1:0", "--rs", "127.0.0.1:0", "--bedrock", "127.0.0.1:0", "--web", "127.0.0.1:0", "--console", "127.0.0.1:0",
		"--metrics", "off", "--log-level", "error", "--no-status",
	}); err != nil {
		t.Fatal(err)
	}
	c.Serve.stopTimeout = stopsWithin
	out, in := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		err := c.Serve.serve(ctx, std{in, io.Discard}, nil)
		in.Close() // ends the wait for the word "ready"
		done <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	flags := []string{"--public-key", filepath.Join(data, gate.PublicFile)}
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.HasPrefix(lines.Text(), "ready"); {
		f := strings.Fields(lines.Text())
		for _, word := range f {
			if strings.Contains(word, "#token=") {
				flags = append(flags, "--console", word)
			}
		}
		if len(f) > 1 && (f[0] == "rcce" || f[0] == "rs" || f[0] == "bedrock" || f[0] == "web") {
			at, _, _ := strings.Cut(f[1], "/")
			flags = append(flags, "--"+f[0]+"-addr", at)
		}
	}
	go io.Copy(io.Discard, out)
	return flags
}

// runSwarmMixed runs "truestep swarm mixed args" and returns what it prints.
func runSwarmMixed(t *testing.T, args ...string) (*bytes.Buffer, error) {
	t.Helper()
	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"swarm", "mixed"}, args...)); err != nil {
		t.Fatal(err)
	}
	out := new(bytes.Buffer)
	return out, c.Swarm.Mixed.Run(std{out, io.Discard})
}

func TestSwarmMixedHelpMatchesGoldenFile(t *testing.T) {
	here(t)
	code, out, errs := truestep("swarm", "mixed", "--help")
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %s", code, errs)
	}
	golden(t, "help/swarm-mixed.txt", out)
}

func TestSwarmMixedReportComparesClientsOfEveryDoorWithConsole(t *testing.T) {
	t.Parallel()
	flags := serveAll(t)
	out, ended := runSwarmMixed(t, append(flags, "--rcce", "2", "--rs", "2", "--bedrock", "2", "--web", "2", "-d", "3s", "--ramp", "50/s",
		"--tick-max", "5s", "--way", "5s", "--json", "--seed", "3")...)
	var r swarm.MixedReport
	var protocols struct {
		Rcce    swarm.RCCEReport
		Rs      swarm.RSReport
		Bedrock swarm.BedrockReport
		Web     swarm.WebReport
	}
	if err := errors.Join(json.Unmarshal(out.Bytes(), &r), json.Unmarshal(out.Bytes(), &protocols)); err != nil {
		t.Fatalf("exit: %v, %v\n%s", ended, err, out)
	}
	r.Protocols = []swarm.ProtocolReport{{Name: "rcce", Report: &protocols.Rcce}, {Name: "rs", Report: &protocols.Rs}, {Name: "bedrock", Report: &protocols.Bedrock}, {Name: "web", Report: &protocols.Web}}
	if (ended == nil) != r.OK(false) {
		t.Errorf("exit: %v\n%s", ended, out)
	}
	// Package swarm tests in virtual time that there are no mismatches and no corrections.
	if r.Joined != 8 || r.Failed+r.Dropped != 0 || len(r.ConsoleErrors) != 0 || r.Frames == 0 {
		t.Errorf("%s", out)
	}
	for _, d := range r.Doors {
		if d.Compared == 0 || d.Observations == 0 {
			t.Errorf("%s: %+v", d.Door, d)
		}
	}
	if len(r.Doors) != 4 || protocols.Rcce.BytesInPerClient == 0 || protocols.Rs.PlayerInfos == 0 || protocols.Bedrock.Inputs == 0 || protocols.Web.Inputs == 0 {
		t.Errorf("%s", out)
	}

	out, _ = runSwarmMixed(t, append(flags, "--rcce", "1", "--rs", "0", "--bedrock", "1", "--web", "1", "-d", "1s", "--no-check")...)
	if text := out.String(); !strings.Contains(text, "3 asked, 3 joined, 0 failed, 0 dropped") || !strings.Contains(text, "nothing: --no-check") {
		t.Errorf("%s", text)
	}
}

// Each error is one line with the cause and the fix; the exit status is 2.
func TestSwarmMixedRefusesBadFlagsInOneLine(t *testing.T) {
	here(t)
	_, key := loginKey(t)
	no := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error": {"code": "unauthorized", "message": "nobody has this token"}}`)
	}))
	defer no.Close()
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"tickRate": 20, "areas": [{"id": 0, "name": "Field"}]}`)
	}))
	defer old.Close()
	const help = "; see truestep swarm mixed --help"
	const way = "; set --console to the URL of the server's console, or skip the comparison with --no-check"
	for args, want := range map[string]string{
		"--rcce 0 --rs 0 --bedrock 0 --web 0": "swarm mixed: there are no players: --rcce, --rs, --bedrock and --web are all 0" + help,
		"--rs 10000":                          "swarm mixed: --rs 10000: must be 0..9999" + help,
		"--prefix longlong":                   "swarm mixed: --prefix \"longlong\": must have 1..7 characters" + help,
		"--prefix a_b":                        `swarm mixed: --prefix "a_b" must contain only letters and digits` + help,
		"--way=-1s":                           "swarm mixed: --way -1s: must not be negative" + help,
		"--tick-max 0s":                       "swarm mixed: --tick-max 0s: must be a duration above 0, such as 50ms" + help,
		"--rs 0": "the token of the console is missing: the server prints one at its start, and truestep token add creates one; " +
			"set it with --token or TRUESTEP_TOKEN, or skip the comparison with --no-check",
		"--rs 0 --console 127.0.0.1:8080":                                  `console address "127.0.0.1:8080" is not a URL; write it as http://HOST:PORT`,
		"--rs 0 --token x --console " + no.URL:                             "console: GET /api/v1/world is answered with status 401 Unauthorized: nobody has this token" + way,
		"--rs 0 --token x --console " + old.URL:                            `console: the response of GET /world has no valid size of tiles and blocks, or a wrong id, for the area "Field"` + way,
		"--no-check --public-key nowhere.txt":                              "public key nowhere.txt: no such file or directory; --public-key must name the file rs-public.txt, which a server writes into its data folder",
		"--no-check --public-key " + key + " --report nowhere/report.json": "create file of --report nowhere/report.json: no such file or directory; name a file that can be written",
	} {
		code, out, errs := truestep(append([]string{"swarm", "mixed"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit status %d, printed %q and\n%swant\n%s", args, code, out, errs, want)
		}
	}
}

// TRUESTEP_RCCE and others are settings of serve; swarm mixed has variables of its own.
func TestSwarmMixedIgnoresEnvironmentVariablesOfServeCommand(t *testing.T) {
	here(t)
	for _, c := range []struct{ variable, value, want string }{
		{"TRUESTEP_RCCE", "127.0.0.1:25000", "the token of the console is missing"},
		{"TRUESTEP_RS", "off", "the token of the console is missing"},
		{"TRUESTEP_BEDROCK", ":19132", "the token of the console is missing"},
		{"TRUESTEP_CONSOLE", "127.0.0.1:8080", "the token of the console is missing"},
		{"TRUESTEP_SWARM_RCCE", "many", `TRUESTEP_SWARM_RCCE: "many" is not a whole number`},
		{"TRUESTEP_SWARM_BEDROCK", "10000", "--bedrock 10000: must be 0..9999"},
		{"TRUESTEP_SWARM_CONSOLE", "127.0.0.1:8080", `console address "127.0.0.1:8080" is not a URL`},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			code, out, errs := truestep("swarm", "mixed", "--rs", "0", "--web", "0")
			if code != exitUsage || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("exit status %d, printed %q and\n%s", code, out, errs)
			}
		})
	}
}

func TestSwarmMixedReportsFailedPlayersIfServerIsDown(t *testing.T) {
	t.Parallel()
	out, err := runSwarmMixed(t, "--rcce", "1", "--rs", "0", "--bedrock", "0", "--web", "0", "--rcce-addr", "127.0.0.1:1", "--no-check", "-d", "1s")
	var status exitStatus
	if !errors.As(err, &status) || status != 1 || !strings.Contains(out.String(), "1 failed") {
		t.Errorf("exit: %v\n%s", err, out)
	}
}
