package server_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	rccegate "github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/server"
)

// To add a door from another module, it is sufficient to list it in Config.Doors.
func TestPlayersOfCustomDoorAndOfRealmCrafterDoorSeeEachOther(t *testing.T) {
	toy, door := new(toyDoor), rccegate.NewDoor()
	toy.settings.Toy, door.Rcce = "127.0.0.1:0", "127.0.0.1:0"
	cfg := server.Default()
	cfg.World, cfg.Doors = content.DefaultWorld(), []gateway.Door{door, toy}
	cfg.DataDir, cfg.Console, cfg.Metrics, cfg.Log = t.TempDir(), gateway.Off, gateway.Off, slog.New(slog.DiscardHandler)
	s, err := server.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ann, err := rcce.Dial(ctx, s.Addr("rcce").String(), rcce.Options{User: "Ann", Password: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer ann.Close()
	if err := ann.Join(ctx); err != nil {
		t.Fatal(err)
	}
	played := make(chan error, 1)
	go func() { played <- ann.Play(ctx, new(rcce.Wander)) }()
	defer func() { // ends the goroutine before the deferred Close, because only one goroutine may call a client
		cancel()
		<-played
	}()

	conn, err := net.Dial("tcp", s.Addr("toy").String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintln(conn, "Bob")
	at := make(chan [2]float32, 1000) // positions of Bob that were sent to the toy client
	annMoved := make(chan bool, 1)    // has a value once Ann was seen to move
	go func() {
		defer close(at)
		defer close(annMoved)
		first := ""
		for in := bufio.NewScanner(conn); in.Scan(); {
			var x, z float32
			if n, _ := fmt.Sscanf(in.Text(), "see Bob %f %f", &x, &z); n == 2 {
				at <- [2]float32{x, z}
			}
			if strings.HasPrefix(in.Text(), "see Ann ") {
				if first == "" {
					first = in.Text()
				} else if in.Text() != first {
					select {
					case annMoved <- true:
					default: // not the first time
					}
				}
			}
		}
	}()
	start := <-at
	step := time.NewTicker(50 * time.Millisecond)
	defer step.Stop()
	for here, ok := start, true; here[0] < start[0]+5; {
		select {
		case <-step.C: // a slow walk to the east, from where Bob was last seen, because claims in the first ticks after entering are ignored
			fmt.Fprintln(conn, here[0]+0.3, start[1])
		case here, ok = <-at:
			if !ok {
				t.Fatal("the toy door sent no position of Bob while it walked")
			}
		}
	}
	if !<-annMoved {
		t.Fatal("the toy door sent no position of Ann while it walked")
	}
	for { // wait until Bob moves in the RealmCrafter client's world
		var x float32
		ann.Inspect(func(w *rcce.World) {
			if bob, ok := w.FindByName("Bob"); ok {
				x = bob.Pos.X
			}
		})
		if x >= start[0]+5 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("Ann's client does not see Bob walk: Bob is at x %v, started at %v", x, start[0])
		case <-time.After(50 * time.Millisecond):
		}
	}
}
