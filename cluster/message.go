package cluster

import (
	"encoding/binary"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
)

// Kinds of messages on a link. Package link uses those below 16. Each begins with the index of an area (uvarint), except kindNode.
const (
	kindRaft   = 16 + iota // a message of replica.AppendMessage
	kindChunk              // intents of the sending node for the lead: incarnation, number (uvarint), intents
	kindArrive             // a player that left another area, for the lead: its home, if it has one, as homes, and the join, as intents
	kindSettle             // players have arrived in another area, for the lead: the settlement, as intents
	kindLost               // for the lead: this node has lost a part of its log, and the lead must not count on it: nothing
	kindNode               // once a second, about the sending node: see news
)

// chunk is a numbered piece of the intents that a node submits to an area.
type chunk struct {
	mark
	intents []sim.Intent
}

func appendChunk(b []byte, area sim.AreaID, c *chunk) []byte {
	b = binary.AppendUvarint(b, uint64(area))
	b = binary.AppendUvarint(binary.AppendUvarint(b, c.incarnation), c.seq)
	return sim.AppendIntents(b, c.intents)
}

// parseChunk decodes what follows the area.
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

func appendIntent(b []byte, area sim.AreaID, in sim.Intent) []byte {
	return sim.AppendIntents(binary.AppendUvarint(b, uint64(area)), []sim.Intent{in})
}

// parseIntent decodes the only intent of a message of that kind.
func parseIntent(b []byte, kind sim.IntentKind) (sim.Intent, error) {
	list, err := sim.ParseIntents(nil, b)
	if err != nil {
		return sim.Intent{}, err
	}
	if len(list) != 1 || list[0].Kind != kind || kind == sim.IntentJoin && (list[0].Join == nil || list[0].Join.Seq == 0) {
		return sim.Intent{}, fmt.Errorf("intents: %w", wire.ErrRange)
	}
	return list[0], nil
}

// arrival is a player that comes from another area.
type arrival struct {
	join  sim.Intent
	homes []home // its home, if it has one
}

func appendArrival(b []byte, area sim.AreaID, a *arrival) []byte {
	return sim.AppendIntents(appendHomes(binary.AppendUvarint(b, uint64(area)), a.homes), []sim.Intent{a.join})
}

// parseArrival decodes what follows the area.
func parseArrival(b []byte) (a arrival, err error) {
	r := wire.NewReader(b)
	a.homes = readHomes(&r)
	if err := r.Err(); err != nil {
		return arrival{}, fmt.Errorf("homes: %w", err)
	}
	a.join, err = parseIntent(r.Rest(), sim.IntentJoin)
	if err == nil && (len(a.homes) > 1 || len(a.homes) == 1 && a.homes[0].who != a.join.Who) {
		err = fmt.Errorf("homes: %w", wire.ErrRange)
	}
	return a, err
}

// splitArea returns the area that a message is for.
func splitArea(b []byte, areas int) (a sim.AreaID, rest []byte, err error) {
	r := wire.NewReader(b)
	n := r.VarU64()
	r.CheckRange(n < uint64(areas), "area")
	return sim.AreaID(n), r.Rest(), r.Err()
}
