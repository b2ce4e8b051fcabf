package session

// Loss estimates the share of retransmitted packets of a connection as a decaying average. The zero value is ready to
// use. It is not safe for concurrent use.
type Loss struct {
	sent, resent             uint64  // totals at the last Update: packets sent for the first time, and retransmitted packets
	recentSent, recentResent float64 // decaying sums: packets sent for the first time, and retransmitted packets
}

// lossDecay is the factor by which each Update reduces the weight of earlier counts. With one Update per second the
// average covers about ten seconds.
const lossDecay = 0.9

// Update returns the recent share of retransmitted packets in thousandths, or -1 if nothing was sent yet. The parameter
// sent is the total number of packets sent for the first time, and resent the total number of retransmitted packets.
// The caller must call Update at regular intervals.
func (l *Loss) Update(sent, resent uint64) int32 {
	l.recentSent = float64(l.recentSent*lossDecay) + float64(sent-l.sent)
	l.recentResent = float64(l.recentResent*lossDecay) + float64(resent-l.resent)
	l.sent, l.resent = sent, resent
	all := l.recentSent + l.recentResent
	if all < 0.5 {
		if sent == 0 {
			return -1
		}
		return 0
	}
	return int32(l.recentResent/all*1000 + 0.5)
}
