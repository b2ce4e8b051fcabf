package cluster

import "time"

// simClock is the clock of a machine, minus the true time: at the begin of a run, and after simDuration. In between the clock drifts at a
// constant rate, of at most 0.8 %. Only Host.NowMS follows it; timers run at the rate of the true time.
type simClock [2]time.Duration

// maxSkew is the greatest difference between the clock of a machine and the true time, in ms. Any two clocks differ by less than
// link.MaxClockOffset.
const maxSkew = 245

// newSimClock returns a clock that depends on a random number.
func newSimClock(random uint64) (c simClock) {
	for i := range c {
		c[i] = (time.Duration(random>>(32*i)&0xffffffff)%(2*maxSkew+1) - maxSkew) * time.Millisecond
	}
	return c
}

// skewAt returns by how much the clock is ahead of the true time, at a time of the run.
func (c simClock) skewAt(at time.Duration) time.Duration {
	part := min(float64(max(at, 0))/float64(simDuration), 1)
	return c[0] + time.Duration(part*float64(c[1]-c[0]))
}

// setClock makes the time of a process that of its machine's clock. Processes that only use links have no time.
func (p *process) setClock() {
	if p.host == nil {
		return
	}
	s := p.n.s
	now := s.began.Add(s.now + p.n.clock.skewAt(s.now)).UnixMilli()
	p.host.baseMS = now - time.Since(p.host.began).Milliseconds()
}

// offsetAge is the age up to which package link uses a measured offset of clocks: the shortest of 64 round trips, one in 100 ms.
const offsetAge = 6400 * time.Millisecond

// OffsetMS implements Links. The measured offset is wrong by a part of the round trip, and as old as it can be on this connection.
func (l simLinks) OffsetMS(node uint64) int64 {
	s := l.p.n.s
	at, err := s.now, int64(0)
	if e := l.p.ends[node]; e != nil {
		at, err = max(s.now-offsetAge, e.since), e.err
	}
	return (s.nodes[node].clock.skewAt(at) - l.p.n.clock.skewAt(at)).Milliseconds() + err
}
