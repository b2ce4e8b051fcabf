package bedrock

const dropsEvery = 1000 // ms between two looks at what RakNet has dropped

// countDrops counts what RakNet has turned away since the last look. Most of a flood never becomes a message, and an
// operator is to see it where he sees everything else that was refused.
func (w *worker) countDrops(now int64) {
	if now-w.counted < dropsEvery {
		return
	}
	w.counted = now
	all, was := w.server.Stats(), w.dropped
	w.dropped = all
	for _, k := range [...]struct {
		kind string
		n    uint64
	}{
		{"raknet_offline", all.BadOffline - was.BadOffline},
		{"raknet_short_request", all.ShortRequest - was.ShortRequest},
		{"raknet_protocol", all.BadProtocol - was.BadProtocol},
		{"raknet_cookie", all.BadCookie - was.BadCookie},
		{"raknet_live_session", all.LiveSession - was.LiveSession},
		{"raknet_refused", all.RefusedLimit - was.RefusedLimit},
		{"raknet_replies_full", all.RepliesFull - was.RepliesFull},
		{"raknet_pongs_limited", all.PongsLimited - was.PongsLimited},
		{"raknet_half_open_lost", all.HalfOpenLost - was.HalfOpenLost},
		{"raknet_no_session", all.NoSession - was.NoSession},
		{"raknet_datagram", all.BadDatagram - was.BadDatagram},
		{"raknet_frames", all.BadFrames - was.BadFrames},
		{"raknet_records", all.BadRecords - was.BadRecords},
		{"raknet_too_far_ahead", all.TooFarAhead - was.TooFarAhead},
		{"raknet_not_taken", all.NotTaken - was.NotTaken},
		{"raknet_over_acks", all.OverAcks - was.OverAcks},
		{"raknet_message", all.BadMessage - was.BadMessage},
		{"raknet_splits_expired", all.SplitsExpired - was.SplitsExpired},
		{"raknet_evicted", all.Evicted - was.Evicted},
	} {
		if k.n > 0 {
			w.g.door.Bad.With(k.kind).Add(int(k.n))
		}
	}
}
