package bedrock

// Rate limits of one session, rule BA-3. An unmodified client sends 20 inputs a second.
const (
	BatchesPerSecond = 100 // 1/s
	PacketsPerSecond = 400 // 1/s
	BudgetBurst      = 2   // s     token bucket capacity
)

// BatchBudget rate-limits what one session sends, with a token bucket for batches and one for packets. The zero value is
// full. Times are milliseconds of any monotonic clock.
type BatchBudget struct {
	batchesUsed, packetsUsed int64 // thousandths of tokens that are spent
	refilledMS               int64 // ms of the last refill
}

// AllowBatch spends the token of one batch. It returns false, before any work on the batch, if none is left.
func (b *BatchBudget) AllowBatch(nowMS int64) bool {
	b.refill(nowMS)
	return takeTokens(&b.batchesUsed, 1, BatchesPerSecond)
}

// AllowPackets spends n packet tokens, n from CountPackets. It returns false and spends nothing if fewer are left.
func (b *BatchBudget) AllowPackets(nowMS int64, n int) bool {
	b.refill(nowMS)
	return takeTokens(&b.packetsUsed, int64(n), PacketsPerSecond)
}

// refill restores the tokens for the time since the last call, up to the capacity.
func (b *BatchBudget) refill(nowMS int64) {
	passed := min(max(nowMS-b.refilledMS, 0), BudgetBurst*1000)
	b.batchesUsed = max(b.batchesUsed-passed*BatchesPerSecond, 0)
	b.packetsUsed = max(b.packetsUsed-passed*PacketsPerSecond, 0)
	b.refilledMS = nowMS
}

// takeTokens spends n tokens of a bucket whose spent tokens are used, in thousandths, if the capacity allows.
func takeTokens(used *int64, n, perSecond int64) bool {
	if *used+n*1000 > perSecond*BudgetBurst*1000 {
		return false
	}
	*used += n * 1000
	return true
}
