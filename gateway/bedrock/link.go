package bedrock

// Operators are shown rates per second. Looks a second apart would let them see nothing in one second and twice as much in
// the next.
const (
	measureInterval = 200 // ms between two looks at the figures of a connection
	lossEvery       = 5   // of these looks one at the loss, as its memory is one of looks a second apart
)

// measure writes down what operators are shown of a player's connection, from its beginning on. RakNet has measured the
// round trip, and how many of its datagrams it had to send again.
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
		l.Loss.Store(c.loss.Look(n.Sent, n.Resent))
	}
	l.InView.Store(int32(len(c.view.runtimeIDs)))
}
