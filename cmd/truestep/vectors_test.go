package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/rsscene"
	"github.com/truestep-io/truestep/proto/rs"
)

// vectors runs "truestep vectors rs args".
func vectors(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := truestep(append([]string{"vectors", "rs"}, args...)...)
	if code != 0 || errs != "" {
		t.Fatalf("vectors rs %q: exit status %d, %s", args, code, errs)
	}
	return out
}

func TestRSTestVectorsFromSameSeedAreIdentical(t *testing.T) {
	here(t)
	for _, p := range rs.Profiles() {
		args := []string{"--profile", p.Name, "--players", "60", "--cycles", "20", "--reconnects", "--seed"}
		first := vectors(t, append(args, "7")...)
		if vectors(t, append(args, "7")...) != first {
			t.Errorf("%s: two runs differ", p.Name)
		}
		if vectors(t, append(args, "8")...) == first {
			t.Errorf("%s: the seed makes no difference", p.Name)
		}
		if out := vectors(t, append(args, "7", "--out", "run.jsonl")...); out != "" {
			t.Errorf("%s: with --out it prints %.80q", p.Name, out)
		}
		if file, err := os.ReadFile("run.jsonl"); err != nil || string(file) != first {
			t.Errorf("%s: the file has other bytes, %v", p.Name, err)
		}
	}
}

// lineKinds returns, for each line, the first letter of the value of the key t.
func lineKinds(t *testing.T, lines string) string {
	t.Helper()
	var kinds []byte
	for line := range strings.Lines(lines) {
		l, err := rsscene.ReadLine([]byte(line))
		if err != nil && !strings.HasPrefix(line, `{"t":"init"`) {
			t.Fatal(err)
		}
		kinds = append(kinds, l.T[0])
	}
	return string(kinds)
}

func TestRSTestVectorsHaveInitialStateThenOneLinePerCycle(t *testing.T) {
	here(t)
	for _, scene := range rsscene.SceneNames() {
		for _, players := range []string{"1", "2", "100"} {
			got := lineKinds(t, vectors(t, "--scene", scene, "--players", players, "--cycles", "50"))
			if want := "i" + strings.Repeat("c", 50); got != want {
				t.Errorf("%s, %s players: %s", scene, players, got)
			}
		}
	}
	got := lineKinds(t, vectors(t, "--reconnects", "--cycles", "200", "--players", "5"))
	if !strings.HasPrefix(got, "ic") || strings.Count(got, "c") != 200 || strings.Count(got, "i") < 2 || strings.Contains(got, "ii") || !strings.HasSuffix(got, "c") {
		t.Errorf("with reconnects: %s", got)
	}
	if got := lineKinds(t, vectors(t)); got != "i"+strings.Repeat("c", 100) {
		t.Errorf("by default: %s", got)
	}
}

// The states that are decoded from vectors equal the expected states in their lines, byte for byte. The expected states are
// taken from the world, not from packets.
func TestRSTestVectorsDecodeToExpectedStatesInTheirFile(t *testing.T) {
	here(t)
	for _, p := range rs.Profiles() {
		for _, scene := range rsscene.SceneNames() {
			t.Run(p.Name+"/"+scene, func(t *testing.T) {
				for _, args := range [][]string{{"--players", "2046", "--cycles", "4"}, {"--players", "70", "--cycles", "60", "--reconnects"}} {
					lines := vectors(t, append(args, "--profile", p.Name, "--scene", scene, "--seed", "3")...)
					code, out, errs := decodeRS(t, lines, "--profile", p.Name, "--jsonl", "-", "--check")
					if code != 0 || errs != "stdin: right in "+args[3]+" cycles\n" {
						t.Fatalf("%q: exit status %d, %s", args, code, errs)
					}
					if want := truths(lines); out != want {
						t.Errorf("%q: states are not the expected ones", args)
					}
				}
			})
		}
	}
}

// truths returns the expected state of each line, one per line.
func truths(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		if _, truth, ok := strings.Cut(line, `,"truth":`); ok {
			b.WriteString(strings.TrimSuffix(truth, "}\n") + "\n")
		}
	}
	return b.String()
}

func TestDecodeRSRefusesTestVectorsOfOtherClientRevision(t *testing.T) {
	here(t)
	for _, written := range rs.Profiles() {
		lines := vectors(t, "--profile", written.Name, "--players", "300", "--cycles", "40")
		for _, read := range rs.Profiles() {
			if read == written {
				continue
			}
			code, _, errs := decodeRS(t, lines, "--jsonl", "-", "--profile", read.Name)
			if code != 1 || !strings.HasPrefix(errs, "truestep: stdin: cycle ") || !strings.Contains(errs, " bit ") || strings.Count(errs, "\n") != 1 {
				t.Errorf("%s read as %s: exit status %d, %s", written.Name, read.Name, code, errs)
			}
		}
	}
}

func TestVectorsCommandRefusesFlagsOutOfRange(t *testing.T) {
	here(t)
	for _, c := range []struct{ args, want string }{
		{"--players 0", "players 0: must be 1..2046"},
		{"--players 2047", "players 2047: must be 1..2046"},
		{"--cycles 0", "cycles 0: must be 1..1000000"},
		{"--cycles 1000001", "cycles 1000001: must be 1..1000000"},
		{"--profile 666", `--profile must be one of "634","667","osrs239" but got "666"`},
		{"--scene calm", `--scene must be one of "chaos","crowd","walkers" but got "calm"`},
		{"--seed=-1", `--seed: "-1" is not a whole number of 0 or more`},
		{"--out nowhere/run.jsonl", "create the file of --out: open nowhere/run.jsonl: no such file or directory"},
		{"--out=", "out is empty"},
		{"extra", "unexpected argument extra"},
	} {
		code, out, errs := truestep(append([]string{"vectors", "rs"}, strings.Fields(c.args)...)...)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "truestep: ") || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit status %d, %q and %s", c.args, code, out, errs)
		}
	}
	isEmpty(t, ".")
}

// closingPipe is a writer that fails like a closed pipe after a number of writes.
type closingPipe struct{ left int }

func (c *closingPipe) Write(b []byte) (int, error) {
	if c.left--; c.left < 0 {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	}
	return len(b), nil
}

func TestVectorsAndDecodeCommandsEndSilentlyWhenOutputPipeCloses(t *testing.T) {
	here(t)
	if err := os.WriteFile("run.jsonl", []byte(vectors(t, "--cycles", "5")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"vectors", "rs"}, {"decode", "rs", "--jsonl", "run.jsonl"}, {"decode", "rs", "--jsonl", "run.jsonl", "--trace"},
		{"decode", "rs", "--self", "1", "--at", "1,1", "007ff4", "007ff4", "007ff4"},
	} {
		var errs bytes.Buffer
		if code := newCLI().execute(std{&closingPipe{left: 2}, &errs}, args); code != 141 || errs.Len() > 0 {
			t.Errorf("%q: exit status %d, %s", args, code, &errs)
		}
	}
}

func TestVectorsCommandWithLongOutputEndsWhenOutputPipeCloses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "vectors", "rs", "--cycles", "1000000")
	cmd.Env = append(os.Environ(), actAsTruestep+"=1", "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(patience, func() { cmd.Process.Kill() }).Stop()
	if line, err := bufio.NewReader(io.LimitReader(out, 1<<20)).ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"t":"init"`) {
		t.Errorf("%.80q, %v", line, err)
	}
	out.Close()
	if err := cmd.Wait(); err == nil || strings.Contains(err.Error(), "killed") || errs.Len() > 0 {
		t.Errorf("%v, %s", err, &errs)
	}
}
