package rcce

import (
	"slices"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

const (
	claimInterval = 200 * time.Millisecond // interval between claims of the RealmCrafter client (docs/wire/rcce.md 3.4)

	// snapDistance is the distance in units from all recent predicted positions above which the client adopts the position that
	// the server sends. Smaller differences are normal: while claims are missing, the server continues a walk for up to half a
	// second, in which a running player moves 45 units. The value was chosen without measurements.
	snapDistance = 60

	// trailLength is the number of positions in the trail: those of the latest claims, from 6.4 s of walking. A position from the
	// server is compared with the trail, because it may be that old on a bad connection, or after this process or the server was
	// suspended.
	trailLength = 32

	// maxStep is the maximum time that one step of a walk simulates. While this process stalls, the server continues the walk.
	// After a stall longer than maxStep, the client therefore adopts the server's position.
	maxStep = 2 * time.Second

	lastStep = 0.5 // distance in units on each axis at which a walk ends, as in move.WalkToward
)

// localBody is the predicted position and walk of the client's own actor. The client predicts the walk by the server's rules and
// sends the resulting positions to the server. Each such StandardUpdate is called a claim.
type localBody struct {
	pos     geom.Vec  // predicted position in units
	dest    geom.Vec  // destination of the walk; Y is not used
	running bool      // the walk is a run
	walking bool      // a walk is in progress
	unsent  bool      // the position has changed since it was last sent
	at      time.Time // time of the last step of the walk
	claimed time.Time // time of the last claim

	trail  [trailLength]geom.Vec // positions of the last claims since placeAt; claim n is at n % trailLength
	claims int                   // number of claims since placeAt
}

// placeAt sets the predicted position, ends the walk and forgets the positions of earlier claims.
func (b *localBody) placeAt(at geom.Vec) {
	b.pos, b.dest, b.walking, b.running, b.unsent, b.claims = at, at, false, false, false, 0
}

// wasNear reports whether the point "at" is within snapDistance of the predicted position or of the position in one of the last
// claims.
func (b *localBody) wasNear(at geom.Vec) bool {
	near := func(p geom.Vec) bool { return geom.DistXZ(p, at) <= snapDistance }
	return near(b.pos) || slices.ContainsFunc(b.trail[:min(b.claims, trailLength)], near)
}

// act advances the walk and calls the behaviour. Then it sends the predicted position to the server, if this has changed and at
// least claimInterval has passed since the last time.
func (c *Client) act(now time.Time) {
	elapsed := min(now.Sub(c.body.at), maxStep)
	c.body.at = now
	if c.world.Self.Dead() {
		return
	}
	c.walk(elapsed)
	c.play.Act(&Player{c: c, now: now})
	if b := &c.body; b.unsent && now.Sub(b.claimed) >= claimInterval {
		b.claimed = now
		b.unsent = b.walking
		c.claim()
	}
}

func (c *Client) walk(elapsed time.Duration) {
	b := &c.body
	if !b.walking {
		return
	}
	b.running = b.running && c.world.Self.Energy != 0 // without energy the server moves the actor at a walk
	units := float32(c.world.Self.pace(b.running) * float32(elapsed.Seconds()))
	b.pos = move.WalkToward(b.pos, b.dest.X, b.dest.Z, units, move.Euclidean)
	if geom.Abs(b.dest.X-b.pos.X) <= lastStep && geom.Abs(b.dest.Z-b.pos.Z) <= lastStep {
		b.walking = false
	}
	b.unsent = true
}

// claim sends the predicted position to the server in a StandardUpdate. If ENet's send queue is full, the packet is dropped.
func (c *Client) claim() {
	b := &c.body
	b.trail[b.claims%trailLength] = b.pos
	b.claims++
	c.scratch = proto.StandardUpdateRequest{
		DestX: b.dest.X, DestZ: b.dest.Z, Y: b.pos.Y, X: b.pos.X, Z: b.pos.Z, IsRunning: proto.FlagByte(b.running),
	}.Append(c.scratch[:0])
	if c.link.peer.SendUnreliable(channelUnreliable, c.scratch) == nil {
		c.counts.Claims++
	}
}
