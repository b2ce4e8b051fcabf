package raknet

import "testing"

// Rule RK-13 of docs/wire/bedrock.md: the first part of a split message states the number of parts. If there are too many, the
// message is dropped at its first part and holds no memory.
func TestMessageOfTooManyPartsIsDropped(t *testing.T) {
	for count, want := range map[uint32]int{0: 0, 1: 0, 2: 1, 512: 1, 513: 0, 1 << 20: 0, 1<<32 - 1: 0} {
		r := connectedRaw(t)
		r.frames(frame{kind: Reliable, split: true, count: count, index: 0, id: 7, message: r.message, body: user("part")})
		r.advance(10)
		if len(r.peer.splits) != want || (want == 0) != (r.s.heldBytes == 0) {
			t.Errorf("count %d: %d splits, %d bytes held", count, len(r.peer.splits), r.s.heldBytes)
		}
		if bad := r.s.Stats().BadFrames; (bad == 1) != (count < 1 || count > 512) {
			t.Errorf("count %d: %d bad frames", count, bad)
		}
	}
}

// Rule RK-12 of docs/wire/bedrock.md: no setting raises the number of datagrams in flight above the smallest receive
// window of any client.
func TestConfigCannotRaiseMaxInFlightAbove192(t *testing.T) {
	for set, want := range map[int]int{0: 192, 1: 1, 100: 100, 192: 192, 193: 192, 100_000: 192, -5: 1} {
		if got := (Limits{MaxInFlight: set}).withDefaults().MaxInFlight; got != want {
			t.Errorf("%d: %d in flight, want %d", set, got, want)
		}
	}
}
