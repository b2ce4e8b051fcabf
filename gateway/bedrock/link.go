package bedrock

// Operators are shown rates per second. Measuring once a second would alternate between no traffic and twice the
// traffic.
const (
	measureInterval = 200 // ms between two measurements of a connection
	lossEvery       = 5   // the loss is sampled in every fifth measurement, because session.Loss expects one sample per second
)

// measure stores what operators are shown about a player's connection. RakNet measures the round trip and counts
// retransmitted datagrams.
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
