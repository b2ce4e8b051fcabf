package admission

import (
	"net/netip"
	"sync"
	"time"
)

// PlaceLimits are the limits of a Places. 0 means no limit.
type PlaceLimits struct {
	Connections int // maximum connections, including players
	PerAddr     int // maximum connections per address, including players
	Waiting     int // maximum connections that are not logged in

	// Maximum connections per address and per network that are not logged in. If Waiting is set, these limits hold only while half
	// of its places are taken: before that they would harm players behind a shared address more than what they prevent.
	WaitingPerAddr    int
	WaitingPerNetwork int

	LimitLoopback bool // apply limits per address and network to loopback too
}

// Places are the connections of one door. A connection that is not logged in is waiting: at a limit of waiting connections
// a new one is admitted, and an older one gives way. It is the oldest of the address or network that is at its limit, or, if
// the door is full, the oldest of the network with the most. Connections that have sent nothing give way first, then those of
// addresses from which a player has logged in within knownTime, and last those that have made a complete request. A player
// never gives way.
type Places struct {
	door   string
	limits PlaceLimits
	gate   *Gate

	mu      sync.Mutex
	known   *Window[netip.Addr] // addresses from which a player has logged in
	addrs   map[netip.Addr]addrUse
	waiting [stages]ranking
	players int
	gaveWay uint64
	refused uint64
}

// addrUse counts the connections of one address.
type addrUse struct{ waiting, players int }

// stage is how far a waiting connection is. Those of a lower stage give way first.
type stage uint8

const (
	stageSilent stage = iota // the connection has made no complete request
	stageKnown               // the same, but a player has logged in from its address
	stageAsked               // the connection has made a complete request and waits for the answer
	stages                   // number of stages of waiting connections
	stagePlayer              // the connection is logged in and no longer waiting
	stageGone                // the connection has left or given way
)

// Place is the place of one connection. Its methods are safe for any goroutine.
type Place struct {
	places  *Places
	addr    netip.Addr
	group   *group // waiting connections of the same network and stage; nil unless waiting
	prev    *Place // next older place of the group
	next    *Place // next newer place of the group
	stage   stage
	giveWay func()
}

// Bounds of Places.known.
const (
	knownTime = 24 * time.Hour
	maxKnown  = 1 << 13 // addresses   guess: far more than players a day
)

// PlaceStats holds the counts of a Places.
type PlaceStats struct {
	Waiting, Players int    // current numbers of connections
	GaveWay, Refused uint64 // numbers of connections since the start
}

// NewPlaces returns the places of a door. The gate may be nil.
func NewPlaces(door string, l PlaceLimits, g *Gate) *Places {
	p := &Places{door: door, limits: l, gate: g, known: NewWindow[netip.Addr](knownTime, maxKnown), addrs: map[netip.Addr]addrUse{}}
	for i := range p.waiting {
		p.waiting[i].groups = map[netip.Prefix]*group{}
	}
	return p
}

// Enter takes a place for a connection that is not logged in. giveWay is called at most once, without locks and on the
// goroutine of another caller, if the connection has to make room; it must not block, and the connection then has no
// place any more. ok is false, and the place nil, if no connection can give way.
func (p *Places) Enter(addr netip.Addr, giveWay func()) (place *Place, ok bool) {
	addr = AddrOf(addr)
	p.mu.Lock()
	victims, budget, ok := p.makeRoom(addr)
	if ok {
		place = &Place{places: p, addr: addr, giveWay: giveWay}
		if p.known.Get(addr, time.Now()) > 0 {
			place.stage = stageKnown
		}
		p.add(place)
	} else {
		p.refused++
	}
	p.mu.Unlock()
	for _, v := range victims {
		p.gate.Hold(p.door, budget, v.addr, "")
		v.giveWay()
	}
	if !ok {
		p.gate.Hold(p.door, budget, addr, "")
	}
	return place, ok
}

// makeRoom removes the connections that must give way for a new one of an address. The caller holds mu.
func (p *Places) makeRoom(addr netip.Addr) (victims []*Place, budget Budget, ok bool) {
	evict := func(b Budget, v *Place) bool {
		if v == nil {
			budget = b
			return false
		}
		p.remove(v)
		v.stage = stageGone
		p.gaveWay++
		victims, budget = append(victims, v), b
		return true
	}
	reached := func(n, limit int) bool { return limit > 0 && n >= limit }
	scarce := 2*p.numWaiting() >= p.limits.Waiting
	if !addr.IsLoopback() || p.limits.LimitLoopback {
		if use := p.addrs[addr]; scarce && reached(use.waiting, p.limits.WaitingPerAddr) || reached(use.waiting+use.players, p.limits.PerAddr) {
			if !evict(BudgetAddress, p.oldestOfAddr(addr)) {
				return victims, budget, false
			}
		}
		if network := NetworkOf(addr); scarce && reached(p.waitingOf(network), p.limits.WaitingPerNetwork) {
			if !evict(BudgetNetwork, p.oldestOfNetwork(network)) {
				return victims, budget, false
			}
		}
	}
	if n := p.numWaiting(); reached(n, p.limits.Waiting) || reached(n+p.players, p.limits.Connections) {
		if !evict(BudgetDoor, p.oldestOfGreediest()) {
			return victims, budget, false
		}
	}
	return victims, budget, true
}

func (p *Places) numWaiting() int {
	n := 0
	for i := range p.waiting {
		n += p.waiting[i].n
	}
	return n
}

func (p *Places) waitingOf(network netip.Prefix) int {
	n := 0
	for i := range p.waiting {
		if g := p.waiting[i].groups[network]; g != nil {
			n += g.n
		}
	}
	return n
}

// oldestOfAddr returns the first waiting connection of an address to give way, nil if there is none.
func (p *Places) oldestOfAddr(addr netip.Addr) *Place {
	for i := range p.waiting {
		if g := p.waiting[i].groups[NetworkOf(addr)]; g != nil {
			for x := g.oldest; x != nil; x = x.next {
				if x.addr == addr {
					return x
				}
			}
		}
	}
	return nil
}

// oldestOfNetwork returns the first waiting connection of a network to give way, nil if there is none.
func (p *Places) oldestOfNetwork(network netip.Prefix) *Place {
	for i := range p.waiting {
		if g := p.waiting[i].groups[network]; g != nil {
			return g.oldest
		}
	}
	return nil
}

// oldestOfGreediest returns the first waiting connection to give way, nil if there is none.
func (p *Places) oldestOfGreediest() *Place {
	for i := range p.waiting {
		if g := p.waiting[i].greediest(); g != nil {
			return g.oldest
		}
	}
	return nil
}

// add counts a place. The caller holds mu.
func (p *Places) add(x *Place) {
	use := p.addrs[x.addr]
	if x.stage == stagePlayer {
		use.players++
		p.players++
	} else {
		use.waiting++
		p.waiting[x.stage].add(x)
	}
	p.addrs[x.addr] = use
}

// remove is the reverse of add. The caller holds mu.
func (p *Places) remove(x *Place) {
	use := p.addrs[x.addr]
	if x.stage == stagePlayer {
		use.players--
		p.players--
	} else {
		use.waiting--
		p.waiting[x.stage].remove(x)
	}
	if use == (addrUse{}) {
		delete(p.addrs, x.addr)
	} else {
		p.addrs[x.addr] = use
	}
}

// Stats returns the current counts.
func (p *Places) Stats() PlaceStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return PlaceStats{Waiting: p.numWaiting(), Players: p.players, GaveWay: p.gaveWay, Refused: p.refused}
}

// Patience returns how long a connection may stay silent now: longest while fewer than half of the waiting places are
// taken, and less with each further one, down to shortest.
func (p *Places) Patience(shortest, longest time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	half := p.limits.Waiting / 2
	if half == 0 {
		return longest
	}
	over := min(max(p.numWaiting()-half, 0), half)
	return longest - (longest-shortest)*time.Duration(over)/time.Duration(half)
}

// Asked notes that the connection has made a complete request: it gives way after those that have not. It returns false if
// the connection has no place any more.
func (x *Place) Asked() bool { return x.move(stageAsked) }

// LogIn makes the place that of a player, which does not give way. It returns false if the connection has no place any
// more.
func (x *Place) LogIn() bool {
	x.Remember()
	return x.move(stagePlayer)
}

// Remember lets further connections of the address give way after those of unknown addresses.
func (x *Place) Remember() {
	if now := time.Now(); x.places.known.Get(x.addr, now) == 0 { // a count per login would evict those of other addresses
		x.places.known.Add(x.addr, now)
	}
}

func (x *Place) move(to stage) bool {
	p := x.places
	p.mu.Lock()
	defer p.mu.Unlock()
	if x.stage < to {
		p.remove(x)
		x.stage = to
		p.add(x)
	}
	return x.stage != stageGone
}

// Leave gives the place back. Further calls do nothing.
func (x *Place) Leave() {
	p := x.places
	p.mu.Lock()
	defer p.mu.Unlock()
	if x.stage != stageGone {
		p.remove(x)
		x.stage = stageGone
	}
}
