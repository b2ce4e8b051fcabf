package bedrock

// Rate limits for the client of each session, required by rule BA-3 of docs/wire/bedrock.md. An unmodified client sends
// 20 inputs per second.
const (
	BatchesPerSecond = 100 // maximum average rate of batches
	PacketsPerSecond = 400 // maximum average rate of packets in batches
	BudgetBurst      = 2   // capacity of both token buckets of a BatchBudget, in seconds at the average rate
)

// BatchBudget limits the rate at which one client may send, with a token bucket for batches and one for packets. The
// zero value has full buckets. Times are milliseconds of any monotonic clock.
type BatchBudget struct {
	batchesUsed, packetsUsed int64 // tokens taken from each bucket and not restored yet, in thousandths of a token
	refilledMS               int64 // time at which tokens were last restored, ms
}

// AllowBatch consumes one batch token. allowed is false if no token is left; the caller must then drop the batch.
func (b *BatchBudget) AllowBatch(nowMS int64) (allowed bool) {
	b.refill(nowMS)
	return takeTokens(&b.batchesUsed, 1, BatchesPerSecond)
}

// AllowPackets consumes n packet tokens for a batch with n packets, a number that CountPackets returns. If fewer than n
// tokens are left, it consumes none and returns false; the caller must then drop the batch.
func (b *BatchBudget) AllowPackets(nowMS int64, n int) (allowed bool) {
	b.refill(nowMS)
	return takeTokens(&b.packetsUsed, int64(n), PacketsPerSecond)
}

// refill restores tokens for the time since the last call, up to the capacity.
func (b *BatchBudget) refill(nowMS int64) {
	passed := min(max(nowMS-b.refilledMS, 0), BudgetBurst*1000)
	b.batchesUsed = max(b.batchesUsed-passed*BatchesPerSecond, 0)
	b.packetsUsed = max(b.packetsUsed-passed*PacketsPerSecond, 0)
	b.refilledMS = nowMS
}

// takeTokens consumes n tokens of a bucket and returns true. If fewer than n are left, it consumes none and returns false. The
// parameter used points to the number of consumed tokens, in thousandths of a token.
func takeTokens(used *int64, n, perSecond int64) bool {
	if *used+n*1000 > perSecond*BudgetBurst*1000 {
		return false
	}
	*used += n * 1000
	return true
}
