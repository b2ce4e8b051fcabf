package cluster

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/truestep-io/truestep/proto/wire"
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
	markSize     = 3       // bytes of a mark or home, at least
)

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

func readHomes(r *wire.Reader) (list []home) {
	for range r.VarCount(markSize, math.MaxInt32) {
		list = append(list, home{sim.EntityID(r.VarU64()), mark{node: r.VarU64(), incarnation: r.VarU64()}})
	}
	return list
}

// parseBatch decodes a batch. It appends the intents to intents, which may be reused memory.
func parseBatch(b []byte, intents []sim.Intent) (t batch, err error) {
	r := wire.NewReader(b)
	r.CheckRange(r.U8() == batchVersion, "version")
	t.prev = r.U64()
	t.saved = sim.Tick(r.VarU64())
	for _, list := range []*[]mark{&t.gone, &t.chunks} {
		for range r.VarCount(markSize, math.MaxInt32) {
			*list = append(*list, mark{r.VarU64(), r.VarU64(), r.VarU64()})
		}
	}
	t.homes = readHomes(&r)
	if err := r.Err(); err != nil {
		return batch{}, fmt.Errorf("batch: %w", err)
	}
	t.intents, err = sim.ParseIntents(intents, r.Rest())
	return t, err
}
