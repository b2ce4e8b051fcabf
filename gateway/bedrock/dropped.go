package bedrock

import "github.com/truestep-io/truestep/gateway"

// countDrops updates the metrics of the datagrams and messages that RakNet has dropped, by reason. It does so once per second.
func (w *worker) countDrops(now int64) {
	if !w.drops.Due(uint32(now)) {
		return
	}
	n := w.server.Stats()
	w.drops.Update(w.g.door.Bad, []gateway.DropCount{
		{Kind: "raknet_offline", N: n.BadOffline},
		{Kind: "raknet_short_request", N: n.ShortRequest},
		{Kind: "raknet_protocol", N: n.BadProtocol},
		{Kind: "raknet_cookie", N: n.BadCookie},
		{Kind: "raknet_live_session", N: n.AlreadyConnected},
		{Kind: "raknet_refused", N: n.RefusedLimit},
		{Kind: "raknet_replies_full", N: n.RepliesFull},
		{Kind: "raknet_pongs_limited", N: n.PongsLimited},
		{Kind: "raknet_half_open_lost", N: n.HalfOpenDropped},
		{Kind: "raknet_no_session", N: n.NoSession},
		{Kind: "raknet_datagram", N: n.BadDatagram},
		{Kind: "raknet_frames", N: n.BadFrames},
		{Kind: "raknet_records", N: n.BadRecords},
		{Kind: "raknet_too_far_ahead", N: n.TooFarAhead},
		{Kind: "raknet_not_taken", N: n.NoRoom},
		{Kind: "raknet_over_acks", N: n.AckBacklog},
		{Kind: "raknet_message", N: n.BadMessage},
		{Kind: "raknet_splits_expired", N: n.SplitsExpired},
		{Kind: "raknet_evicted", N: n.Evicted},
	})
}
