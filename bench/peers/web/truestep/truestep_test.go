package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/webscene"
)

// pipe is one end of a link in memory. Unless reliable is true, the link loses a tenth of all snapshots and acknowledgements, at random.
type pipe struct {
	in, out  chan []byte
	reliable bool
	rng      *rand.Rand
}

func (p *pipe) control(b []byte) error {
	p.out <- slices.Clone(b)
	return nil
}

func (p *pipe) snapshot(b []byte) error {
	if p.reliable || p.rng.IntN(10) > 0 {
		return p.control(b)
	}
	return nil
}

func (p *pipe) datagram(b []byte) error { return p.snapshot(b) }
func (p *pipe) ordered() bool           { return p.reliable }
func (p *pipe) headers() int            { return 52 }

func (p *pipe) receive() ([]byte, error) {
	b, ok := <-p.in
	if !ok {
		return nil, io.EOF
	}
	return b, nil
}

func TestClientHasExactStatesWithinTwoSecondsAfterCrowdStops(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vale", "stinkysteak"} {
		for _, reliable := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				scene, _ := crowd.Named(name)
				s := &server{hz: int(1 / scene.Tick), exact: scene.Unit > 0, schema: webscene.SchemaOf(&scene)}
				for c := crowd.New(scene, 1); len(s.rows) < 200; c.Step() {
					var row []int32
					for i := range c.Members {
						row = webscene.AppendValues(row, &scene, &c.Members[i])
					}
					s.rows = append(s.rows, row)
				}
				c := newClient(scene.Members, &scene)
				down, up := make(chan []byte, 16), make(chan []byte, 16)
				ended := make(chan error, 2)
				go func() { ended <- s.serve(&pipe{up, down, reliable, rand.New(rand.NewPCG(1, 1))}) }()
				go func() { ended <- c.play(&pipe{down, up, reliable, rand.New(rand.NewPCG(2, 2))}) }()
				time.Sleep(3 * time.Second)
				want := s.stop().([]int32)
				if slices.Equal(want, s.rows[0]) || s.ticks().(int) < int(2.5/scene.Tick) {
					t.Errorf("%s: the crowd has not moved after %v ticks", name, s.ticks())
				}
				time.Sleep(2*time.Second - 5*time.Millisecond) // between two ticks
				synctest.Wait()
				if got := c.state().([]int32); !slices.Equal(got, want) {
					t.Errorf("%s, reliable %v: the client has %d values that differ from the server's %d", name, reliable, len(got), len(want))
				}
				if sent, confirmed := s.teller.Sent(), s.teller.Confirmed(); !reliable && confirmed+uint64(s.hz) < sent {
					t.Errorf("%s: the client has acknowledged %d of %d snapshots", name, confirmed, sent)
				}
				close(up)
				if err := <-ended; !errors.Is(err, io.EOF) {
					t.Errorf("server: %v", err)
				}
				close(down)
				if err := <-ended; !errors.Is(err, io.EOF) {
					t.Errorf("client: %v", err)
				}
			})
		}
	}
}
