package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/swarm"
)

func TestSwarmWebHelpMatchesGoldenFile(t *testing.T) {
	here(t)
	code, out, errs := truestep("swarm", "web", "--help")
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %s", code, errs)
	}
	golden(t, "help/swarm-web.txt", out)
}

func TestSwarmWebPlayersJoinPlayAndAreReported(t *testing.T) {
	t.Parallel()
	door, _ := serveDoor(t, "web", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--web", "127.0.0.1:0")
	for _, line := range [][]string{{"--delay", "20ms", "--jitter", "5ms", "--loss", "1%"}, {"--ws"}} {
		file := filepath.Join(t.TempDir(), "report.json")
		args := append([]string{"swarm", "web", "--addr", door, "-n", "8", "-d", "2500ms", "--rate", "100/s", "--in-sight", "--report", file, "--seed", "9"}, line...)
		code, out, _ := truestep(args...)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var r swarm.WebReport
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if (code == 0) != r.OK(true) {
			t.Errorf("%v: exit status %d\n%s", line, code, out)
		}
		if r.Joined != 8 || r.Failed != 0 || r.Unreadable != 0 || r.Inputs == 0 || r.SightMean < 8 {
			t.Errorf("%v: %+v", line, r)
		}
	}
}

func TestSwarmWebRefusesBadFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--prefix abcdefghijklmnop": "--prefix \"abcdefghijklmnop\": must have 1..12 characters",
		"--ws --loss 1%":            "--jitter could impair: remove these flags, or remove --ws",
		"--delay=-1s":               "--delay -1s: must not be negative",
	} {
		code, _, errs := truestep(append([]string{"swarm", "web"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit status %d, %s", args, code, errs)
		}
	}
	code, out, _ := truestep("swarm", "web", "--addr", "127.0.0.1:9", "-n", "1", "-d", "1s")
	if code != 1 || !strings.Contains(out, "1: ") {
		t.Errorf("without a server: exit status %d\n%s", code, out)
	}
}
