package cluster

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
)

// Kinds of messages on a link. Package link uses the kinds below 16. Each message begins with the index of an area (uvarint),
// except kindNode, kindQuestion and kindAnswer.
const (
	kindRaft   = 16 + iota // a Raft message, as replica.AppendMessage encodes it
	kindChunk              // to the leader: intents of the sending node: incarnation and chunk number (uvarint), intents
	kindArrive             // to the leader: a player from another area: its connection's node, if known (appendHomes), and the join intent
	kindSettle             // to the leader: players of the area have arrived in another one: the settle intent
	kindLost               // to the leader: the sending node has lost a part of its log; no further content
	kindNode               // to all nodes, once a second: the state of the sending node; see the type news

	kindQuestion // to one node: a question; see Host.Ask
	kindAnswer   // to the node that has sent a question: its answer
	kindHash     // to all nodes, while states differ: the hash of the sender's state; see the type dispute
)

// Limits of messages about intents and players, so that a hostile node cannot make the others allocate much memory. Links accept messages
// of up to link.MaxBody bytes.
const (
	maxChunk  = 1 << 20  // maximum size of a message with a chunk or an arrival in bytes, without the index of the area
	maxSettle = 64       // maximum size of a message with a settlement in bytes, likewise
	maxQueued = 32 << 20 // maximum memory in bytes of the chunks of a node that wait in an area; further ones are sent again
	intentMem = int(unsafe.Sizeof(sim.Intent{}))
)

// chunk is a numbered group of the intents that a node submits to an area.
type chunk struct {
	mark
	intents []sim.Intent
	size    int // size of the encoded chunk in bytes, without the index of the area
}

// memory returns about how much memory the chunk takes, in bytes.
func (c *chunk) memory() int { return c.size + len(c.intents)*intentMem }

// appendChunk appends a message of kind kindChunk to b, which contains chunk c.
func appendChunk(b []byte, area sim.AreaID, c *chunk) []byte {
	return c.append(binary.AppendUvarint(b, uint64(area)))
}

// append appends the chunk to b as in a message, without the index of the area.
func (c *chunk) append(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, c.incarnation), c.seq)
	return sim.AppendIntents(b, c.intents)
}

// parseChunk decodes a kindChunk message from a node. The parameter b is the message without the index of the area.
func parseChunk(b []byte, node uint64) (c chunk, err error) {
	r := wire.NewReader(b)
	r.CheckRange(len(b) <= maxChunk, "size")
	c.mark, c.size = mark{node, r.VarU64(), r.VarU64()}, len(b)
	r.CheckRange(c.incarnation > 0 && c.seq > 0, "number")
	if err := r.Err(); err != nil {
		return chunk{}, fmt.Errorf("chunk: %w", err)
	}
	if c.intents, err = sim.ParseIntentsUpTo(nil, r.Rest(), maxIntents); err == nil {
		err = c.check()
	}
	if err != nil {
		return chunk{}, fmt.Errorf("chunk: %w", err)
	}
	return c, nil
}

// check returns an error in two cases: (1) The chunk has an arrival from another area, or a confirmation of arrivals. No node submits such
// intents, and an area executes them unchecked, because those of kindArrive and kindSettle are compared with the other area. (2) A player
// has more intents in the chunk than a batch may have. Such a chunk would wait forever.
func (c *chunk) check() error {
	counts := map[sim.EntityID]int{}
	for i := range c.intents {
		in := &c.intents[i]
		if in.Kind == sim.IntentSettle || in.Join != nil && in.Join.Seq > 0 {
			return fmt.Errorf("intent %d is of an area, not of a node: %w", i, wire.ErrRange)
		}
		if in.Kind.IsOfServer() || len(c.intents) <= sim.MaxIntentsPerTick {
			continue
		}
		if counts[in.Who]++; counts[in.Who] > sim.MaxIntentsPerTick {
			return fmt.Errorf("the player %d has more than %d intents: %w", in.Who, sim.MaxIntentsPerTick, wire.ErrRange)
		}
	}
	return nil
}

// appendIntent appends a message that has one intent for an area.
func appendIntent(b []byte, area sim.AreaID, in sim.Intent) []byte {
	return sim.AppendIntents(binary.AppendUvarint(b, uint64(area)), []sim.Intent{in})
}

// parseIntent decodes a message that must have exactly one intent, of the given kind. The parameter b is the message without the
// index of the area.
func parseIntent(b []byte, kind sim.IntentKind) (sim.Intent, error) {
	list, err := sim.ParseIntentsUpTo(nil, b, 1)
	if err != nil {
		return sim.Intent{}, err
	}
	if len(list) != 1 || list[0].Kind != kind || kind == sim.IntentJoin && (list[0].Join == nil || list[0].Join.Seq == 0) {
		return sim.Intent{}, fmt.Errorf("the message must contain exactly one intent, of kind %d: %w", kind, wire.ErrRange)
	}
	return list[0], nil
}

// arrival is a player that comes from another area.
type arrival struct {
	join  sim.Intent // join intent of the arriving player
	homes []home     // node through which the player is connected; empty if that is the node that created it
	size  int        // size of the message in bytes, without the index of the area; 0 if the arrival is from this node's copy of the other area
}

// appendArrival appends a message of kind kindArrive to b, which contains player a.
func appendArrival(b []byte, area sim.AreaID, a *arrival) []byte {
	return sim.AppendIntents(appendHomes(binary.AppendUvarint(b, uint64(area)), a.homes), []sim.Intent{a.join})
}

// parseArrival decodes a kindArrive message. The parameter b is the message without the index of the area.
func parseArrival(b []byte) (a arrival, err error) {
	r := wire.NewReader(b)
	r.CheckRange(len(b) <= maxChunk, "size")
	a.homes, a.size = readHomes(&r), len(b)
	if err := r.Err(); err != nil {
		return arrival{}, fmt.Errorf("decode the home node of an arriving player: %w", err)
	}
	a.join, err = parseIntent(r.Rest(), sim.IntentJoin)
	if err == nil && (len(a.homes) > 1 || len(a.homes) == 1 && a.homes[0].who != a.join.Who) {
		err = fmt.Errorf("the home nodes in the message are not those of the one arriving player: %w", wire.ErrRange)
	}
	return a, err
}

// splitArea splits a message into the area that it is for and the rest. The parameter areas is the number of areas of the world.
func splitArea(b []byte, areas int) (a sim.AreaID, rest []byte, err error) {
	r := wire.NewReader(b)
	n := r.VarU64()
	r.CheckRange(n < uint64(areas), "area")
	return sim.AreaID(n), r.Rest(), r.Err()
}
