package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/swarm"
)

// runSwarmBedrock runs "truestep swarm bedrock args" and returns what it prints.
func runSwarmBedrock(t *testing.T, args ...string) (*bytes.Buffer, error) {
	t.Helper()
	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"swarm", "bedrock"}, args...)); err != nil {
		t.Fatal(err)
	}
	out := new(bytes.Buffer)
	return out, c.Swarm.Bedrock.Run(std{out, io.Discard})
}

func TestSwarmBedrockHelpMatchesGoldenFile(t *testing.T) {
	here(t)
	code, out, errs := truestep("swarm", "bedrock", "--help")
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %s", code, errs)
	}
	golden(t, "help/swarm-bedrock.txt", out)
}

func TestSwarmBedrockPlayersJoinPlayAndAreReported(t *testing.T) {
	t.Parallel()
	door, _ := serveDoor(t, "bedrock", "--rcce", "off", "--rs", "off")
	file := filepath.Join(t.TempDir(), "report.json")
	out, ended := runSwarmBedrock(t, "--addr", door, "-n", "8", "-d", "2500ms", "--rate", "100/s", "--in-sight",
		"--delay", "20ms", "--jitter", "5ms", "--loss", "1%", "--report", file, "--metrics", "127.0.0.1:1", "--seed", "9")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r swarm.BedrockReport
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if (ended == nil) != r.OK(true) {
		t.Errorf("exit: %v\n%s", ended, out)
	}
	if r.Joined != 8 || r.Failed != 0 || r.Unreadable != 0 || r.UnknownActors != 0 || r.Trailing != 0 {
		t.Errorf("%+v", r)
	}
	if r.Inputs == 0 || r.RoundTrip.P50 < 40 || r.SightMean < 7 || r.BytesInPerClient == 0 || r.ByReason != nil {
		t.Errorf("%+v", r)
	}
	if text := unwrapped(out); !strings.Contains(text, "8 asked, 8 joined, 0 failed, 0 dropped") ||
		!strings.Contains(text, ": mixed, in sight; loss 1%, delay 20ms, jitter 5ms, each way; ") {
		t.Errorf("%s", text)
	}
}

func TestSwarmBedrockCountsCorrectionsOfCheatersSeparately(t *testing.T) {
	t.Parallel()
	door, _ := serveDoor(t, "bedrock", "--rcce", "off", "--rs", "off")
	out, ended := runSwarmBedrock(t, "--addr", door, "-n", "4", "--honest", "2", "--cheat", "speed,teleport", "-d", "4s", "--rate", "100/s",
		"--walk", "--json", "--seed", "3")
	var r swarm.BedrockReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if (ended == nil) != r.OK(false) {
		t.Errorf("exit: %v\n%s", ended, out)
	}
	if r.Joined != 4 || r.Deserved == 0 || r.Rewinds == 0 || r.Play != "walk, 2 cheat: speed, teleport" {
		t.Errorf("%+v", r)
	}
}

func TestSwarmBedrockRefusesBadFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--cheat magic":             "--cheat \"magic\" is not known: must be one of fly, nan,",
		"--honest 9 -n 5":           "--honest 9: must be 0..5",
		"--prefix abcdefghijklmnop": "--prefix \"abcdefghijklmnop\": must have 1..12 characters",
		"--game 1.20.0":             "must be one of",
		"--delay=-1s":               "--delay -1s: must not be negative",
	} {
		code, _, errs := truestep(append([]string{"swarm", "bedrock"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit status %d, %s", args, code, errs)
		}
	}
	out, err := runSwarmBedrock(t, "--addr", "127.0.0.1:9", "-n", "1", "-d", "1s")
	var status exitStatus
	if !errors.As(err, &status) || status != 1 || !strings.Contains(out.String(), "1: ") {
		t.Errorf("without a server: %v\n%s", err, out)
	}
}
