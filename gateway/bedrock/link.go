package bedrock

// Intervals of statistics of a connection. The console computes rates per second from the stored counters. If the counters
// were stored only once per second, the rates would alternate between zero and twice the true value.
const (
	measureInterval = 200 // time in ms between two measurements of a connection
	lossEvery       = 5   // number of measurements per sample of packet loss; session.Loss expects one sample per second
)

// measure copies the statistics of a connection to the session, for display on the console: bytes, datagrams, round-trip
// time, packet loss, and the number of actors in view.
func (c *conn) measure(now int64) {
	if c.session == nil || now-c.lastMeasure < measureInterval {
		return
	}
	c.lastMeasure = now
	c.measurements++
	l, n := c.session.Link(), c.peer.Stats()
	l.BytesIn.Store(n.BytesIn)
	l.BytesOut.Store(n.BytesOut)
	l.PacketsIn.Store(n.DatagramsIn)
	l.PacketsOut.Store(n.DatagramsOut)
	rtt, _ := c.peer.RTT()
	l.RTT.Store(int32(min(rtt, 1<<30)))
	if c.measurements%lossEvery == 0 {
		l.Loss.Store(c.loss.Update(n.Sent, n.Resent))
	}
	l.InView.Store(int32(len(c.view.runtimeIDs)))
}
