package admission

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// PlaceLimits are the maximum numbers of connections of one door. 0 means no limit.
type PlaceLimits struct {
	Connections int // maximum number of connections, including those of players
	Waiting     int // maximum number of connections that are not logged in

	// PerAddr is the maximum number of players whose connections come from one address. While places are scarce (see
	// WaitingPerAddr), it is also the maximum number of all connections from one address.
	PerAddr int

	// WaitingPerAddr is the maximum number of connections per address that are not logged in. It applies only while places are
	// scarce, because at other times it would only harm players behind a shared address. Places are scarce while connections that
	// are not logged in hold at least half of the places that Waiting allows. If Waiting is 0, places are always scarce.
	WaitingPerAddr int
	// WaitingPerNetwork is the maximum number of connections per network (see NetworkOf) that are not logged in. Like
	// WaitingPerAddr, it applies only while places are scarce.
	WaitingPerNetwork int

	LimitLoopback bool // apply the limits per address and network to loopback addresses too
}

// Places limits the connections of one door. A connection that is not logged in is called waiting. When a limit of waiting
// connections is reached, a new connection is admitted and an older waiting one is displaced. That is the oldest one of the
// address or network that is at its limit or, if the door is full, the oldest one of the network with the most waiting
// connections. Silent connections, which have sent nothing, are displaced first; the last of them are those from addresses from
// which a player has logged in within knownTime. Next are connections that have sent a first message, then those that have made
// a complete request. Connections of players are never displaced.
//
// The newest silent connections are called fresh: at most a quarter of Waiting and of Connections. They do not count
// towards the size of their network and are displaced after all other silent connections, even after those of known
// addresses. Without this rule, thirty clients that connect from one address at the same moment would be the largest
// network during an attack from many networks. A client at an unknown address would also be displaced before attackers
// whose addresses are known from a single login or request.
//
// The oldest connection is displaced because an honest client is silent for one round trip only: as long as fewer
// connections than the limit arrive within a round trip, the client has sent its first message before it is the oldest. With
// a random choice, an honest client would sometimes be displaced at any rate of attack. If the newest were displaced, the
// first connections of an attack would lock out all later clients.
type Places struct {
	door   string
	limits PlaceLimits
	gate   *Gate

	mu      sync.Mutex
	known   *Window[netip.Addr]    // addresses from which a player has logged in
	addrs   map[netip.Addr]addrUse // connections per address
	waiting [stages]ranking        // connections that are not logged in, by stage
	fresh   freshList              // the newest silent connections
	players int                    // number of connections that are logged in
	gaveWay uint64                 // number of displaced connections since the start
	refused uint64                 // number of refused connections since the start
}

// addrUse counts the connections of one address: those that are not logged in and those of players.
type addrUse struct{ waiting, players int }

// stage is the progress of a connection towards its login. Connections of a lower stage are displaced first.
type stage uint8

const (
	stageSilent stage = iota // the connection has sent nothing that the server has read
	stageKnown               // the connection has sent nothing, but a player has logged in from its address before
	stageSpoke               // the connection has sent a first message
	stageAsked               // the connection has made a complete request and waits for the server's answer
	stages                   // number of stages of waiting connections
	stagePlayer              // the connection is logged in, and so no longer waiting
	stageGone                // the connection has left or was displaced
)

// Place is one connection's slot among the limited number of connections of a door (see Places). The connection holds it from
// Enter until it ends or is displaced. The methods of Place are safe for concurrent use.
type Place struct {
	places  *Places
	addr    netip.Addr
	group   *group // waiting connections of the same network and stage; nil unless waiting
	prev    *Place // next older place of the group
	next    *Place // next newer place of the group
	fresh   bool   // the place is in Places.fresh and does not count in group.counted
	older   *Place // next older place of Places.fresh
	newer   *Place // next newer place of Places.fresh
	stage   stage
	giveWay func() // closes the connection when it is displaced

	hasInput func() bool // reports whether the client has sent bytes that are not read yet; nil if the connection cannot report it
}

// freshShare limits how many of the newest silent connections are called fresh (see Places): the smaller of the limits Waiting
// and Connections, divided by freshShare. The value is calculated, not measured. With 1,024 places, 256 connections are fresh.
// That is as many as an attack with 3,400 connections a second opens in 75 ms, and eight times as many as 30 players open who
// connect from one address at the same moment.
const freshShare = 4

// Limits of Places.known, the addresses from which a player has logged in.
const (
	knownTime = 24 * time.Hour // time for which an address stays known
	maxKnown  = 1 << 13        // maximum number of addresses; chosen to be far more than the players of a day
)

// PlaceStats holds counts of the connections of a Places.
type PlaceStats struct {
	Waiting, Players int    // current numbers of connections
	GaveWay, Refused uint64 // numbers of displaced and refused connections since the start
}

// NewPlaces returns a Places for a door. Displaced and refused connections are counted in g, which may be nil.
func NewPlaces(door string, l PlaceLimits, g *Gate) *Places {
	p := &Places{door: door, limits: l, gate: g, known: NewWindow[netip.Addr](knownTime, maxKnown), addrs: map[netip.Addr]addrUse{}}
	for i := range p.waiting {
		p.waiting[i].groups = map[netip.Prefix]*group{}
	}
	p.fresh.limit = l.Waiting / freshShare
	if l.Connections > 0 {
		p.fresh.limit = min(p.fresh.limit, l.Connections/freshShare)
	}
	return p
}

// Enter takes a place for a connection that is not logged in. If no place is free and no connection can be displaced, it
// returns nil and false. If this connection is displaced later, its place is released and the function giveWay is called once,
// by the goroutine of another caller of Enter, which then holds no lock. giveWay must not block.
func (p *Places) Enter(addr netip.Addr, giveWay func()) (place *Place, ok bool) {
	return p.enter(addr, nil, giveWay)
}

// EnterConn is Enter for a TCP connection. Unread bytes in its socket count as a first message, because many connections
// may be accepted before the server reads the first message of any of them.
func (p *Places) EnterConn(c net.Conn, giveWay func()) (place *Place, ok bool) {
	at, _ := netip.ParseAddrPort(c.RemoteAddr().String()) // zero for pipes, which only tests use
	return p.enter(at.Addr(), func() bool { return hasInput(c) }, giveWay)
}

// enter implements Enter and EnterConn. The function hasInput reports whether the connection has unread bytes; it is nil for
// Enter.
func (p *Places) enter(addr netip.Addr, hasInput func() bool, giveWay func()) (place *Place, ok bool) {
	addr = AddrOf(addr)
	p.mu.Lock()
	victims, budget, ok := p.makeRoom(addr)
	if ok {
		place = &Place{places: p, addr: addr, giveWay: giveWay, hasInput: hasInput}
		if p.known.Get(addr, time.Now()) > 0 {
			place.stage = stageKnown
		}
		p.add(place)
		p.fresh.add(place)
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

// makeRoom makes room for a new connection from addr: at each limit that is reached, it displaces one connection. It returns the
// displaced connections and the budget of the last such limit. The result ok is false if there is no connection to displace, so
// that the new connection must be refused. The caller holds mu.
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
	scarce := 2*p.numWaiting() >= p.limits.Waiting
	if p.limitsApplyTo(addr) {
		use := p.addrs[addr]
		if reached(use.players, p.limits.PerAddr) ||
			scarce && (reached(use.waiting, p.limits.WaitingPerAddr) || reached(use.waiting+use.players, p.limits.PerAddr)) {
			if !evict(BudgetAddress, p.firstToGiveWay(func() *Place { return p.oldestOfAddr(addr) })) {
				return victims, budget, false
			}
		}
		if network := NetworkOf(addr); scarce && reached(p.waitingOf(network), p.limits.WaitingPerNetwork) {
			if !evict(BudgetNetwork, p.firstToGiveWay(func() *Place { return p.oldestOfNetwork(network) })) {
				return victims, budget, false
			}
		}
	}
	if n := p.numWaiting(); reached(n, p.limits.Waiting) || reached(n+p.players, p.limits.Connections) {
		if !evict(BudgetDoor, p.firstToGiveWay(p.oldestOfGreediest)) {
			return victims, budget, false
		}
	}
	return victims, budget, true
}

// reached reports whether n has reached a limit; a limit of 0 is never reached.
func reached(n, limit int) bool { return limit > 0 && n >= limit }

// limitsApplyTo reports whether the limits per address and per network apply to addr. They do not apply to loopback addresses
// unless PlaceLimits.LimitLoopback is set.
func (p *Places) limitsApplyTo(addr netip.Addr) bool {
	return !addr.IsLoopback() || p.limits.LimitLoopback
}

// firstToGiveWay returns the connection to displace, or nil if there is none. The function oldest returns a candidate. If a
// candidate that counts as silent has unread bytes in its socket, they are its first message: firstToGiveWay moves it to
// stageSpoke and calls oldest again. The caller holds mu.
func (p *Places) firstToGiveWay(oldest func() *Place) *Place {
	for {
		x := oldest()
		if x == nil || x.stage >= stageSpoke || x.hasInput == nil || !x.hasInput() {
			return x
		}
		p.remove(x)
		x.stage = stageSpoke
		p.add(x)
	}
}

// numWaiting returns the number of connections that are not logged in.
func (p *Places) numWaiting() int {
	n := 0
	for i := range p.waiting {
		n += p.waiting[i].n
	}
	return n
}

// waitingOf returns the number of connections of a network that are not logged in.
func (p *Places) waitingOf(network netip.Prefix) int {
	n := 0
	for i := range p.waiting {
		if g := p.waiting[i].groups[network]; g != nil {
			n += g.n
		}
	}
	return n
}

// oldestOfAddr returns the waiting connection of an address that would be displaced first, or nil if the address has none.
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

// oldestOfNetwork returns the waiting connection of a network that would be displaced first, or nil if the network has none.
func (p *Places) oldestOfNetwork(network netip.Prefix) *Place {
	for i := range p.waiting {
		if g := p.waiting[i].groups[network]; g != nil {
			return g.oldest
		}
	}
	return nil
}

// oldestOfGreediest returns the connection to displace when the door is full, or nil if all connections are those of players.
// Of the connections of the lowest stage, it selects the oldest one of the network that has the most. Fresh connections (the
// newest silent ones, see Places) are displaced only after all other silent ones.
func (p *Places) oldestOfGreediest() *Place {
	for i := range stageSpoke {
		if g := p.waiting[i].greediest(); g != nil && g.counted > 0 {
			return g.oldest
		}
	}
	for i := range p.waiting {
		if g := p.waiting[i].greediest(); g != nil {
			return g.oldest
		}
	}
	return nil
}

// add counts the connection with the place x among the connections of its address. If it is not logged in, it also joins the
// group of its network and stage. The caller holds mu.
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

// remove undoes add: it uncounts the connection and removes it from the group of its network and stage. The caller holds mu.
func (p *Places) remove(x *Place) {
	use := p.addrs[x.addr]
	if x.stage == stagePlayer {
		use.players--
		p.players--
	} else {
		use.waiting--
		p.fresh.remove(x)
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

// SilenceTimeout returns how long a connection may send nothing before it is closed. The timeout is longest while at most half
// of the places for waiting connections are taken. It decreases with each further waiting connection, down to shortest.
func (p *Places) SilenceTimeout(shortest, longest time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	half := p.limits.Waiting / 2
	if half == 0 {
		return longest
	}
	over := min(max(p.numWaiting()-half, 0), half)
	return longest - (longest-shortest)*time.Duration(over)/time.Duration(half)
}

// MarkMessageReceived records that the client has sent a valid first message. From now on the connection is displaced only after
// silent connections. MarkMessageReceived returns false if the connection has lost its place.
func (x *Place) MarkMessageReceived() bool { return x.move(stageSpoke) }

// MarkRequestReceived records that the client has made a complete request. From now on the connection is displaced only after
// connections without a complete request. MarkRequestReceived returns false if the connection has lost its place.
func (x *Place) MarkRequestReceived() bool { return x.move(stageAsked) }

// Move makes the connection, which must not be logged in, count for addr, the client's address as a proxy has named it. It
// returns false in two cases: (1) The connection has already lost its place. (2) The address has the maximum number of players;
// the connection then keeps its place and its former address, so that the caller can refuse the client.
func (x *Place) Move(addr netip.Addr) bool {
	addr = AddrOf(addr)
	p := x.places
	p.mu.Lock()
	full := false
	if x.stage < stagePlayer && x.addr != addr {
		if full = p.limitsApplyTo(addr) && reached(p.addrs[addr].players, p.limits.PerAddr); full {
			p.refused++
		} else {
			p.remove(x)
			x.addr = addr
			p.add(x)
		}
	}
	ok := !full && x.stage != stageGone
	p.mu.Unlock()
	if full {
		p.gate.Hold(p.door, BudgetAddress, addr, "")
	}
	return ok
}

// LogIn marks the connection as that of a player, which is never displaced. It returns false in two cases: (1) The connection
// has lost its place before. (2) It loses its place now, because its address has the maximum number of players.
func (x *Place) LogIn() bool {
	x.MarkAddrKnown()
	p := x.places
	p.mu.Lock()
	full := x.stage < stages && p.limitsApplyTo(x.addr) && reached(p.addrs[x.addr].players, p.limits.PerAddr)
	if full {
		p.remove(x)
		x.stage = stageGone
		p.gaveWay++
	}
	p.mu.Unlock()
	if full {
		p.gate.Hold(p.door, BudgetAddress, x.addr, "")
		x.giveWay()
		return false
	}
	return x.move(stagePlayer)
}

// MarkAddrKnown records that a genuine client has used the address of this connection. The address is then known: silent
// connections from it are displaced only after silent ones from unknown addresses.
func (x *Place) MarkAddrKnown() {
	if now := time.Now(); x.places.known.Get(x.addr, now) == 0 { // repeated logins of an address would evict others from known
		x.places.known.Add(x.addr, now)
	}
}

// move moves the connection to a later stage of its login. It returns false if the connection has lost its place.
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

// Leave releases the place. Further calls do nothing.
func (x *Place) Leave() {
	p := x.places
	p.mu.Lock()
	defer p.mu.Unlock()
	if x.stage != stageGone {
		p.remove(x)
		x.stage = stageGone
	}
}
