package web

// SendRate is how many bytes per second a client is sent: snapshots with the headers of their packets, and control messages. Snapshots
// are as short as that needs. Source: web specification, section 12.
const SendRate = 20 << 10

// sendBurst is how many bytes a client may be sent beyond SendRate because less was sent before. Without it, the first snapshots of a
// run, which are coded against old states and therefore long, would leave actors out. While some are left out, each snapshot is longer,
// because its refresh is 1 (see nextRefresh), so that actors would be left out for ever.
const sendBurst = SendRate

// controlDebt is by how many bytes control messages, which cannot wait, may shorten later snapshots.
const controlDebt = SendRate / 4

// leastBudget is the shortest limit of a snapshot that Teller.Append accepts.
const leastBudget = 32

// Budget limits how many bytes a client is sent per second. It is a token bucket that is filled in each tick. The zero value limits
// nothing and must not be asked for a snapshot.
type Budget struct {
	rate    int    // ticks per second
	headers int    // bytes of headers of the packet with a snapshot
	tick    uint32 // of the last snapshot
	tokens  int    // bytes that may be sent, times rate; from -controlDebt*rate to sendBurst*rate
}

// NewBudget returns a full Budget. Snapshots are made at most at the given rate, each in a packet with so many bytes of headers.
func NewBudget(ticksPerSecond, headers int) Budget {
	return Budget{rate: ticksPerSecond, headers: headers, tokens: sendBurst * ticksPerSecond}
}

// Snapshot returns the maximum length of the snapshot at a tick. It is at least a quarter of what SendRate leaves for a snapshot in
// each tick, so that control messages do not keep snapshots from being sent.
func (b *Budget) Snapshot(tick uint32) int {
	ticks := int(min(tick-b.tick, uint32(b.rate)))
	b.tick = tick
	b.tokens = min(b.tokens+ticks*SendRate, sendBurst*b.rate)
	least := max((SendRate/b.rate-b.headers)/4, leastBudget)
	return min(max(b.tokens/b.rate-b.headers, least), MaxDatagram)
}

// AddSnapshot records that a snapshot was sent.
func (b *Budget) AddSnapshot(length int) { b.add(length + b.headers) }

// AddControl records that a control message was sent.
func (b *Budget) AddControl(length int) { b.add(length) }

func (b *Budget) add(bytes int) { b.tokens = max(b.tokens-bytes*b.rate, -controlDebt*b.rate) }
