package rcce

// Intervals of the link statistics. The console shows rates per second. With only one sample per second, it would alternately
// show no traffic and twice the rate.
const (
	statsEveryMS   = 200 // time in ms between two updates of the link statistics
	lossEveryStats = 5   // updates per sample of packet loss, because session.Loss expects one sample per second
)

// storeLinkStats updates the link statistics of every player's session.
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

// storeLinkStats copies the counters of a connection since its start to its session. RTT and loss are measured by ENet; loss
// is the share of reliable commands that were retransmitted. InView is the number of other actors that have been sent to the client.
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
