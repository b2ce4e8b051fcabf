package raknet

import (
	"bytes"
	"slices"
)

// Tap follows what one side of a session sends, as a bystander who sees its datagrams: it undoes parts, order and
// repetition. It answers nothing, so what the capture lacks it gives up after a while. It belongs to one goroutine.
type Tap struct {
	room     *int // bytes that it may still hold, shared with other taps
	started  bool // the base of the numbers is known
	numbers  tapWindow
	messages tapWindow
	stray    int64 // the last number that was far from the others
	channels [maxChannels]*tapChannel
	splits   []*tapSplit // oldest first
	dissect  Dissection
	stats    TapStats
}

// TapStats counts what a Tap has seen.
type TapStats struct {
	Datagrams uint64 // data datagrams that make sense
	Bytes     uint64 // of them
	Repeated  uint64 // of them, those whose number had come before
	Resent    uint64 // messages, or parts, that had come before in another datagram
	Missing   uint64 // numbers below the highest that have not come; RakNet sends their content again under others
	Lost      uint64 // ordered messages that never became whole
	Rejected  uint64 // datagrams that make no sense, or whose number is far from all others
}

// TapMessage is one whole message.
type TapMessage struct {
	Body    []byte // borrowed until the handler returns
	Skipped int64  // ordered messages that are missing right before this one
	Late    bool   // an ordered message that was given up and came after all
}

// What a tap waits for and holds.
const (
	tapWait      = 10_000  // ms   for what is missing in the order: longer than several resends
	tapMaxHeld   = 2048    // messages out of order in a channel
	tapMaxBytes  = 4 << 20 // bytes held by one tap, and heldCost for each message or part
	tapMaxSplits = 16      // messages in parts that are not complete
)

// NewTap returns a tap. begins says that it will see the session from its first datagram; otherwise what comes first is
// taken for the beginning. room is how many bytes it may hold, which several taps of one goroutine may share.
func NewTap(begins bool, room *int) *Tap { return &Tap{room: room, started: begins, stray: noStray} }

// Stats returns the counters.
func (t *Tap) Stats() TapStats {
	s := t.stats
	s.Missing = t.numbers.missing()
	return s
}

// Take takes one data datagram and calls handle for what becomes whole and has its turn. The error says that the datagram
// makes no sense, as that of Dissection.Dissect; it then has no effect, as with a peer.
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

// begin settles where the numbers begin. It refuses a datagram that is far ahead of all others, which is forged or of
// another session, unless a second one says that it is this tap which has missed something.
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
	if abs(n-t.stray) > windowSize {
		t.stray = n
		return false
	}
	t.stray = noStray
	t.restart(d)
	return true
}

// restart begins anew with a datagram. What comes next in the channels is as unknown as at the beginning.
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
			t.releaseRoom(c.size)
		}
		t.channels[i] = &tapChannel{next: -1}
	}
}

func abs(n int64) int64 { return max(n, -n) }

const noStray = -1 << 40 // is near to no number

// frame takes a message or a part.
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

// tapChannel is the order of one channel.
type tapChannel struct {
	next         int64 // order index that is next; -1: not known yet
	held         map[int64][]byte
	size         int   // bytes of held, with their cost
	missingSince int64 // ms since when next is missing, while something is held
}

// arrange hands over an ordered message when it has its turn, with all that waited for it.
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

// makeRoom gives up waiting until there is room for one more message in a channel, or nothing is held there.
func (t *Tap) makeRoom(now int64, c *tapChannel, cost int, handle func(TapMessage)) {
	for len(c.held) > 0 && (len(c.held) >= tapMaxHeld || c.size+cost > tapMaxBytes || *t.room < cost) {
		t.skipMissing(now, c, handle)
	}
}

// hold keeps a message that came before its turn.
func (t *Tap) hold(now int64, c *tapChannel, n int64, body []byte) {
	cost := len(body) + heldOverhead
	if _, taken := c.held[n]; taken || *t.room < cost {
		t.stats.Rejected++ // no honest side has two messages of one place; or others hold too much
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
	*t.room -= cost
}

// drain hands over what is next, skipped being missing before it.
func (t *Tap) drain(now int64, c *tapChannel, skipped int64, handle func(TapMessage)) {
	for {
		body, ok := c.held[c.next]
		if !ok {
			c.missingSince = now
			return
		}
		delete(c.held, c.next)
		c.size -= len(body) + heldOverhead
		t.releaseRoom(len(body) + heldOverhead)
		c.next++
		handle(TapMessage{Body: body, Skipped: skipped})
		skipped = 0
	}
}

func (t *Tap) releaseRoom(size int) { *t.room += size }

// skip gives up what is missing before the first message that is held.
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

// giveUp ends the waits that took too long.
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

// Flush hands over all that still waits for its turn, at the end of a capture or of the session.
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

// tapSplit is a message of which some parts are here.
type tapSplit struct {
	id       uint16
	order    uint32
	lastPart int64             // ms of the last part
	parts    map[uint32][]byte // by index
	count    uint32
	size     int // bytes of the parts, with their cost
}

// part keeps a part and returns the message if it is whole now, otherwise nil.
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
	if s.size+cost > tapMaxBytes || *t.room < cost {
		t.dropSplit(i)
		return nil
	}
	s.parts[f.Index] = bytes.Clone(f.Body)
	s.size += cost
	*t.room -= cost
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

// dropSplit forgets the parts of a message.
func (t *Tap) dropSplit(i int) {
	t.releaseRoom(t.splits[i].size)
	t.splits = slices.Delete(t.splits, i, i+1)
}

// tapWindow remembers which of the newest numbers have come, and how many of the others have not.
type tapWindow struct {
	window
	high     int64 // one more than the highest number
	first    int64 // the lowest that counts as missing when it does not come
	received int64 // how many of first..high-1 have come
}

// jump begins anew at n: what is missing before stays missing.
func (w *tapWindow) jump(n int64) {
	*w = tapWindow{window: window{low: n}, high: n, first: n - int64(w.missing())}
}

func (w *tapWindow) missing() uint64 { return uint64(max(w.high-w.first-w.received, 0)) }

// take notes a number and tells whether it is new. What is older than the window is not.
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
