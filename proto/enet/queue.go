package enet

// outgoing is a reliable command that is queued or was sent and is not acknowledged yet.
type outgoing struct {
	prev, next   *outgoing
	queue        *queue // queue that contains the command
	body         []byte // bytes of the whole command
	cost         int    // bytes of memory charged to the peer
	kind         uint8
	channel      uint8
	seq          uint16
	dataLen      uint16               // bytes of data in the command, which count towards the window
	inRing       bool                 // the command is listed in the ring of its channel, because it was sent at least once
	sendCount    uint8                // number of transmissions so far; after 255 the count continues at maxSendTimes
	rto          uint32               // retransmission timeout in ms; 0 before the first transmission
	rtoLimit     uint32               // timeoutFactor times the first rto, in ms
	firstSent    uint32               // time in ms of the first transmission
	timeoutStart uint32               // time in ms at which the current timeout began
	lastSent     uint32               // time in ms of the last transmission, at or after timeoutStart
	earlyResend  bool                 // the next transmission comes before the end of the timeout and does not restart it
	sendTimes    [maxSendTimes]uint32 // times in ms of the latest transmissions; ring buffer, next index sendCount % maxSendTimes
	small        [smallBody]byte
}

// maxSendTimes is the number of transmissions of a command that are remembered: the latest ones. An acknowledgement must repeat
// the timestamp of one of them. Earlier transmissions were many round trips, or 16 s, ago, so their acknowledgements no longer
// arrive.
const maxSendTimes = 8

// recordSend records that the command was transmitted at the time now, in ms.
func (o *outgoing) recordSend(now uint32) {
	o.sendTimes[o.sendCount%maxSendTimes] = now
	o.sendCount++
	if o.sendCount == 0 {
		o.sendCount = maxSendTimes // keeps the count modulo maxSendTimes, the index in sendTimes; all elements stay valid
	}
	o.lastSent = now
	if !o.earlyResend {
		o.timeoutStart = now
	}
	o.earlyResend = false
}

// findSend finds the transmission of the command that an acknowledgement confirms. The parameter stamp is the timestamp that
// the acknowledgement repeats, and clockOffset is the offset that Peer.clock adds to timestamps. findSend returns the time of the
// transmission in ms. ok is false if there was no such transmission.
func (o *outgoing) findSend(stamp, clockOffset uint16) (at uint32, ok bool) {
	for i := 0; i < min(int(o.sendCount), maxSendTimes); i++ {
		t := o.sendTimes[i]
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

// insertAfter inserts the command o after the command prev. If prev is nil, it inserts o at the front of the queue.
func (q *queue) insertAfter(prev, o *outgoing) {
	o.queue = q
	o.prev = prev
	if prev == nil {
		o.next = q.head
		q.head = o
	} else {
		o.next = prev.next
		prev.next = o
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
	o.prev, o.next, o.queue = nil, nil, nil
	q.n--
}

// drop removes all commands from the queue and frees them for reuse. The caller must clear the rings, which still refer to
// them.
func (q *queue) drop(p *Peer) {
	for q.head != nil {
		o := q.head
		q.remove(o)
		p.freeCommand(o)
	}
}

// ring stores the unacknowledged commands of one channel, to find them by sequence number. The ring grows with the distance
// between the oldest and the newest command, to at most maxSpan slots.
type ring struct{ slots []*outgoing }

// maxSpan limits the sequence numbers of the unacknowledged commands of a channel: the range from the oldest to the newest has
// at most maxSpan numbers. The limit is well below 4096, the distance within which libenet 1.1 can tell newer sequence numbers
// from older ones.
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

// put adds the command o to the ring. It returns false if the sequence number of o is maxSpan or more ahead of the oldest
// unacknowledged command.
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
		// In the larger ring no two commands can collide: sequence numbers that differ modulo n also differ modulo 2n.
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
