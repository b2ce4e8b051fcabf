package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/internal/lateness"
)

// serveRcce runs `truestep serve` with the embedded world until the test ends, and returns where its door is.
func serveRcce(t *testing.T) string {
	t.Helper()
	at, _ := serveDoor(t, "rcce", "--rs", "off", "--bedrock", "off")
	return at
}

// serveDoor is serveRcce with one of the doors. It returns the data folder, too.
func serveDoor(t *testing.T, name string, args ...string) (at, data string) {
	t.Helper()
	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"))
	if err != nil {
		t.Fatal(err)
	}
	data = t.TempDir()
	if _, err := parser.Parse(append([]string{
		"serve", "--data-dir", data, "--" + name, "127.0.0.1:0", "--console", "off", "--metrics", "off", "--log-level", "error", "--no-status",
	}, args...)); err != nil {
		t.Fatal(err)
	}
	out, in := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		err := c.Serve.serve(ctx, std{in, io.Discard})
		in.Close() // who waits for "ready" waits no longer
		done <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.HasPrefix(lines.Text(), "ready"); {
		if f := strings.Fields(lines.Text()); len(f) > 1 && f[0] == name {
			at, _, _ = strings.Cut(f[1], "/")
		}
	}
	go io.Copy(io.Discard, out)
	return at, data
}

// swarming parses a command line of swarm rcce.
func swarming(t *testing.T, args ...string) (*swarmRcceCmd, *bytes.Buffer) {
	t.Helper()
	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"swarm", "rcce"}, args...)); err != nil {
		t.Fatal(err)
	}
	out := new(bytes.Buffer)
	c.Swarm.Rcce.stdout, c.Swarm.Rcce.stderr = out, io.Discard
	return &c.Swarm.Rcce, out
}

// calm is how late a machine may be for honest players not to be corrected. An echo that is two thirds of a second old takes
// a runner back, and inputs of two seconds that come all at once are more than a server keeps.
const calm = 300 * time.Millisecond

// excuse forgets corrections of honest players if the machine itself was too late for them to prove anything.
func excuse(t *testing.T, late *lateness.Worst, corrections ...*uint64) {
	t.Helper()
	worst := late.Get()
	if worst < calm {
		return
	}
	t.Logf("the machine stalled for %v: whether somebody was corrected is not judged", worst)
	for _, n := range corrections {
		*n = 0
	}
}

func TestSwarmJoinsPlaysAndReports(t *testing.T) {
	late := lateness.Measure(t, nil)
	door := serveRcce(t)
	s, out := swarming(t, "--server", door, "-n", "4", "-d", "2s", "--ramp", "100/s", "--in-sight", "--walk", "--json", "--seed", "9")
	if err := s.Run(); err != nil {
		t.Errorf("exit: %v\n%s", err, out)
	}
	var r swarmReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	excuse(t, late, &r.Corrections)
	if r.Joined != 4 || r.Failed != 0 || r.Dropped != 0 || r.Bad != 0 || r.Corrections != 0 || r.SightLeast < 3 {
		t.Errorf("%+v", r)
	}
	// Each sees itself and three others five times a second, the world's own people not counted; a busy machine is late.
	if r.UpdatesPerClient < 20 || r.Gap.P50 < 120 || r.Gap.P50 > 350 || r.RoundTrip.Count == 0 || r.ClaimsPerSecond == 0 {
		t.Errorf("%+v", r)
	}

	s, out = swarming(t, "--server", door, "-n", "2", "-d", "500ms", "--ramp", "100/s", "--loss", "2%", "--delay", "5ms", "--no-reconnect")
	if err := s.Run(); err != nil {
		t.Errorf("the same accounts on a bad line: %v\n%s", err, out)
	}
	if text := unwrapped(out); !strings.Contains(text, "2 asked, 2 joined, 0 failed, 0 dropped") || !strings.Contains(text, "loss 2%, delay 5ms") {
		t.Errorf("%s", text)
	}
}

func TestSwarmWithoutAServerSaysSo(t *testing.T) {
	// The port stays that of a socket which hears somebody else only, or another program might open a new one on it.
	taken, err := net.DialUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	closed := taken.LocalAddr().String()
	s, out := swarming(t, "--server", closed, "-n", "2", "-d", "1s", "--ramp", "100/s")
	var status exitStatus
	if err := s.Run(); !errors.As(err, &status) || status != 1 {
		t.Errorf("exit: %v, want status 1", err)
	}
	if !strings.Contains(out.String(), "2: connect: "+closed+"/udp: no server there") || !strings.Contains(unwrapped(out), "truestep serve starts a server; --server HOST:PORT names another") {
		t.Errorf("%s", out)
	}
}

func TestAnInterruptedRampStillReports(t *testing.T) {
	s, _ := swarming(t, "--server", "127.0.0.1:9", "-n", "3", "--ramp", "0.001/s")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r, err := s.run(ctx)
	if err != nil || r.Asked != 3 || r.Joined != 0 || r.MeasuredSeconds == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestWhatDeservesExitStatusOne(t *testing.T) {
	for _, c := range []struct {
		what  string
		r     swarmReport
		lossy bool
		want  bool
	}{
		{"all well", swarmReport{Joined: 2}, false, false},
		{"nobody joined", swarmReport{Failed: 2}, true, true},
		{"one failed", swarmReport{Joined: 1, Failed: 1}, false, true},
		{"one dropped", swarmReport{Joined: 2, Dropped: 1}, false, true},
		{"one dropped by a bad line", swarmReport{Joined: 2, Dropped: 1}, true, false},
		{"something unreadable", swarmReport{Joined: 2, Bad: 1}, true, true},
	} {
		if got := c.r.bad(c.lossy); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

func TestRatesAndShares(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0.05": 0.05, "0%": 0, "99.9%": 0.999} {
		var p percent
		if err := p.UnmarshalText([]byte(text)); err != nil || round(float64(p), 1e6) != want {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "%", "100%", "1", "-1%", "NaN", "x"} {
		if err := new(percent).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("share %q is accepted", text)
		}
	}
	var r perSecond
	if err := r.UnmarshalText([]byte("20/s")); err != nil || r != 20 {
		t.Errorf("%v, %v", r, err)
	}
	for _, text := range []string{"", "/s", "0", "-1/s", "NaN", "Inf", "1/h"} {
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("rate %q is accepted", text)
		}
	}
}
