package rcce

// Intervals at which the statistics of connections are updated. The console shows rates per second, which it computes from these
// counters. With only one update per second, a rate would alternate between zero and twice its value.
const (
	statsEveryMS   = 200 // time in ms between two updates of the statistics
	lossEveryStats = 5   // number of updates per sample of packet loss, because session.Loss expects one sample per second
)

// storeLinkStats updates the connection statistics of every player's session, at most every statsEveryMS.
func (w *worker) storeLinkStats() {
	now := w.g.now()
	if now-w.statsStoredAt < statsEveryMS {
		return
	}
	w.statsStoredAt = now
	w.statsCount++
	for c := range w.conns { // the order does not matter: each session has its own statistics
		if c.session != nil {
			c.storeLinkStats()
		}
	}
}

// storeLinkStats copies the connection's counters to the player's session. They count from the beginning of the connection. ENet
// measures the round-trip time and the loss, which is the fraction of reliable commands that were retransmitted. The field InView
// is the number of other actors that the client has been sent.
func (c *conn) storeLinkStats() {
	l, n := c.session.Link(), c.peer.Stats()
	l.BytesIn.Store(n.BytesIn)
	l.BytesOut.Store(n.BytesOut)
	l.PacketsIn.Store(n.DatagramsIn)
	l.PacketsOut.Store(n.DatagramsOut)
	l.RTT.Store(int32(min(c.peer.RTT(), 1<<30)))
	if c.w.statsCount%lossEveryStats == 0 {
		l.Loss.Store(c.loss.Update(n.Sent, n.Resent))
	}
	if c.scene != nil {
		l.InView.Store(int32(max(len(c.scene.actors)-1-len(c.unsentActors), 0)))
	}
}
