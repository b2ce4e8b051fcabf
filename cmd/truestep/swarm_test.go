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

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/swarm"
)

// serveRcce runs `truestep serve` with the embedded world until the test ends, and returns the address of its RealmCrafter
// door.
func serveRcce(t *testing.T) string {
	t.Helper()
	at, _ := serveDoor(t, "rcce", "--rs", "off", "--bedrock", "off")
	return at
}

// serveDoor does the same as serveRcce, but for the door with the given name. It also returns the data folder.
func serveDoor(t *testing.T, name string, args ...string) (at, data string) {
	t.Helper()
	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"))
	if err != nil {
		t.Fatal(err)
	}
	data = t.TempDir()
	if _, err := parser.Parse(append([]string{
		"serve", "--data-dir", data, "--web", "off", "--" + name, "127.0.0.1:0", "--console", "off", "--metrics", "off", "--log-level", "error", "--no-status",
	}, args...)); err != nil {
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
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.HasPrefix(lines.Text(), "ready"); {
		if f := strings.Fields(lines.Text()); len(f) > 1 && f[0] == name {
			at, _, _ = strings.Cut(f[1], "/")
		}
	}
	go io.Copy(io.Discard, out)
	return at, data
}

// runSwarmRcce runs "truestep swarm rcce args" and returns what it prints.
func runSwarmRcce(t *testing.T, args ...string) (*bytes.Buffer, error) {
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
	return out, c.Swarm.Rcce.Run(std{out, io.Discard})
}

func TestSwarmRccePlayersJoinPlayAndAreReported(t *testing.T) {
	t.Parallel()
	door := serveRcce(t)
	out, err := runSwarmRcce(t, "--server", door, "-n", "4", "-d", "2s", "--ramp", "100/s", "--in-sight", "--walk", "--json", "--seed", "9")
	if err != nil {
		t.Errorf("exit: %v\n%s", err, out)
	}
	var r swarm.RCCEReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Joined != 4 || r.Failed != 0 || r.Dropped != 0 || r.Unreadable != 0 || r.SightLeast < 3 {
		t.Errorf("%+v", r)
	}
	// Package swarm tests rates, delays and corrections in virtual time.
	if r.UpdatesPerClient == 0 || r.Gap.Count == 0 || r.RoundTrip.Count == 0 || r.ClaimsPerSecond == 0 {
		t.Errorf("%+v", r)
	}

	out, err = runSwarmRcce(t, "--server", door, "-n", "2", "-d", "500ms", "--ramp", "100/s", "--loss", "2%", "--delay", "5ms", "--no-reconnect")
	if err != nil {
		t.Errorf("the same accounts on a lossy network: %v\n%s", err, out)
	}
	if text := unwrapped(out); !strings.Contains(text, "2 asked, 2 joined, 0 failed, 0 dropped") || !strings.Contains(text, "loss 2%, delay 5ms") {
		t.Errorf("%s", text)
	}
}

func TestSwarmRcceErrorContainsAddressIfServerIsDown(t *testing.T) {
	t.Parallel()
	// Keep the port in use by a socket that is connected elsewhere, so that no other program opens it meanwhile.
	taken, err := net.DialUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	closed := taken.LocalAddr().String()
	out, err := runSwarmRcce(t, "--server", closed, "-n", "2", "-d", "1s", "--ramp", "100/s")
	var status exitStatus
	if !errors.As(err, &status) || status != 1 {
		t.Errorf("exit: %v, want status 1", err)
	}
	if !strings.Contains(out.String(), "2: connect: "+closed+"/udp: no server listens on this address") || !strings.Contains(unwrapped(out), "start a server with truestep serve, or name another one with --server HOST:PORT") {
		t.Errorf("%s", out)
	}
}

func TestRateFlagIsParsed(t *testing.T) {
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
