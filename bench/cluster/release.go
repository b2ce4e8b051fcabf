//go:build linux

package main

import (
	"encoding/binary"
	"io"
	"sync"
)

// release is the message that an area's leader sends to the measuring program when it releases the frame of a tick.
type release struct {
	area     uint32
	node     uint32 // the leader
	term     uint64 // Raft term of the leader, or epoch of the pair
	tick     uint64
	hash     uint64 // hash of the area's state after the tick
	sealed   int64  // ns of now() at which the leader sealed the batch of intents; 0 if another node sealed it
	agreed   int64  // ns of now() at which the nodes had agreed on the batch
	released int64  // ns of now() at which the frame was released
	step     int64  // duration of the step in ns
}

const releaseSize = 64 // bytes of an encoded release

func (r *release) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(le.AppendUint32(b, r.area), r.node)
	for _, v := range [...]uint64{r.term, r.tick, r.hash, uint64(r.sealed), uint64(r.agreed), uint64(r.released), uint64(r.step)} {
		b = le.AppendUint64(b, v)
	}
	return b
}

func parseRelease(b *[releaseSize]byte) release {
	le := binary.LittleEndian
	at := func(i int) uint64 { return le.Uint64(b[8+8*i:]) }
	return release{le.Uint32(b[:]), le.Uint32(b[4:]), at(0), at(1), at(2), int64(at(3)), int64(at(4)), int64(at(5)), int64(at(6))}
}

// observer sends the releases of a node to the measuring program.
type observer struct {
	mu   sync.Mutex
	buf  []byte
	wake chan struct{}
}

func newObserver(w io.Writer) *observer {
	o := &observer{wake: make(chan struct{}, 1)}
	go func() {
		var spare []byte
		for range o.wake {
			o.mu.Lock()
			b := o.buf
			o.buf = spare[:0]
			o.mu.Unlock()
			_, _ = w.Write(b) // the end of the run closes the connection
			spare = b
		}
	}()
	return o
}

func (o *observer) add(r *release) {
	o.mu.Lock()
	o.buf = r.append(o.buf)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}
