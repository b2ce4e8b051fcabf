//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/internal/webscene"
)

// Addresses of the two sites. They exist only in the namespaces of a run.
const (
	serverIP = "10.77.0.1"
	clientIP = "10.77.0.2"
	port     = "7000"
)

// peer is a library, or one of its transports, with a server and a client program. Arguments are added to both commands: to the server's,
// the file with the motion, the name of the scene, the number of ticks per second and the address to listen on; to the client's, the
// server's address, the number of actors, the name of the scene and the number of ticks per second.
type peer struct {
	name           string
	dir            string // folder in which both programs run; "" for the present one
	server, client []string
}

// line is the impairment of the line between the two sites.
type line struct {
	roundTrip time.Duration
	loss      float64 // share of the packets that are lost in each direction
}

// result is what a peer needed for a scene over a line.
type result struct {
	ticks    int           // number of ticks that were measured
	down, up traffic       // what the server (down) and the client (up) sent in these ticks
	exact    time.Duration // time after the end of the motion until the client had the exact states
}

// perTick returns n per measured tick and actor.
func (r *result) perTick(n int64, actors int) float64 {
	return float64(n) / float64(r.ticks) / float64(actors)
}

// Durations of a run.
const (
	joinTime  = 30 * time.Second // maximum time until the client knows all actors
	warmTime  = 2 * time.Second  // time from then until the measurement begins
	exactTime = 30 * time.Second // maximum time from the end of the motion until the client has the exact states
	pollTime  = 50 * time.Millisecond
)

// measure runs the server and the client of a peer, each in a network namespace of its own, with a relay between the namespaces. It counts
// what both interfaces send while the crowd moves for the given duration. Then it stops the crowd and waits until the client has the same
// state of each actor as the server.
func (p *peer) measure(scene *crowd.Scene, motion string, l line, duration time.Duration) (r result, err error) {
	name := fmt.Sprintf("truestep-peers-%d", os.Getpid())
	near, err := newSite(name+"-server", serverIP)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, near.close()) }()
	far, err := newSite(name+"-client", clientIP)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, far.close()) }()
	imp := netsim.Impairment{DelayMS: uint32(l.roundTrip.Milliseconds() / 2), Loss: l.loss}
	ctx, cancel := context.WithCancel(context.Background())
	var relays sync.WaitGroup
	defer relays.Wait()
	defer cancel()
	relays.Go(func() { _ = forward(ctx, near.tun, far.tun, imp, 1) }) // an error stops the relay, which the measurement notices
	relays.Go(func() { _ = forward(ctx, far.tun, near.tun, imp, 2) })

	hz := strconv.Itoa(int(math.Round(1 / scene.Tick)))
	at := serverIP + ":" + port
	server, err := near.start(p.name+" server", p.dir, append(slices.Clone(p.server), motion, scene.Name, hz, at))
	if err != nil {
		return r, err
	}
	defer server.stop()
	if b, err := server.answer(); err != nil || string(b) != "ready" {
		return r, errors.Join(fmt.Errorf("the server printed %q, want ready", b), err)
	}
	client, err := far.start(p.name+" client", p.dir, append(slices.Clone(p.client), at, strconv.Itoa(scene.Members), scene.Name, hz))
	if err != nil {
		return r, err
	}
	defer client.stop()
	defer end(server, client)
	all := scene.Members * len(webscene.SchemaOf(scene).Kinds[0].Fields)
	if err := client.await(joinTime, func(state []int32) bool { return len(state) == all }); err != nil {
		return r, fmt.Errorf("the client has not received all actors: %w", err)
	}
	time.Sleep(warmTime)
	if err := r.count(server, near, far, duration); err != nil {
		return r, err
	}
	var want, last []int32
	if err := server.ask("stop", &want); err != nil {
		return r, err
	}
	stopped := time.Now()
	err = client.await(exactTime, func(state []int32) bool {
		last = state
		return slices.Equal(state, want)
	})
	r.exact = time.Since(stopped)
	if err != nil {
		return r, fmt.Errorf("%d of %d values of the client's actors differ from those on the server: %w", differences(last, want), len(want), err)
	}
	return r, nil
}

// count measures how many ticks the server simulates, and how much traffic there is, during the given duration.
func (r *result) count(server *process, near, far *site, duration time.Duration) error {
	var began, ended sample
	err := began.take(server, near, far)
	time.Sleep(duration)
	if err = errors.Join(err, ended.take(server, near, far)); err != nil {
		return err
	}
	r.ticks = ended.ticks - began.ticks
	for _, d := range []struct{ sum, from, to *traffic }{{&r.down, &began.down, &ended.down}, {&r.up, &began.up, &ended.up}} {
		*d.sum = traffic{Bytes: d.to.Bytes - d.from.Bytes, Packets: d.to.Packets - d.from.Packets}
		if d.to.Dropped > 0 {
			return fmt.Errorf("a network interface has dropped %d packets because the relay was late", d.to.Dropped)
		}
	}
	if r.ticks <= 0 {
		return errors.New("the server has simulated no tick during the measurement")
	}
	return nil
}

// sample is the number of ticks and the traffic up to a point in time.
type sample struct {
	ticks    int
	down, up traffic
}

func (s *sample) take(server *process, near, far *site) (err error) {
	if err = server.ask("ticks", &s.ticks); err != nil {
		return err
	}
	if s.down, err = near.sent(); err != nil {
		return err
	}
	s.up, err = far.sent()
	return err
}

// await asks a client for the states of its actors until enough returns true.
func (p *process) await(limit time.Duration, enough func(state []int32) bool) error {
	for end := time.Now().Add(limit); ; time.Sleep(pollTime) {
		var state []int32
		if err := p.ask("state", &state); err != nil {
			return err
		}
		if enough(state) {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("after %v the client has %d values", limit, len(state))
		}
	}
}

// differences returns the number of indices at which a and b differ. Indices that only the longer of the two has are counted, too.
func differences(a, b []int32) int {
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
