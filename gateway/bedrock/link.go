package bedrock

// measureEvery is how many ms lie between two looks at the figures of a connection.
const measureEvery = 1000

// measure writes down what operators are shown of a player's connection, from its beginning on. RakNet has measured the
// round trip, and how many of its datagrams it had to send again.
func (c *conn) measure(now int64) {
	if c.session == nil || now-c.measured < measureEvery {
		return
	}
	c.measured = now
	l, n := c.session.Link(), c.peer.Stats()
	l.BytesIn.Store(n.BytesIn)
	l.BytesOut.Store(n.BytesOut)
	l.PacketsIn.Store(n.DatagramsIn)
	l.PacketsOut.Store(n.DatagramsOut)
	rtt, _ := c.peer.RTT()
	l.RTT.Store(int32(min(rtt, 1<<30)))
	l.Loss.Store(c.loss.Look(n.Sent, n.Resent))
	l.InView.Store(int32(len(c.sight.wires)))
}
