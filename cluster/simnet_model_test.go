package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
)

// linkEngine connects nodes 1 and 2: with the model of the simulation (simLink), or with package link. The tests of this file run the
// same script on both.
type linkEngine interface {
	start(node, incarnation uint64)    // starts a process
	kill(node uint64)                  // ends a process as kill -9 does
	losePower(node uint64)             // ends a process with its machine, of which the other node hears nothing
	send(from uint64, number int) bool // sends a frame to the other node
	reset()                            // breaks the connection
	block(from uint64, blocked bool)   // stops or resumes the delivery of what a node sends
	clog(from uint64, full bool)       // lets the frames of a node fill its queue, or makes room again
	wait(d time.Duration)              // lets time pass
	events(node uint64) []string       // returns what the handler of a node was told since the last call
}

// told is a link.Handler that records its calls.
type told struct {
	mu   sync.Mutex
	list []string
}

func (h *told) add(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, fmt.Sprintf(format, args...))
}

func (h *told) Up(peer uint64, hello link.Hello) {
	h.add("up %d, incarnation %d of node %d", peer, hello.Incarnation, hello.Node)
}
func (h *told) Down(peer uint64, why error) { h.add("down %d: %t", peer, why != nil) }
func (h *told) Receive(peer uint64, kind byte, body []byte) {
	h.add("frame %d of %d: %s", kind, peer, body)
}

func (h *told) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.list
	h.list = nil
	return list
}

// handlers are the handlers of both nodes, by number of the node.
type handlers [3]*told

func (h *handlers) events(node uint64) []string { return h[node].take() }

// frameOf returns the kind and the content of a frame.
func frameOf(number int) (byte, []byte) { return byte(16 + number%7), []byte(fmt.Sprint(number)) }

// modelLinks is the model of the simulation.
type modelLinks struct {
	handlers
	s *simulation
}

func newModelLinks(seed uint64) *modelLinks {
	s := &simulation{rand: rand.New(rand.NewPCG(seed, 5)), began: time.Now(), nodes: make([]*simNode, 3), lasts: time.Hour}
	for id := uint64(1); id <= 2; id++ {
		s.nodes[id] = &simNode{s: s, id: id}
	}
	s.links = []*simLink{newSimLink(s, s.nodes[1], s.nodes[2])}
	return &modelLinks{s: s}
}

func (m *modelLinks) start(node, incarnation uint64) {
	m.handlers[node] = new(told)
	n := m.s.nodes[node]
	n.p = &process{n: n, handler: m.handlers[node], mesh: incarnation, ends: make([]*simEnd, 3), gate: make(chan struct{}), hub: newHub()}
	m.s.links[0].dial()
}

func (m *modelLinks) kill(node uint64)      { m.s.nodes[node].kill(byKill) }
func (m *modelLinks) losePower(node uint64) { m.s.nodes[node].kill(byPower) }

func (m *modelLinks) send(from uint64, number int) bool {
	kind, body := frameOf(number)
	return simLinks{m.s.nodes[from].p}.Send(3-from, kind, body)
}

func (m *modelLinks) reset()                          { m.s.links[0].reset() }
func (m *modelLinks) block(from uint64, blocked bool) { m.s.links[0].setBlocked(int(from-1), blocked) }
func (m *modelLinks) clog(from uint64, full bool)     { m.s.links[0].full[from-1] = full }
func (m *modelLinks) wait(d time.Duration) {
	end := m.s.now + d
	m.s.playUntil(end)
	time.Sleep(end - m.s.now)
	m.s.now = end
}

// summary splits events into frames and others. It returns the numbers of the frames, and the other events unchanged.
func summary(events []string) (other []string, numbers []int) {
	for _, e := range events {
		var kind, peer, number int
		if n, _ := fmt.Sscanf(e, "frame %d of %d: %d", &kind, &peer, &number); n != 3 {
			other = append(other, e)
			continue
		}
		if want, _ := frameOf(number); byte(kind) != want {
			other = append(other, "frame of another kind: "+e)
		}
		numbers = append(numbers, number)
	}
	return other, numbers
}

// inOrder reports whether frames are the first ones of those from the frame first on.
func inOrder(numbers []int, first int) bool {
	return slices.IsSorted(numbers) && (len(numbers) == 0 || numbers[0] == first && numbers[len(numbers)-1] == first+len(numbers)-1)
}

// linkScript plays the script and returns the observations, which must be equal for both engines.
func linkScript(e linkEngine) (seen []string) {
	number := 0
	note := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
	// sendAll sends frames in both directions and returns their numbers.
	sendAll := func(n int) (first int) {
		first = number
		for range n {
			for from := uint64(1); from <= 2; from++ {
				if !e.send(from, number) {
					note("node %d cannot send", from)
				}
			}
			number++
		}
		return first
	}
	// look notes the events of both nodes. All frames from first to the newest must have arrived or, if lossy is set, the first ones of them.
	look := func(what string, first int, lossy bool) {
		for node := uint64(1); node <= 2; node++ {
			other, numbers := summary(e.events(node))
			for i, n := range numbers {
				if n != first+i {
					note("%s: node %d: frame %d in the place of frame %d", what, node, n, first+i)
				}
			}
			missing := number - first - len(numbers)
			note("%s: node %d: %q, all frames: %t", what, node, other, missing == 0 || lossy)
		}
	}
	e.start(1, 5)
	note("alone: %t", e.send(1, 9999))
	e.wait(700 * time.Millisecond)
	e.start(2, 9)
	e.wait(1200 * time.Millisecond)
	look("both run", number, false)

	first := sendAll(300)
	e.wait(200 * time.Millisecond)
	look("frames", first, false)

	first = sendAll(20)
	e.reset()
	e.wait(30 * time.Millisecond)
	look("the connection breaks", first, true)
	note("without a connection: %t, %t", e.send(1, 9999), e.send(2, 9999))
	e.wait(300 * time.Millisecond)
	look("connected again", number, false)
	first = sendAll(20)
	e.wait(200 * time.Millisecond)
	look("frames of the next connection", first, false)

	for from := uint64(1); from <= 2; from++ {
		e.clog(from, true)
		var taken []int
		refused := 0
		for range 2000 {
			if e.send(from, number) {
				taken = append(taken, number)
			} else {
				refused++
			}
			number++
		}
		e.wait(50 * time.Millisecond)
		e.clog(from, false)
		e.wait(100 * time.Millisecond)
		_, numbers := summary(e.events(3 - from))
		other, _ := summary(e.events(from))
		note("the queue of node %d is full: some frames are refused: %t, some taken: %t, all taken ones and no others arrive in order: %t, %q",
			from, refused > 0, len(taken) > 100, slices.Equal(numbers, taken), other)
		first = sendAll(20)
		e.wait(200 * time.Millisecond)
		look("the queue has room again", first, false)
	}

	first = sendAll(20)
	e.kill(2)
	e.wait(30 * time.Millisecond)
	other, numbers := summary(e.events(1))
	note("node 2 is killed: %q, frames in order: %t", other, inOrder(numbers, first))
	e.wait(time.Second)
	e.start(2, 10)
	e.wait(1300 * time.Millisecond)
	look("node 2 starts again", number, false)

	incarnations := [3]uint64{0, 5, 10}
	for node := uint64(2); node > 0; node-- { // a machine loses its power, and its process starts again before the other node notices
		first = sendAll(20)
		e.losePower(node)
		e.wait(200 * time.Millisecond)
		other, numbers = summary(e.events(3 - node))
		note("node %d has lost its power: %q, frames in order: %t", node, other, inOrder(numbers, first))
		incarnations[node]++
		e.start(node, incarnations[node])
		e.wait(silence / 2) // node 1 dials at once if it has started, and otherwise only when it has noticed
		note("%d ms after the start of node %d: %q, %q", (silence / 2).Milliseconds(), node, e.events(1), e.events(2))
		e.wait(1500 * time.Millisecond)
		look(fmt.Sprintf("node %d starts again", node), number, false)
		first = sendAll(20)
		e.wait(200 * time.Millisecond)
		look("frames to its new process", first, false)
	}

	e.block(1, true)
	sendAll(10)
	e.wait(silence / 2)
	_, numbers = summary(e.events(2))
	other, back := summary(e.events(1))
	note("node 1 is not heard for half of the time silence: %d frames arrive, %d come back, %q", len(numbers), len(back), other)
	e.block(1, false)
	e.wait(200 * time.Millisecond)
	other, numbers = summary(e.events(2))
	note("then: %q, %d frames, in order: %t, %q", other, len(numbers), slices.IsSorted(numbers), e.events(1))

	e.block(1, true)
	sendAll(10)
	e.wait(silence - 200*time.Millisecond)
	_, numbers = summary(e.events(2))
	note("node 1 is not heard for nearly that time: %d frames; %v", len(numbers), slices.DeleteFunc(e.events(1), func(s string) bool { return strings.HasPrefix(s, "frame") }))
	e.wait(250 * time.Millisecond) // in total a little longer than silence
	note("node 1 is not heard for longer: %q", e.events(2))
	e.wait(silence) // node 1 learns of the closed link at once, or after silence
	note("node 1 is not heard for twice that time: %q, %q", e.events(1), e.events(2))
	e.block(1, false)
	e.wait(2500 * time.Millisecond)
	look("node 1 is heard again", number, false)

	e.block(1, true)
	e.block(2, true)
	sendAll(10)
	e.wait(silence - 200*time.Millisecond)
	note("both are not heard for nearly that time: %q, %q", e.events(1), e.events(2))
	e.wait(250 * time.Millisecond) // in total a little longer than silence
	look("both are not heard for longer", number, false)
	e.block(1, false)
	e.block(2, false)
	e.wait(2500 * time.Millisecond)
	look("both are heard again", number, false)
	first = sendAll(50)
	e.wait(200 * time.Millisecond)
	look("frames at the end", first, false)
	return seen
}

func TestLinksGiveSameResultsAsTheirModel(t *testing.T) {
	var want []string
	synctest.Test(t, func(t *testing.T) {
		r := newRealLinks(t)
		want = linkScript(r)
		r.end()
	})
	t.Logf("%s", strings.Join(want, "\n"))
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			got := linkScript(newModelLinks(seed))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("seed %d, step %d: the model says\n%s\nand package link\n%s", seed, i, got[i], want[i])
				}
			}
			if len(got) != len(want) {
				t.Fatalf("seed %d: the model has %d results, package link %d", seed, len(got), len(want))
			}
		})
	}
}
