package rcce

import "github.com/truestep-io/truestep/gateway"

// countDropped updates the metrics of the datagrams and commands that ENet has dropped, by reason, at most once per second.
func (w *worker) countDropped() {
	if !w.drops.Due(w.g.now()) {
		return
	}
	n := w.host.Stats()
	w.drops.Update(w.g.door.Bad, []gateway.DropCount{
		{Kind: "enet_datagram", N: n.BadDatagram},
		{Kind: "enet_peer", N: n.BadPeer},
		{Kind: "enet_session", N: n.BadSession},
		{Kind: "enet_address", N: n.BadAddress},
		{Kind: "enet_unproven_port", N: n.UnprovenPort},
		{Kind: "enet_command", N: n.BadCommand},
		{Kind: "enet_fragment", N: n.BadFragment},
		{Kind: "enet_connect", N: n.BadConnect},
		{Kind: "enet_refused", N: n.RefusedLimit},
		{Kind: "enet_half_open_lost", N: n.HalfOpenLost},
		{Kind: "enet_over_hold", N: n.OverHold},
		{Kind: "enet_over_acks", N: n.OverAcks},
	})
}
