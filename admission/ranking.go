package admission

import (
	"container/heap"
	"net/netip"
)

// ranking holds the connections of one stage that are not logged in, grouped by network. The network with the most connections
// comes first. For this order, fresh connections (the newest silent ones, see Places) are not counted.
type ranking struct {
	groups map[netip.Prefix]*group
	order  groupHeap // all groups; the first is the one with the most connections that are not fresh
	n      int       // number of connections of all groups
}

// group holds the waiting connections of one network and stage as a linked list in order of arrival.
type group struct {
	network        netip.Prefix
	oldest, newest *Place
	n              int // number of connections
	counted        int // number of connections that are not fresh (see Places); these are the oldest connections of the group
	index          int // index of the group in ranking.order
}

// greediest returns the connections of the network that has the most, or nil if there are no connections. Fresh connections (the
// newest silent ones, see Places) are not counted.
func (r *ranking) greediest() *group {
	if len(r.order) == 0 {
		return nil
	}
	return r.order[0]
}

// add appends a connection to the group of its network.
func (r *ranking) add(x *Place) {
	network := NetworkOf(x.addr)
	g := r.groups[network]
	if g == nil {
		g = &group{network: network}
		r.groups[network] = g
		heap.Push(&r.order, g)
	}
	x.group, x.prev = g, g.newest
	if g.newest == nil {
		g.oldest = x
	} else {
		g.newest.next = x
	}
	g.newest = x
	g.n++
	g.counted++
	r.n++
	heap.Fix(&r.order, g.index)
}

// remove removes a connection from its group, and the group if it is then empty.
func (r *ranking) remove(x *Place) {
	g := x.group
	if x.prev == nil {
		g.oldest = x.next
	} else {
		x.prev.next = x.next
	}
	if x.next == nil {
		g.newest = x.prev
	} else {
		x.next.prev = x.prev
	}
	x.group, x.prev, x.next = nil, nil, nil
	g.n--
	g.counted--
	r.n--
	if g.n > 0 {
		heap.Fix(&r.order, g.index)
		return
	}
	heap.Remove(&r.order, g.index)
	delete(r.groups, g.network)
}

// setFresh records that a connection is fresh, one of the newest silent connections (see Places), or no longer fresh. Fresh
// connections are not counted in the size of their network's group.
func (r *ranking) setFresh(x *Place, fresh bool) {
	if x.fresh = fresh; fresh {
		x.group.counted--
	} else {
		x.group.counted++
	}
	heap.Fix(&r.order, x.group.index)
}

// freshList is a linked list, in order of arrival, of the fresh connections: the newest silent connections of all networks.
type freshList struct {
	oldest, newest *Place
	n, limit       int // number of fresh connections, and its maximum, 0 for none
}

// add adds a new silent connection to the list, which makes it fresh (see Places). If the list is full, the oldest connection is
// removed from it and is no longer fresh.
func (l *freshList) add(x *Place) {
	if l.limit == 0 {
		return
	}
	if l.n >= l.limit {
		l.remove(l.oldest)
	}
	x.older = l.newest
	if l.newest == nil {
		l.oldest = x
	} else {
		l.newest.newer = x
	}
	l.newest = x
	l.n++
	x.places.waiting[x.stage].setFresh(x, true)
}

// remove removes a connection from the list. The connection is then no longer fresh (see Places) and therefore counts in the size
// of its network's group. remove does nothing if the connection is not in the list.
func (l *freshList) remove(x *Place) {
	if !x.fresh {
		return
	}
	if x.older == nil {
		l.oldest = x.newer
	} else {
		x.older.newer = x.newer
	}
	if x.newer == nil {
		l.newest = x.older
	} else {
		x.newer.older = x.older
	}
	x.older, x.newer = nil, nil
	l.n--
	x.places.waiting[x.stage].setFresh(x, false)
}

// groupHeap is the order of the groups in a ranking, and implements heap.Interface. The first group is the one with the most
// connections. Fresh connections (the newest silent ones, see Places) are not counted.
type groupHeap []*group

// Len implements heap.Interface.
func (h groupHeap) Len() int { return len(h) }

// Less implements heap.Interface: the group with more counted connections comes first.
func (h groupHeap) Less(i, j int) bool {
	if h[i].counted != h[j].counted {
		return h[i].counted > h[j].counted
	}
	return h[i].n > h[j].n
}

// Swap implements heap.Interface.
func (h groupHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements heap.Interface.
func (h *groupHeap) Push(x any) {
	g := x.(*group)
	g.index = len(*h)
	*h = append(*h, g)
}

// Pop implements heap.Interface.
func (h *groupHeap) Pop() any {
	old := *h
	g := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return g
}
