package cluster

import (
	"encoding/binary"
	"fmt"

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

// chunk is a numbered group of the intents that a node submits to an area.
type chunk struct {
	mark
	intents []sim.Intent
}

// appendChunk appends a message of kind kindChunk to b, which contains chunk c.
func appendChunk(b []byte, area sim.AreaID, c *chunk) []byte {
	b = binary.AppendUvarint(b, uint64(area))
	b = binary.AppendUvarint(binary.AppendUvarint(b, c.incarnation), c.seq)
	return sim.AppendIntents(b, c.intents)
}

// parseChunk decodes a kindChunk message from a node. The parameter b is the message without the index of the area.
func parseChunk(b []byte, node uint64) (c chunk, err error) {
	r := wire.NewReader(b)
	c.mark = mark{node, r.VarU64(), r.VarU64()}
	r.CheckRange(c.incarnation > 0 && c.seq > 0, "number")
	if err := r.Err(); err != nil {
		return chunk{}, fmt.Errorf("chunk: %w", err)
	}
	c.intents, err = sim.ParseIntents(nil, r.Rest())
	return c, err
}

// appendIntent appends a message that has one intent for an area.
func appendIntent(b []byte, area sim.AreaID, in sim.Intent) []byte {
	return sim.AppendIntents(binary.AppendUvarint(b, uint64(area)), []sim.Intent{in})
}

// parseIntent decodes a message that must have exactly one intent, of the given kind. The parameter b is the message without the
// index of the area.
func parseIntent(b []byte, kind sim.IntentKind) (sim.Intent, error) {
	list, err := sim.ParseIntents(nil, b)
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
}

// appendArrival appends a message of kind kindArrive to b, which contains player a.
func appendArrival(b []byte, area sim.AreaID, a *arrival) []byte {
	return sim.AppendIntents(appendHomes(binary.AppendUvarint(b, uint64(area)), a.homes), []sim.Intent{a.join})
}

// parseArrival decodes a kindArrive message. The parameter b is the message without the index of the area.
func parseArrival(b []byte) (a arrival, err error) {
	r := wire.NewReader(b)
	a.homes = readHomes(&r)
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
