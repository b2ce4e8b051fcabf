package cluster

import (
	"encoding/binary"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
)

// batch is the input of an area for one tick: intents, and news about nodes, such as which are declared dead. It is the content
// of one entry of the area's Raft log.
type batch struct {
	prev    uint64       // hash of the area's state before the tick; each node compares its own hash with this one
	saved   sim.Tick     // tick up to which the records of all frames are stored
	atMS    int64        // time of the tick by the clock of the leader, ms since 1970 UTC; may fall back when the leader changes
	gone    []mark       // incarnations of nodes that are declared dead in this tick
	chunks  []mark       // newest chunk of each node that has chunks in the batch
	homes   []home       // players who are connected through another node from this tick on; see homes
	intents []sim.Intent // intents that the tick executes, in this order

	size int // size of the chunks and arrivals in bytes, while the batch is made
}

// mark identifies a chunk of intents: the node that sent it, the incarnation (the run of that node), and the number of the chunk.
// seq is 0 if the mark identifies only an incarnation.
type mark struct{ node, incarnation, seq uint64 }

const (
	batchVersion = 2       // first byte of an encoded batch
	maxIntents   = 1 << 14 // maximum number of intents in a batch, apart from disconnects; further chunks and arrivals wait for the next one
	maxBatch     = 8 << 20 // maximum size of the chunks and arrivals in a batch in bytes: half of what an entry may have
	maxParsed    = 1 << 17 // maximum number of intents in a batch that is accepted: also a disconnect for each of 60,000 players
	maxHomes     = 1 << 17 // maximum number of homes in a batch, snapshot or message that is accepted
	maxMarks     = 1 << 10 // maximum number of marks in a list of a batch that is accepted
	markSize     = 3       // minimum size of an encoded mark or home, in bytes
	maxAtMS      = 1 << 47 // maximum time of a tick, ms since 1970: after the year 6000
)

// append appends the encoded batch to b. Numbers are uvarint unless noted:
//
//	version   1 byte
//	prev      hash of the state before the tick, 8 bytes, little endian
//	saved     newest tick whose player records, and those of all earlier ticks, are in the database
//	atMS      time of the tick, ms since 1970 UTC
//	gone      nodes declared dead: count; for each: node, incarnation, 0
//	chunks    newest chunk of each node: count; for each: node, incarnation, number of the chunk
//	homes     players connected through another node from now on: count; for each: player, node, incarnation
//	intents   as sim.AppendIntents encodes them
func (t *batch) append(b []byte) []byte {
	b = append(b, batchVersion)
	b = binary.LittleEndian.AppendUint64(b, t.prev)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(t.saved)), uint64(t.atMS))
	for _, list := range [][]mark{t.gone, t.chunks} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, m := range list {
			b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, m.node), m.incarnation), m.seq)
		}
	}
	b = appendHomes(b, t.homes)
	return sim.AppendIntents(b, t.intents)
}

// appendHomes appends a list of players and the nodes through which they are connected: the length of the list, and the player,
// node and incarnation of each element, all as uvarint.
func appendHomes(b []byte, list []home) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, h := range list {
		b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(h.who)), h.mark.node), h.mark.incarnation)
	}
	return b
}

// readHomes decodes a list that appendHomes has encoded: players, and the node through which each is connected.
func readHomes(r *wire.Reader) (list []home) {
	for range r.VarCount(markSize, maxHomes) {
		list = append(list, home{sim.EntityID(r.VarU64()), mark{node: r.VarU64(), incarnation: r.VarU64()}})
	}
	return list
}

// parseBatch decodes a batch. It appends the intents of the batch to the slice intents, so that a caller can reuse the memory of
// an earlier batch.
func parseBatch(b []byte, intents []sim.Intent) (t batch, err error) {
	r := wire.NewReader(b)
	r.CheckRange(r.U8() == batchVersion, "version")
	t.prev = r.U64()
	t.saved = sim.Tick(r.VarU64())
	at := r.VarU64()
	r.CheckRange(at <= maxAtMS, "time")
	t.atMS = int64(at)
	for _, list := range []*[]mark{&t.gone, &t.chunks} {
		for range r.VarCount(markSize, maxMarks) {
			*list = append(*list, mark{r.VarU64(), r.VarU64(), r.VarU64()})
		}
	}
	t.homes = readHomes(&r)
	if err := r.Err(); err != nil {
		return batch{}, fmt.Errorf("batch: %w", err)
	}
	t.intents, err = sim.ParseIntentsUpTo(intents, r.Rest(), maxParsed)
	return t, err
}
