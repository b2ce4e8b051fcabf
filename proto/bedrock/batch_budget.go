package bedrock

// What one session may send, rule BA-3. An unmodified client sends 20 inputs a second.
const (
	BatchesPerSecond = 100 // 1/s
	PacketsPerSecond = 400 // 1/s
	BudgetBurst      = 2   // s     what a session may save up
)

// BatchBudget counts what one session sends: two token buckets, for batches and for packets. The zero value is full.
// Times are milliseconds of any clock that does not go back.
type BatchBudget struct {
	batchesUsed, packetsUsed int64 // thousandths of tokens that are used up
	refilledMS               int64 // when they were right
}

// TakeBatch takes a batch; false if the session has used up its budget, before any work was put into the batch.
func (b *BatchBudget) AllowBatch(nowMS int64) bool {
	b.refill(nowMS)
	return takeTokens(&b.batchesUsed, 1, BatchesPerSecond)
}

// TakePackets takes n packets, as CountPackets counted them; false, and nothing taken, if the session has not so many left.
func (b *BatchBudget) AllowPackets(nowMS int64, n int) bool {
	b.refill(nowMS)
	return takeTokens(&b.packetsUsed, int64(n), PacketsPerSecond)
}

// refill gives back what the time since the last call has earned. A full bucket earns nothing.
func (b *BatchBudget) refill(nowMS int64) {
	passed := min(max(nowMS-b.refilledMS, 0), BudgetBurst*1000)
	b.batchesUsed = max(b.batchesUsed-passed*BatchesPerSecond, 0)
	b.packetsUsed = max(b.packetsUsed-passed*PacketsPerSecond, 0)
	b.refilledMS = nowMS
}

// takeTokens uses n tokens of a bucket if used, in thousandths, then stays within the burst.
func takeTokens(used *int64, n, perSecond int64) bool {
	if *used+n*1000 > perSecond*BudgetBurst*1000 {
		return false
	}
	*used += n * 1000
	return true
}
