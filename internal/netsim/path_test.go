package netsim

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"
)

// arrivalsOf sends n numbered datagrams, one each millisecond, and returns the numbers in order of arrival.
func arrivalsOf(imp Impairment, seed uint64, n int) (order []int, p *Path) {
	p = NewPath(imp, seed)
	for now := range n + 10000 {
		if now < n {
			p.Send(uint32(now), binary.BigEndian.AppendUint32(nil, uint32(now)))
		}
		for d, ok := p.Receive(uint32(now)); ok; d, ok = p.Receive(uint32(now)) {
			order = append(order, int(binary.BigEndian.Uint32(d)))
		}
	}
	return order, p
}

func TestUnimpairedPathPreservesOrderAndDelay(t *testing.T) {
	p := NewPath(Impairment{DelayMS: 40}, 1)
	start := uint32(0xfffffff0) // the clock wraps while the datagrams are in transit
	p.Send(start, []byte("a"))
	p.Send(start, []byte("b"))
	if _, ok := p.Receive(start + 39); ok {
		t.Error("arrived before its delay")
	}
	if at, ok := p.NextAt(); !ok || at != start+40 {
		t.Errorf("NextAt = %d, %v", at, ok)
	}
	for _, want := range []string{"a", "b"} {
		if d, ok := p.Receive(start + 40); !ok || string(d) != want {
			t.Errorf("got %q, %v, want %q", d, ok, want)
		}
	}
}

func TestPathDeliversCopyOfSentDatagram(t *testing.T) {
	p := NewPath(Impairment{}, 1)
	b := []byte("x")
	p.Send(0, b)
	b[0] = 'y'
	if d, _ := p.Receive(0); string(d) != "x" {
		t.Errorf("got %q", d)
	}
}

func TestLossAndDuplicateRatesMatchConfiguredImpairment(t *testing.T) {
	const n = 20000
	_, p := arrivalsOf(Impairment{Loss: 0.3, Duplicate: 0.1, Reorder: 0.2}, 7, n)
	c := p.Counts()
	near := func(name string, got uint64, want float64) {
		t.Helper()
		if diff := float64(got) - want; diff > 0.05*want || diff < -0.05*want {
			t.Errorf("%s: %d, want about %.0f", name, got, want)
		}
	}
	near("lost", c.Lost, 0.3*n)
	near("duplicated", c.Duplicated, 0.1*0.7*n)
	near("held back", c.Held, 0.2*0.7*1.1*n)
	if c.Delivered != c.Sent-c.Lost+c.Duplicated {
		t.Errorf("counters %+v do not add up", c)
	}
}

func TestReorderingPathChangesOrderOfDatagrams(t *testing.T) {
	order, _ := arrivalsOf(Impairment{Reorder: 0.2}, 3, 1000)
	if len(order) != 1000 {
		t.Fatalf("%d datagrams arrived", len(order))
	}
	if slices.IsSorted(order) {
		t.Error("nothing was reordered")
	}
}

func TestPathsWithEqualSeedsGiveEqualArrivalTimes(t *testing.T) {
	imp := Impairment{DelayMS: 5, JitterMS: 30, Loss: 0.2, Duplicate: 0.1, Reorder: 0.1}
	a, _ := arrivalsOf(imp, 42, 2000)
	b, _ := arrivalsOf(imp, 42, 2000)
	c, _ := arrivalsOf(imp, 43, 2000)
	if !slices.Equal(a, b) {
		t.Error("equal seeds differ")
	}
	if slices.Equal(a, c) {
		t.Error("different seeds agree")
	}
}

func TestRateLimitDelaysDatagramsAndDropsThoseBeyondQueue(t *testing.T) {
	p := NewPath(Impairment{BytesPerSecond: 10000, QueueMS: 50}, 1)
	for range 20 {
		p.Send(0, make([]byte, 100)) // takes 10 ms at the rate limit
	}
	got := 0
	for now := uint32(0); now < 1000; now++ {
		for _, ok := p.Receive(now); ok; _, ok = p.Receive(now) {
			got++
			if want := uint32(10 * got); now != want {
				t.Errorf("datagram %d at %d ms, want %d", got, now, want)
			}
		}
	}
	if c := p.Counts(); got != 6 || c.Overflowed != 14 {
		t.Errorf("%d datagrams arrived, %d overflowed", got, c.Overflowed)
	}
}

// With ByTime, additional datagrams in one of two runs change neither the losses nor the arrival times of the other datagrams.
func TestDatagramLossByTimeIsIndependentOfOtherDatagrams(t *testing.T) {
	imp := Impairment{DelayMS: 5, JitterMS: 30, Loss: 0.2, Duplicate: 0.1, Reorder: 0.1, ByTime: true}
	arrivals := func(seed uint64, more bool) (at map[uint32][]uint32, c Counts) {
		p, at := NewPath(imp, seed), map[uint32][]uint32{}
		for now := range uint32(20000) {
			if now%10 == 0 {
				p.Send(now, binary.BigEndian.AppendUint32(nil, now))
			} else if more && now%7 == 0 {
				p.Send(now, nil)
			}
			for d, ok := p.Receive(now); ok; d, ok = p.Receive(now) {
				if len(d) > 0 {
					sent := binary.BigEndian.Uint32(d)
					at[sent] = append(at[sent], now)
				}
			}
		}
		return at, p.Counts()
	}
	few, c := arrivals(42, false)
	many, _ := arrivals(42, true)
	other, _ := arrivals(43, false)
	if !maps.EqualFunc(few, many, slices.Equal) {
		t.Error("more datagrams change the arrivals of the others")
	}
	if maps.EqualFunc(few, other, slices.Equal) {
		t.Error("different seeds agree")
	}
	if lost := float64(c.Lost) / float64(c.Sent); lost < 0.17 || lost > 0.23 {
		t.Errorf("%v of the datagrams are lost", lost)
	}
}
