package cluster

import (
	"encoding/binary"
	"errors"

	"github.com/truestep-io/truestep/sim"
)

// batch is the content of an entry of the log of an area: the input of one tick.
type batch struct {
	prev    uint64   // hash of the state before the tick
	saved   sim.Tick // records of all frames up to that tick are stored
	gone    []mark   // incarnations that are gone from this tick on
	chunks  []mark   // the newest chunk of each node that the batch contains
	homes   []home   // players that come with another home, see homes
	intents []sim.Intent
}

// mark names an incarnation of a node, and the number of one of its chunks.
type mark struct{ node, incarnation, seq uint64 }

const (
	batchVersion = 1
	maxIntents   = 1 << 14 // intents of one batch; further chunks wait for the next
)

var errDamaged = errors.New("the message is cut short or damaged")

// append appends the encoding: the version, the hash (8 bytes little endian), saved, the gone incarnations, the chunks, each as
// their number and node, incarnation and number of the chunk (0 if gone), the homes as their number and player, node and incarnation, and the
// intents as sim.AppendIntents. Numbers are uvarint.
func (t *batch) append(b []byte) []byte {
	b = append(b, batchVersion)
	b = binary.LittleEndian.AppendUint64(b, t.prev)
	b = binary.AppendUvarint(b, uint64(t.saved))
	for _, list := range [][]mark{t.gone, t.chunks} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, m := range list {
			b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, m.node), m.incarnation), m.seq)
		}
	}
	b = appendHomes(b, t.homes)
	return sim.AppendIntents(b, t.intents)
}

func appendHomes(b []byte, list []home) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, h := range list {
		b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(h.who)), h.mark.node), h.mark.incarnation)
	}
	return b
}

func (r *reader) homes() (list []home) {
	for range r.count() {
		list = append(list, home{sim.EntityID(r.uint()), mark{node: r.uint(), incarnation: r.uint()}})
	}
	return list
}

// parseBatch decodes a batch. It appends the intents to intents, which may be reused memory.
func parseBatch(b []byte, intents []sim.Intent) (t batch, err error) {
	r := reader{b}
	if r.byte() != batchVersion {
		return t, errDamaged
	}
	t.prev = r.fixed()
	t.saved = sim.Tick(r.uint())
	for _, list := range []*[]mark{&t.gone, &t.chunks} {
		for range r.count() {
			*list = append(*list, mark{r.uint(), r.uint(), r.uint()})
		}
	}
	t.homes = r.homes()
	if r.b == nil {
		return batch{}, errDamaged
	}
	t.intents, err = sim.ParseIntents(intents, r.b)
	return t, err
}

// reader reads the parts of a message. After a failure b is nil, and it returns zeros.
type reader struct{ b []byte }

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.b = nil
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *reader) fixed() uint64 {
	if len(r.b) < 8 {
		r.b = nil
		return 0
	}
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

// uint reads a uvarint in its shortest form.
func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || n > 1 && r.b[n-1] == 0 {
		r.b = nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads a number of items, each of which takes at least three bytes.
func (r *reader) count() uint64 {
	n := r.uint()
	if n > uint64(len(r.b))/3 {
		r.b = nil
		return 0
	}
	return n
}
