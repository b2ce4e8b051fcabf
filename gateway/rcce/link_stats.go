package rcce

// Operators are shown rates per second. Looks a second apart would let them see nothing in one second and twice as much in
// the next.
const (
	statsEveryMS   = 200 // ms between two looks at the figures of the connections
	lossEveryStats = 5   // of these looks one at the loss, as its memory is one of looks a second apart
)

// measure writes down what operators are shown of every player's connection.
func (w *worker) storeLinkStats() {
	now := w.g.now()
	if now-w.statsStoredAt < statsEveryMS {
		return
	}
	w.statsStoredAt = now
	w.statsCount++
	for c := range w.conns { // each has figures of its own, so the order does not matter
		if c.session != nil {
			c.storeLinkStats()
		}
	}
}

// measure writes down the figures of one connection, from its beginning on. ENet has measured the round trip, and how
// many of its reliable commands it had to send again. A client is shown everybody in its area, once it has been told of
// him.
func (c *conn) storeLinkStats() {
	l, n := c.session.Link(), c.peer.Stats()
	l.BytesIn.Store(n.BytesIn)
	l.BytesOut.Store(n.BytesOut)
	l.PacketsIn.Store(n.DatagramsIn)
	l.PacketsOut.Store(n.DatagramsOut)
	l.RTT.Store(int32(min(c.peer.RTT(), 1<<30)))
	if c.w.statsCount%lossEveryStats == 0 {
		l.Loss.Store(c.loss.Look(n.Sent, n.Resent))
	}
	if c.scene != nil {
		l.InView.Store(int32(max(len(c.scene.actors)-1-len(c.unsentActors), 0)))
	}
}
