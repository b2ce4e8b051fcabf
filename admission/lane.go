package admission

import (
	"net/netip"
	"slices"
)

// lane holds the entries of a Queue that wait with the same rank, grouped by network and address.
type lane struct {
	sites map[netip.Prefix]*site // networks with entries; see NetworkOf
	order []*site                // networks with entries, in round-robin order; order[0] is served next
	n     int                    // number of entries
}

// site holds the waiting entries of one network in a lane, grouped by address.
type site struct {
	network netip.Prefix
	flows   []*flow // addresses with entries, in round-robin order; flows[0] is served next
}

// flow holds the waiting entries of one address in a lane, in order of arrival.
type flow struct {
	addr    netip.Addr
	entries []*waiter
}

// find returns the waiting entries of the network that contains addr, and those of addr itself. A result is nil if there are
// none.
func (l *lane) find(addr netip.Addr) (*site, *flow) {
	s := l.sites[NetworkOf(addr)]
	if s == nil {
		return nil, nil
	}
	for _, f := range s.flows {
		if f.addr == addr {
			return s, f
		}
	}
	return s, nil
}

// count returns how many entries of the address addr wait in the lane.
func (l *lane) count(addr netip.Addr) int {
	_, f := l.find(addr)
	if f == nil {
		return 0
	}
	return len(f.entries)
}

// add adds an entry to the lane, behind the earlier entries of the same address.
func (l *lane) add(w *waiter) {
	s, f := l.find(w.request.Addr)
	if s == nil {
		s = &site{network: NetworkOf(w.request.Addr)}
		l.sites[s.network] = s
		l.order = append(l.order, s)
	}
	if f == nil {
		f = &flow{addr: w.request.Addr}
		s.flows = append(s.flows, f)
	}
	f.entries = append(f.entries, w)
	l.n++
}

// pop removes the next entry and returns it. The lane must not be empty. Networks take turns, and so do the addresses within a
// network. pop therefore moves the entry's network behind all other networks, and the entry's address behind the network's other
// addresses.
func (l *lane) pop() *waiter {
	s := l.order[0]
	f := s.flows[0]
	w := f.entries[0]
	f.entries[0] = nil
	f.entries = f.entries[1:]
	l.n--
	s.flows = s.flows[1:]
	if len(f.entries) > 0 {
		s.flows = append(s.flows, f)
	}
	l.order = l.order[1:]
	if len(s.flows) > 0 {
		l.order = append(l.order, s)
	} else {
		delete(l.sites, s.network)
	}
	return w
}

// remove removes an entry that need not be the next one. The lane must contain the entry.
func (l *lane) remove(w *waiter) {
	s, f := l.find(w.request.Addr)
	f.entries = slices.DeleteFunc(f.entries, func(x *waiter) bool { return x == w })
	l.n--
	if len(f.entries) > 0 {
		return
	}
	s.flows = slices.DeleteFunc(s.flows, func(x *flow) bool { return x == f })
	if len(s.flows) == 0 {
		l.order = slices.DeleteFunc(l.order, func(x *site) bool { return x == s })
		delete(l.sites, s.network)
	}
}

// longest returns the waiting entries of the address that has the most entries in the lane. It returns nil if the lane is empty.
func (l *lane) longest() *flow {
	var most *flow
	for _, s := range l.order {
		for _, f := range s.flows {
			if most == nil || len(f.entries) > len(most.entries) {
				most = f
			}
		}
	}
	return most
}
