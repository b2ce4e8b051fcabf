package web

// SendRate is the maximum number of bytes per second that are sent to one client: snapshots with the headers of their packets, and
// control messages. The length of snapshots is limited accordingly. Source: web specification, section 12.
const SendRate = 20 << 10

// sendBurst is the number of bytes that may be sent to a client beyond SendRate after a time in which less was sent. It gives room to
// the first snapshots of a run, which are long because they are coded against old states. Otherwise they would leave actors out. Then
// the refresh is 1 (see nextRefresh), which makes the next snapshot longer, and actors would be left out for ever.
const sendBurst = SendRate

// controlDebt is the maximum number of bytes by which control messages, which cannot wait, may shorten later snapshots.
const controlDebt = SendRate / 4

// leastBudget is the smallest value of the parameter budget that Teller.Append accepts, in bytes.
const leastBudget = 32

// Budget limits how many bytes are sent to a client per second. It is a token bucket that is filled in each tick. The zero value limits
// nothing; its method Snapshot must not be called.
type Budget struct {
	rate    int    // ticks per second
	headers int    // bytes of the headers of a packet that contains a snapshot
	tick    uint32 // tick of the last snapshot
	tokens  int    // number of bytes that may be sent, multiplied by rate: -controlDebt*rate..sendBurst*rate
}

// NewBudget returns a full Budget for at most one snapshot per tick. The parameter headers is the number of bytes of the headers of the
// packet that contains a snapshot.
func NewBudget(ticksPerSecond, headers int) Budget {
	return Budget{rate: ticksPerSecond, headers: headers, tokens: sendBurst * ticksPerSecond}
}

// Snapshot returns the maximum length in bytes of the snapshot at a tick. The result is never less than a quarter of a tick's share of
// SendRate, so that control messages do not prevent snapshots.
func (b *Budget) Snapshot(tick uint32) int {
	ticks := int(min(tick-b.tick, uint32(b.rate)))
	b.tick = tick
	b.tokens = min(b.tokens+ticks*SendRate, sendBurst*b.rate)
	least := max((SendRate/b.rate-b.headers)/4, leastBudget)
	return min(max(b.tokens/b.rate-b.headers, least), MaxDatagram)
}

// AddSnapshot records that a snapshot of the given length in bytes was sent.
func (b *Budget) AddSnapshot(length int) { b.add(length + b.headers) }

// AddControl records that a control message of the given length in bytes was sent.
func (b *Budget) AddControl(length int) { b.add(length) }

func (b *Budget) add(bytes int) { b.tokens = max(b.tokens-bytes*b.rate, -controlDebt*b.rate) }
