package raknet

import (
	"bytes"
	"slices"
)

// Tap reassembles the messages of one side of a session from captured datagrams: it joins split messages, restores the
// order and drops duplicates. If the capture lacks a message, Tap waits for it for a limited time and then skips it,
// because it cannot request a retransmission. It is not safe for concurrent use.
type Tap struct {
	budget      *int                     // number of bytes that may still be held; several taps may share this budget
	started     bool                     // the number of the first datagram is known
	numbers     tapWindow                // received datagram numbers
	messages    tapWindow                // received message indices
	lastOutlier int64                    // number of the last datagram rejected as too far from all others, or noOutlier
	channels    [maxChannels]*tapChannel // receive state by ordering channel; nil for an unused channel
	splits      []*tapSplit              // incomplete split messages, oldest first
	dissect     Dissection
	stats       TapStats
}

// TapStats counts what a Tap has received.
type TapStats struct {
	Datagrams uint64 // number of valid data datagrams
	Bytes     uint64 // total length of the valid data datagrams, bytes
	Repeated  uint64 // datagrams whose number had been received before
	Resent    uint64 // messages or parts received again in another datagram
	Missing   uint64 // datagrams not received, counted as gaps in the numbers; their content is sent again under other numbers
	Lost      uint64 // ordered messages that never became complete
	Rejected  uint64 // malformed datagrams, and datagrams whose number is far from all others
}

// TapMessage is one complete message that a Tap has reassembled.
type TapMessage struct {
	Body    []byte // message with its id; borrowed until the handler returns
	Skipped int64  // number of missing ordered messages immediately before this message
	Late    bool   // the message is ordered and arrived after it had been counted as skipped
}

// Limits of a Tap: the memory that it uses and the time for which it waits.
const (
	tapWait      = 10_000  // ms after which a missing ordered message is skipped; longer than several retransmissions take
	tapMaxHeld   = 2048    // maximum messages held out of order per channel
	tapMaxBytes  = 4 << 20 // maximum bytes held per channel or split message, including heldOverhead for each message or part
	tapMaxSplits = 16      // maximum incomplete split messages
)

// NewTap returns a tap. If the parameter begins is true, the capture contains the beginning of the session. Otherwise the tap
// starts with whatever datagram it receives first. The parameter budget points to the number of bytes that may still be held.
// Several taps of one goroutine may share it.
func NewTap(begins bool, budget *int) *Tap {
	return &Tap{budget: budget, started: begins, lastOutlier: noOutlier}
}

// Stats returns the counters of the tap.
func (t *Tap) Stats() TapStats {
	s := t.stats
	s.Missing = t.numbers.missing()
	return s
}

// Receive handles one data datagram and calls handle for each message that is now complete and in order. For a malformed
// datagram it returns the error of Dissection.Dissect; it otherwise ignores the datagram.
func (t *Tap) Receive(nowMS int64, datagram []byte, handle func(TapMessage)) error {
	d := &t.dissect
	if err := d.Dissect(datagram); err != nil || d.Kind != DataDatagram {
		t.stats.Rejected++
		return err
	}
	if !t.acceptNumber(d) {
		t.stats.Rejected++
		return nil
	}
	t.stats.Datagrams++
	t.stats.Bytes += uint64(len(datagram))
	if !t.numbers.accept(d.Number) {
		t.stats.Repeated++
		return nil
	}
	t.expire(nowMS, handle)
	for i := range d.Frames {
		t.handleFrame(nowMS, &d.Frames[i], handle)
	}
	return nil
}

// acceptNumber reports whether a datagram belongs to the session, judged by its number. It rejects a number far from those received
// before: the datagram is probably forged or belongs to another session. If the next far number is near the rejected one, datagrams
// are probably missing in the capture. acceptNumber then accepts that number, and the session continues from there.
func (t *Tap) acceptNumber(d *Dissection) bool {
	if !t.started {
		t.started = true
		t.restart(d)
		return true
	}
	n := extend(d.Number, t.numbers.high)
	if abs(n-t.numbers.high) <= windowSize {
		return true
	}
	if abs(n-t.lastOutlier) > windowSize {
		t.lastOutlier = n
		return false
	}
	t.lastOutlier = noOutlier
	t.restart(d)
	return true
}

// restart continues the session from the datagram d after a hole in the capture. From then on, the next order index of each
// channel is unknown.
func (t *Tap) restart(d *Dissection) {
	t.numbers.jump(int64(d.Number))
	for i := range d.Frames {
		if f := &d.Frames[i]; f.Reliability.reliable() {
			t.messages.jump(int64(f.Message))
			break
		}
	}
	for i, c := range t.channels {
		if c != nil {
			t.releaseBudget(c.size)
		}
		t.channels[i] = &tapChannel{next: -1}
	}
}

func abs(n int64) int64 { return max(n, -n) }

const noOutlier = -1 << 40 // no outlier: a number far from every datagram number

// handleFrame processes one frame. It passes an unordered message to handle at once, and an ordered message when its turn
// comes. It drops a message or part that was received before. It stores the parts of a split message until all have
// arrived.
func (t *Tap) handleFrame(now int64, f *DissectedFrame, handle func(TapMessage)) {
	if f.Reliability.reliable() && !t.messages.accept(f.Message) {
		t.stats.Resent++
		return
	}
	body := f.Body
	if f.Split {
		if body = t.addPart(now, f); body == nil {
			return
		}
	}
	if f.Reliability != ReliableOrdered || f.Channel >= maxChannels {
		handle(TapMessage{Body: body})
		return
	}
	t.deliverInOrder(now, f, body, handle)
}

// tapChannel is the receive state of one ordering channel: the index of the next message to deliver, and the messages that
// arrived before their turn.
type tapChannel struct {
	next         int64 // next order index to deliver; -1 if unknown
	held         map[int64][]byte
	size         int   // bytes of the held messages, plus heldOverhead for each
	missingSince int64 // time in ms at which the message with order index next was first missing; meaningless if no message is held
}

// deliverInOrder passes an ordered message to handle if no earlier one is missing, and then the held messages that only
// waited for it. If an earlier one is missing, it holds the message.
func (t *Tap) deliverInOrder(now int64, f *DissectedFrame, body []byte, handle func(TapMessage)) {
	c := t.channels[f.Channel]
	if c == nil {
		c = &tapChannel{}
		t.channels[f.Channel] = c
	}
	if c.next < 0 {
		c.next = int64(f.Order)
	}
	n := extend(f.Order, c.next)
	if n >= c.next+windowSize {
		t.stats.Rejected++
		return
	}
	if n > c.next {
		t.makeRoom(now, c, len(body)+heldOverhead, handle)
	}
	switch {
	case n < c.next:
		handle(TapMessage{Body: body, Late: true})
	case n > c.next:
		t.hold(now, c, n, body)
	default:
		c.next++
		handle(TapMessage{Body: body})
		t.drain(now, c, 0, handle)
	}
}

// makeRoom makes room for one more held message, of cost bytes. It stops waiting for missing messages and delivers the held
// ones behind them, until the new message is within the limits or no message is held.
func (t *Tap) makeRoom(now int64, c *tapChannel, cost int, handle func(TapMessage)) {
	for len(c.held) > 0 && (len(c.held) >= tapMaxHeld || c.size+cost > tapMaxBytes || *t.budget < cost) {
		t.skipMissing(now, c, handle)
	}
}

// hold stores a message until the missing messages before it have arrived or are given up. The parameter n is the message's
// index in its channel.
func (t *Tap) hold(now int64, c *tapChannel, n int64, body []byte) {
	cost := len(body) + heldOverhead
	if _, duplicate := c.held[n]; duplicate || *t.budget < cost {
		t.stats.Rejected++ // a second message with the same index is malformed; otherwise the budget is used up
		return
	}
	if len(c.held) == 0 {
		c.missingSince = now
	}
	if c.held == nil {
		c.held = map[int64][]byte{}
	}
	c.held[n] = bytes.Clone(body)
	c.size += cost
	*t.budget -= cost
}

// drain calls handle with the held messages from the index c.next on, up to the first missing one. The parameter skipped is the
// number of missing messages directly before c.next that were given up.
func (t *Tap) drain(now int64, c *tapChannel, skipped int64, handle func(TapMessage)) {
	for {
		body, ok := c.held[c.next]
		if !ok {
			c.missingSince = now
			return
		}
		delete(c.held, c.next)
		c.size -= len(body) + heldOverhead
		t.releaseBudget(len(body) + heldOverhead)
		c.next++
		handle(TapMessage{Body: body, Skipped: skipped})
		skipped = 0
	}
}

func (t *Tap) releaseBudget(size int) { *t.budget += size }

// skipMissing gives up the missing messages before the first held message of a channel. It counts them as lost and delivers the
// held messages that follow.
func (t *Tap) skipMissing(now int64, c *tapChannel, handle func(TapMessage)) {
	first := int64(never)
	for n := range c.held {
		first = min(first, n)
	}
	missing := first - c.next
	t.stats.Lost += uint64(missing)
	c.next = first
	t.drain(now, c, missing, handle)
}

// expire skips ordered messages that have been missing for longer than tapWait. It also drops split messages of which no
// part has arrived for twice that time.
func (t *Tap) expire(now int64, handle func(TapMessage)) {
	for _, c := range t.channels {
		if c != nil && len(c.held) > 0 && now-c.missingSince > tapWait {
			t.skipMissing(now, c, handle)
		}
	}
	for len(t.splits) > 0 && now-t.splits[0].lastPart > tapWait*2 {
		t.dropSplit(0)
	}
}

// Flush passes all held messages to handle, and drops split messages that are incomplete. Call it at the end of a capture or of
// the session.
func (t *Tap) Flush(handle func(TapMessage)) {
	for _, c := range t.channels {
		for c != nil && len(c.held) > 0 {
			t.skipMissing(0, c, handle)
		}
	}
	for len(t.splits) > 0 {
		t.dropSplit(0)
	}
}

// tapSplit is a split message that is incomplete: only some parts have arrived.
type tapSplit struct {
	id       uint16            // number of the split message
	order    uint32            // order index of the message
	lastPart int64             // time in ms at which the latest part arrived
	parts    map[uint32][]byte // received parts by index
	count    uint32            // number of parts
	size     int               // bytes of the parts, plus heldOverhead for each
}

// addPart stores a part of a split message. If all parts have arrived now, it returns the whole message, otherwise nil.
func (t *Tap) addPart(now int64, f *DissectedFrame) []byte {
	if f.Count == 0 || f.Index >= f.Count {
		t.stats.Rejected++
		return nil
	}
	i := slices.IndexFunc(t.splits, func(s *tapSplit) bool {
		return s.id == f.SplitID && s.count == f.Count && s.order == f.Order
	})
	if i < 0 {
		if len(t.splits) >= tapMaxSplits {
			t.dropSplit(0)
		}
		i = len(t.splits)
		t.splits = append(t.splits, &tapSplit{id: f.SplitID, order: f.Order, count: f.Count, parts: map[uint32][]byte{}})
	}
	s := t.splits[i]
	s.lastPart = now
	if _, twice := s.parts[f.Index]; twice {
		t.stats.Resent++
		return nil
	}
	cost := len(f.Body) + heldOverhead
	if s.size+cost > tapMaxBytes || *t.budget < cost {
		t.dropSplit(i)
		return nil
	}
	s.parts[f.Index] = bytes.Clone(f.Body)
	s.size += cost
	*t.budget -= cost
	if uint32(len(s.parts)) < s.count {
		return nil
	}
	body := make([]byte, 0, s.size)
	for k := range s.count {
		body = append(body, s.parts[k]...)
	}
	t.dropSplit(i)
	return body
}

// dropSplit drops the split message with the index i in t.splits.
func (t *Tap) dropSplit(i int) {
	t.releaseBudget(t.splits[i].size)
	t.splits = slices.Delete(t.splits, i, i+1)
}

// tapWindow records which of the newest numbers have arrived, and counts the older numbers that have not.
type tapWindow struct {
	window
	high     int64 // highest received number plus one
	first    int64 // lowest number that counts as missing unless it is received
	received int64 // number of received numbers in first..high-1
}

// jump moves the window to the number n. It forgets which numbers were received, but keeps the count of the missing ones.
func (w *tapWindow) jump(n int64) {
	*w = tapWindow{window: window{low: n}, high: n, first: n - int64(w.missing())}
}

func (w *tapWindow) missing() uint64 { return uint64(max(w.high-w.first-w.received, 0)) }

// accept marks a number as received and reports whether it is new. A number older than the window counts as not new.
func (w *tapWindow) accept(v uint32) bool {
	n := extend(v, w.high)
	if n-w.high > windowSize {
		w.jump(n)
	}
	if n >= w.high {
		w.high = n + 1
		w.skipTo(w.high - windowSize/2)
	} else if n < w.low-windowSize || n < 0 {
		return false
	}
	if w.seen(n) {
		return false
	}
	w.mark(n)
	if n >= w.first {
		w.received++
	}
	return true
}
