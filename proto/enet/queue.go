package enet

// outgoing is one reliable command from its queueing to its acknowledgement.
type outgoing struct {
	prev, next *outgoing
	in         *queue // the queue that it is in
	body       []byte // the whole command
	cost       int    // memory charged to the peer
	kind       uint8
	channel    uint8
	seq        uint16
	dataLen    uint16 // counts toward the window
	flying     bool   // in its channel's ring: sent at least once
	sends      uint8  // times sent, saturating
	rto        uint32 // ms until the next resend; 0 before the first sending
	rtoLimit   uint32 // timeoutFactor times the first rto
	firstSent  uint32
	sentAt     uint32                // when the present timeout began
	lastSent   uint32                // at or after sentAt
	early      bool                  // to be sent again though the timeout is not over
	times      [rememberTimes]uint32 // the latest sendings, by number modulo the length
	small      [smallBody]byte
}

// rememberTimes is how many sendings of one command an acknowledgement may answer. The ninth last is many round trips
// old, or 16 s.
const rememberTimes = 8

// sent notes a sending at now.
func (o *outgoing) sent(now uint32) {
	o.times[o.sends%rememberTimes] = now
	o.sends++
	if o.sends == 0 {
		o.sends = rememberTimes // keeps the slot order and stays "all known"
	}
	o.lastSent = now
	if !o.early {
		o.sentAt = now
	}
	o.early = false
}

// sentWhen returns when the sending took place whose clock value was stamp. ok is false if there was none.
func (o *outgoing) sentWhen(stamp, clockOffset uint16) (at uint32, ok bool) {
	for i := 0; i < min(int(o.sends), rememberTimes); i++ {
		t := o.times[i]
		if uint16(t)+clockOffset == stamp && (!ok || before(at, t)) {
			at, ok = t, true
		}
	}
	return at, ok
}

// queue is a doubly linked list of outgoing commands.
type queue struct {
	head, tail *outgoing
	n          int
}

func (q *queue) pushBack(o *outgoing) { q.insertAfter(q.tail, o) }

// insertAfter puts o behind at, or in front of all if at is nil.
func (q *queue) insertAfter(at, o *outgoing) {
	o.in = q
	o.prev = at
	if at == nil {
		o.next = q.head
		q.head = o
	} else {
		o.next = at.next
		at.next = o
	}
	if o.next == nil {
		q.tail = o
	} else {
		o.next.prev = o
	}
	q.n++
}

func (q *queue) remove(o *outgoing) {
	if o.prev == nil {
		q.head = o.next
	} else {
		o.prev.next = o.next
	}
	if o.next == nil {
		q.tail = o.prev
	} else {
		o.next.prev = o.prev
	}
	o.prev, o.next, o.in = nil, nil, nil
	q.n--
}

// drop gives all commands back to the pool. Rings are the caller's to clear.
func (q *queue) drop(p *Peer) {
	for q.head != nil {
		o := q.head
		q.remove(o)
		p.freeCommand(o)
	}
}

// ring finds the commands of one channel that were sent and not acknowledged by their sequence, in one step. It grows
// with the distance between the oldest and the newest, up to maxSpan.
type ring struct{ slots []*outgoing }

// maxSpan bounds how far the sequence of a channel may run ahead of its oldest unacknowledged command. The original
// tells old from new across the wrap only within 4096, so it has to stay well below.
const maxSpan = 1024

func (r *ring) get(seq uint16) *outgoing {
	if len(r.slots) == 0 {
		return nil
	}
	if o := r.slots[int(seq)&(len(r.slots)-1)]; o != nil && o.seq == seq {
		return o
	}
	return nil
}

// put adds o; false means that its sequence is too far ahead.
func (r *ring) put(o *outgoing) bool {
	if r.slots == nil {
		r.slots = make([]*outgoing, 8)
	}
	for {
		at := &r.slots[int(o.seq)&(len(r.slots)-1)]
		if *at == nil {
			*at = o
			return true
		}
		if len(r.slots) == maxSpan {
			return false
		}
		// Two sequences that differ modulo n differ modulo 2n, so nothing collides on the way.
		grown := make([]*outgoing, 2*len(r.slots))
		for _, o := range r.slots {
			if o != nil {
				grown[int(o.seq)&(len(grown)-1)] = o
			}
		}
		r.slots = grown
	}
}

func (r *ring) remove(o *outgoing) { r.slots[int(o.seq)&(len(r.slots)-1)] = nil }
