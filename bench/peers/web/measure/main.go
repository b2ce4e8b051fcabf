//go:build linux

// Command measure runs the web protocol and other libraries, a server and a client process each, and counts the bytes that they send for
// the same moving crowd. Each process has a network namespace of its own. A relay in this program connects the two namespaces, and delays
// and loses IP packets, of TCP as well as of UDP. The bytes are those that the interfaces of the namespaces count, including IP headers.
// It needs Linux, root, and the program ip. See scripts/bench-web-peers.sh.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
)

// lines holds the impairments (round trip and loss) of the network lines over which each scene is measured.
var lines = []line{{0, 0}, {100 * time.Millisecond, 0}, {100 * time.Millisecond, 0.05}}

// motionTicks is the number of ticks of motion for a run, at least as many as a minute has in each scene.
const motionTicks = 3600

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	truestep := flag.String("truestep", "", "program made of bench/peers/web/truestep")
	naia := flag.String("naia", "", "program made of bench/peers/web/naia; none: naia is left out")
	colyseus := flag.String("colyseus", "", "folder bench/peers/web/colyseus, with its node_modules; none: Colyseus is left out")
	scenes := flag.String("scenes", "vale,wander,asteroids,stinkysteak", "scenes to measure")
	seed := flag.Uint64("seed", 77, "seed of the crowd")
	duration := flag.Duration("duration", 10*time.Second, "duration of each measurement, at most 20s")
	flag.Parse()
	if os.Geteuid() != 0 {
		return errors.New("this program creates network namespaces, which only root can do: run it with sudo")
	}
	if *duration <= 0 || *duration > 20*time.Second {
		return fmt.Errorf("-duration %v: must be more than 0s and at most 20s", *duration)
	}
	var peers []peer
	if *truestep != "" {
		for _, t := range []struct{ name, kind string }{{"Truestep, WebTransport", "wt"}, {"Truestep, WebSocket", "ws"}} {
			peers = append(peers, peer{name: t.name, server: []string{*truestep, "server", t.kind}, client: []string{*truestep, "client", t.kind}})
		}
	}
	if *naia != "" {
		peers = append(peers, peer{name: "naia, UDP", server: []string{*naia, "server"}, client: []string{*naia, "client"}})
	}
	if *colyseus != "" {
		peers = append(peers, peer{name: "Colyseus, WebSocket", dir: *colyseus, server: []string{"node", "server.mjs"}, client: []string{"node", "client.mjs"}})
	}
	dir, err := os.MkdirTemp("", "measure")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt) // an interrupt ends the program after the present run, whose namespaces are then removed
	for name := range strings.SplitSeq(*scenes, ",") {
		scene, ok := crowd.Named(name)
		if !ok || scene.Level {
			return fmt.Errorf("-scenes: unknown scene %q: use vale, wander, asteroids or stinkysteak", name)
		}
		motion := filepath.Join(dir, name+".jsonl")
		if err := writeMotion(motion, scene, motionTicks, *seed); err != nil {
			return err
		}
		if err := measureScene(&scene, motion, peers, *duration, interrupted); err != nil {
			return err
		}
	}
	return nil
}

// measureScene measures all peers in a scene and prints a table. If measurements fail, it returns their errors at the end.
func measureScene(scene *crowd.Scene, motion string, peers []peer, duration time.Duration, interrupted <-chan os.Signal) error {
	fmt.Printf("\n%s: %d actors, %.0f Hz. Bytes of IP packets per actor and tick.\n", scene.Name, scene.Members, 1/scene.Tick)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\trtt\tloss\tserver to client\tboth ways\tpackets a tick, down\tup\tticks\texact after\t\n")
	var failed error
	for i := range peers {
		for _, l := range lines {
			select {
			case <-interrupted:
				return errors.Join(failed, t.Flush(), errors.New("interrupted"))
			default:
			}
			p := &peers[i]
			r, err := p.measure(scene, motion, l, duration)
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("measure %s in the scene %s at a round trip of %v and %g%% loss: %w", p.name, scene.Name, l.roundTrip, 100*l.loss, err))
			}
			if r.ticks == 0 {
				continue
			}
			exact := fmt.Sprintf("%.1f s", r.exact.Seconds())
			if err != nil {
				exact = "not"
			}
			n := float64(r.ticks)
			fmt.Fprintf(t, "%s\t%v\t%g %%\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t%s\t\n", p.name, l.roundTrip, 100*l.loss, r.perTick(r.down.Bytes, scene.Members),
				r.perTick(r.down.Bytes+r.up.Bytes, scene.Members), float64(r.down.Packets)/n, float64(r.up.Packets)/n, r.ticks, exact)
		}
	}
	return errors.Join(failed, t.Flush())
}
