//go:build !linux

package rcce

// sendSegmented: only Linux cuts bursts.
func (o *outbox) sendSegmented() bool {
	o.single = true
	return false
}
