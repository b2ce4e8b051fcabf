package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/swarm/demo"
)

var playersOf = regexp.MustCompile(`truestep_players\{[^}]*\} (\d+)`)

// awaitPlayers waits until the metrics of the server show the wanted number of players.
func awaitPlayers(t *testing.T, metrics string, want int) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		_, text := get(t, metrics)
		n := 0
		for _, m := range playersOf.FindAllStringSubmatch(text, -1) {
			in, _ := strconv.Atoi(m[1])
			n += in
		}
		if n == want {
			return
		}
		if time.Since(start) > patience {
			t.Fatalf("%d players, want %d", n, want)
		}
	}
}

func TestDemoBotsLogInAtEachDoorAfterEveryServerStart(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	var secret string
	for visit := range 2 {
		p := launch(t, "serve", "--demo", "--demo-bots", "2", "--data-dir", data, "--rcce", "127.0.0.1:0", "--rs", "127.0.0.1:0",
			"--bedrock", "127.0.0.1:0", "--web", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--no-status")
		lines := p.until("ready")
		if note := strings.Join(lines, "\n"); !strings.Contains(note, "2 bots at each door") || !strings.Contains(note, "_Bot") {
			t.Errorf("the table of the start does not mention the bots:\n%s", note)
		}
		awaitPlayers(t, field(t, lines, "metrics", 1), 8)
		p.signal(syscall.SIGINT)
		code, _, took := p.end()
		if log := p.errs.String(); code != 0 || took > stopsWithin || !strings.Contains(log, "all records saved") || strings.Contains(log, `"level":"ERROR"`) {
			t.Errorf("exit status %d after %v\n%s", code, took, log)
		} else if strings.Contains(log, "_Bot") || strings.Contains(log, "_bot") {
			t.Errorf("the log has lines about bots:\n%s", log)
		}
		text, err := os.ReadFile(filepath.Join(data, demo.PasswordFile))
		if err != nil || visit > 0 && string(text) != secret {
			t.Errorf("the password was %q and is %q, %v", secret, text, err)
		}
		secret = string(text)
	}
	if info, err := os.Stat(filepath.Join(data, demo.PasswordFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the password file has mode: %v, %v", info, err)
	}
}

func TestServeDemoStartsBotsOnlyAtOpenDoorsWithoutOnlineMode(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--demo", "--demo-bots", "1", "--rcce", "off", "--rs", "127.0.0.1:0", "--bedrock", "127.0.0.1:0", "--bedrock-online",
		"--metrics", "127.0.0.1:0", "--no-status")
	lines := p.until("ready")
	awaitPlayers(t, field(t, lines, "metrics", 1), 1)
	p.signal(syscall.SIGINT)
	if code, _, _ := p.end(); code != 0 || !strings.Contains(p.errs.String(), "the bedrock door gets no bots") {
		t.Errorf("exit status %d\n%s", code, &p.errs)
	}
}

func TestServeDemoRefusesNumberOfBotsOutOfRange(t *testing.T) {
	here(t)
	for _, n := range []int{0, -1, demo.MaxBotsPerDoor + 1} {
		code, _, errs := truestep("serve", "--demo", fmt.Sprintf("--demo-bots=%d", n))
		if want := fmt.Sprintf("truestep: demo-bots %d: must be 1..50\n", n); code != exitUsage || errs != want {
			t.Errorf("exit status %d, %q", code, errs)
		}
	}
}

// demoWorld has one playable template, with an id that the embedded world does not have.
const demoWorld = `name = "Small"
[[attribute]]
name = "Health"
role = "health"
[[attribute]]
name = "Strength"
role = "strength"
[[attribute]]
name = "Speed"
role = "speed"
[[template]]
id = 40
race = "Human"
playable = true
start = { area = "Field", portal = "Start" }
attributes = { Health = 100, Strength = 20, Speed = [50, 100] }
[[area]]
name = "Field"
[[area.portal]]
name = "Start"
at = [0, 0, 0]
`

func TestServeDemoBotsEnterWorldLoadedFromFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "small.toml")
	if err := os.WriteFile(file, []byte(demoWorld), 0o600); err != nil {
		t.Fatal(err)
	}
	p := launch(t, "serve", "--world", file, "--demo", "--demo-bots", "3", "--rcce", "127.0.0.1:0", "--rs", "127.0.0.1:0",
		"--bedrock", "127.0.0.1:0", "--web", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--no-status")
	awaitPlayers(t, field(t, p.until("ready"), "metrics", 1), 12)
	p.signal(syscall.SIGINT)
	if code, _, _ := p.end(); code != 0 || strings.Contains(p.errs.String(), "refused") {
		t.Errorf("exit status %d\n%s", code, &p.errs)
	}
}
