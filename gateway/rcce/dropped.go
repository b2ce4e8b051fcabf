package rcce

const dropsEvery = 1000 // ms between two looks at what ENet has dropped

// countDrops counts what ENet has turned away since the last look. Most of a flood never becomes a message, and an
// operator is to see it where he sees everything else that was refused.
func (w *worker) countDrops() {
	now := w.g.now()
	if now-w.counted < dropsEvery {
		return
	}
	w.counted = now
	all, was := w.host.Stats(), w.dropped
	w.dropped = all
	for _, k := range [...]struct {
		kind string
		n    uint64
	}{
		{"enet_datagram", all.BadDatagram - was.BadDatagram},
		{"enet_peer", all.BadPeer - was.BadPeer},
		{"enet_session", all.BadSession - was.BadSession},
		{"enet_address", all.BadAddress - was.BadAddress},
		{"enet_unproven_port", all.UnprovenPort - was.UnprovenPort},
		{"enet_command", all.BadCommand - was.BadCommand},
		{"enet_fragment", all.BadFragment - was.BadFragment},
		{"enet_ack", all.BadAck - was.BadAck},
		{"enet_connect", all.BadConnect - was.BadConnect},
		{"enet_refused", all.RefusedLimit - was.RefusedLimit},
		{"enet_half_open_lost", all.HalfOpenLost - was.HalfOpenLost},
		{"enet_over_hold", all.OverHold - was.OverHold},
		{"enet_over_acks", all.OverAcks - was.OverAcks},
	} {
		if k.n > 0 {
			w.g.door.Bad.With(k.kind).Add(int(k.n))
		}
	}
}
