package sim

import (
	"sort"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
)

// Append appends the encoding of the frame to b and returns the longer slice. It does not allocate if b has enough
// capacity. Decode reads the encoding, on any node that has the same world.
func (f *Frame) Append(b []byte) []byte {
	c := codec{b: b}
	c.frame(f, nil)
	return c.b
}

// Decode replaces the content of f by the decoded frame. The parameter b is read, not retained. The slices of f are reused. If f
// already has an actor's Body with the same Version, that Body is reused, so decoding successive frames into the same f allocates
// only for new bodies and events. Decode returns an error if the encoding has another version, is of another world, is damaged or
// has trailing bytes; then the content of f is undefined.
func (f *Frame) Decode(w *World, b []byte) error {
	c := codec{b: b, reading: true}
	c.frame(f, w)
	return c.end("the frame")
}

// resize returns a slice of n elements that reuses the memory of list. Elements within the capacity of list have their old
// values, further ones are zero.
func resize[T any](list []T, n int) []T {
	if n <= cap(list) {
		return list[:n]
	}
	return append(list[:cap(list)], make([]T, n-cap(list))...)
}

func (c *codec) frame(f *Frame, w *World) {
	c.version("frames")
	num(c, &f.Area)
	num(c, &f.Tick)
	num(c, &f.Hash)
	num(c, &f.Weather)
	n := c.lengthOf(len(f.Actors), 36) // an encoded actor has at least 36 bytes
	if c.reading {
		f.Actors = resize(f.Actors, n)
	}
	for i := range f.Actors {
		c.actorState(&f.Actors[i])
		if c.reading && (c.err != nil || i > 0 && f.Actors[i-1].ID >= f.Actors[i].ID) {
			c.fail()
			return
		}
	}
	c.frameFields(f, w)
	n = c.lengthOf(len(f.Ground), 15) // an encoded ground item has at least 15 bytes
	if c.reading {
		f.Ground = resize(f.Ground, n)
	}
	for i := range f.Ground {
		c.groundItem(&f.Ground[i])
	}
	n = c.lengthOf(len(f.Avatars), 64) // an encoded avatar has more than 64 bytes
	if c.reading {
		f.Avatars = resize(f.Avatars, n)
	}
	for i := range f.Avatars {
		p := &f.Avatars[i]
		num(c, &p.ID)
		num(c, &p.Prediction.Tick)
		codecAvatar(c, &p.Avatar)
		c.flag(&p.Prediction.TeleportPending)
		num(c, &p.Seat)
		num(c, &p.Prediction.RideSerial)
		c.activeEffects(&p.Prediction.Effects)
	}
	n = c.lengthOf(len(f.Vehicles), 64) // an encoded vehicle has more than 64 bytes
	if c.reading {
		f.Vehicles = resize(f.Vehicles, n)
	}
	for i := range f.Vehicles {
		num(c, &f.Vehicles[i].ID)
		c.vehicleFields(&f.Vehicles[i].Vehicle)
	}
	n = c.lengthOf(len(f.Events), 3) // the shortest event has 3 bytes
	if c.reading {
		clear(f.Events)
		f.Events = resize(f.Events, n)
	}
	for i := range f.Events {
		if c.reading {
			f.Events[i] = Event{}
		}
		c.event(&f.Events[i], w)
		if c.err != nil {
			return
		}
	}
}

// activeEffects reads or writes the effects of a player: first a bit mask of the active effects, then the data of each active
// effect.
func (c *codec) activeEffects(effects *[LastingEffects]ActiveEffect) {
	var m uint32
	for k := range effects {
		m |= bit(k, effects[k] != ActiveEffect{})
	}
	m = c.mask(m, int(LastingEffects))
	for k := range effects {
		e := &effects[k]
		if c.reading {
			*e = ActiveEffect{}
		}
		if m&bit(k, true) == 0 {
			continue
		}
		num(c, &e.Level)
		num(c, &e.Ticks)
		if c.reading && *e == (ActiveEffect{}) {
			c.fail()
		}
	}
}

// Bits of the presence mask of an encoded actor: which optional parts of its state follow.
const (
	stateDest = iota // bit of the fields DestX and DestZ
	stateMount
	stateTarget
	stateLeader
	stateParty
	stateEnergy
	stateTile // bit of the fields Tile, Gait and LastStep
	stateStep // bit of the field Motion.Step
	stateParts
)

func stateMask(s *ActorState) uint32 {
	return bit(stateDest, set(s.DestX, s.DestZ)) |
		bit(stateMount, s.Mount != 0) |
		bit(stateTarget, s.Target != 0) |
		bit(stateLeader, s.Leader != 0) |
		bit(stateParty, s.Party != 0) |
		bit(stateEnergy, s.Energy != 0) |
		bit(stateTile, s.Tile != move.Tile{} || s.Gait != 0 || s.LastStep) |
		bit(stateStep, setVec(s.Motion.Step))
}

func (c *codec) actorState(s *ActorState) {
	if c.reading {
		*s = ActorState{Body: s.Body}
	}
	num(c, &s.ID)
	m := c.mask(stateMask(s), stateParts)
	c.vec(&s.Pos)
	c.f32(&s.Yaw)
	num(c, &s.Health)
	num(c, &s.HealthMax)
	num(c, &s.Speed)
	num(c, &s.SpeedMax)
	num(c, &s.Flags)
	if m&bit(stateDest, true) != 0 {
		c.f32(&s.DestX, &s.DestZ)
	}
	if m&bit(stateMount, true) != 0 {
		num(c, &s.Mount)
	}
	if m&bit(stateTarget, true) != 0 {
		num(c, &s.Target)
	}
	if m&bit(stateLeader, true) != 0 {
		num(c, &s.Leader)
	}
	if m&bit(stateParty, true) != 0 {
		num(c, &s.Party)
	}
	if m&bit(stateEnergy, true) != 0 {
		num(c, &s.Energy)
	}
	if m&bit(stateTile, true) != 0 {
		num(c, &s.Tile.X)
		num(c, &s.Tile.Z)
		num(c, &s.Gait)
		c.flag(&s.LastStep)
	}
	if m&bit(stateStep, true) != 0 {
		c.vec(&s.Motion.Step)
	}
	c.f32(&s.Motion.WalkSpeed, &s.Motion.RunSpeed)
	num(c, &s.Motion.Mode)
	c.flag(&s.Motion.InAir, &s.Motion.FacesYaw, &s.Motion.OwnSpeed)
	if s.Flags&FlagLingering != 0 {
		num(c, &s.LingersUntil)
	}
	c.bodyOf(s)
	if c.reading && stateMask(s) != m {
		c.fail()
	}
}

// bodyOf reads or writes the Body of an actor: its version, the length of its fields in bytes, and its fields. A reader
// that already has a Body of this version skips the fields.
func (c *codec) bodyOf(s *ActorState) {
	if !c.reading {
		num(c, &s.Body.Version)
		length := c.reserveLength()
		c.body(s.Body)
		c.putLength(length)
		return
	}
	var version uint64
	num(c, &version)
	n := c.takeLength()
	if s.Body != nil && s.Body.Version == version {
		c.b = c.b[n:]
		return
	}
	b := &Body{Version: version}
	rest := c.b[n:]
	c.b = c.b[:n]
	c.body(b)
	if c.err != nil || len(c.b) != 0 || b.digest() != version {
		c.fail()
		return
	}
	c.b = rest
	s.Body = b
}

// reserveLength appends two bytes, which are reserved for a length, and returns the offset after them. The caller then appends
// its data and passes the offset to putLength, which writes the length of the data into the two bytes.
func (c *codec) reserveLength() int {
	c.b = append(c.b, 0, 0)
	return len(c.b)
}

// putLength writes the length of the data that begins at offset from into the two bytes before it, little-endian.
func (c *codec) putLength(from int) {
	n := len(c.b) - from
	c.b[from-2], c.b[from-1] = byte(n), byte(n>>8)
}

// takeLength reads a length of two bytes, little-endian. It is an error if fewer bytes follow than the length says.
func (c *codec) takeLength() int {
	if len(c.b) < 2 {
		c.fail()
		return 0
	}
	n := int(c.b[0]) | int(c.b[1])<<8
	c.b = c.b[2:]
	if n > len(c.b) {
		c.fail()
		return 0
	}
	return n
}

func (c *codec) body(b *Body) {
	num(c, &b.Template)
	c.str(&b.Name, &b.Tag)
	c.appearance(&b.Appearance)
	num(c, &b.Level)
	num(c, &b.XP)
	num(c, &b.Reputation)
	num(c, &b.HomeFaction)
	for i := range b.Equipment {
		num(c, &b.Equipment[i])
	}
	c.bytes(b.Ratings[:])
	num(c, &b.Character)
}

// UpdateVersion computes Version from the other fields. Call it after each change of a Body, before a frame contains the
// Body.
func (b *Body) UpdateVersion() { b.Version = b.digest() }

// digest returns the version of a Body: a hash of every field except Version.
func (b *Body) digest() uint64 {
	h := hash64(b.Template)
	h.str(b.Name)
	h.str(b.Tag)
	h.u64(uint64(b.Appearance.Gender) | uint64(b.Appearance.Face)<<8 | uint64(b.Appearance.Hair)<<16 | uint64(b.Appearance.Beard)<<24 | uint64(b.Appearance.Body)<<32)
	h.i32(b.Level, b.XP)
	h.i32(b.Reputation, int32(b.HomeFaction))
	for i := 0; i < len(b.Equipment); i += 2 {
		h.i32(int32(b.Equipment[i]), int32(b.Equipment[i+1]))
	}
	for i := 0; i < len(b.Ratings); i += 4 {
		r := b.Ratings[i : i+4]
		h.u64(uint64(r[0]) | uint64(r[1])<<8 | uint64(r[2])<<16 | uint64(r[3])<<24)
	}
	h.u64(uint64(b.Character))
	return uint64(h)
}

func (c *codec) groundItem(g *GroundItem) {
	num(c, &g.Handle)
	c.stack(&g.Stack)
	c.vec(&g.Pos)
	num(c, &g.Dropper)
}

// Bits of the presence mask of an encoded event: which optional fields follow.
const (
	eventHit = iota // bit of the fields Type and Ranged
	eventReason
	eventOther
	eventN
	eventValue
	eventPos
	eventFrom
	eventYaw
	eventAmounts // bit of the fields Asked and Allowed
	eventTo
	eventParty // bit of the fields Party and OldParty
	eventText
	eventProjectile
	eventGround
	eventJoin
	eventRecord
	eventRewind
	eventAgo
	eventArgs
	eventParts
)

func eventMask(e *Event) uint32 {
	return bit(eventHit, e.Type != 0 || e.Ranged) |
		bit(eventReason, e.Reason != 0) |
		bit(eventOther, e.Other != 0) |
		bit(eventN, e.N != 0) |
		bit(eventValue, e.Value != 0) |
		bit(eventPos, setVec(e.Pos)) |
		bit(eventFrom, setVec(e.From)) |
		bit(eventYaw, set(e.Yaw)) |
		bit(eventAmounts, set(e.Asked, e.Allowed)) |
		bit(eventTo, e.To != 0) |
		bit(eventParty, e.Party != 0 || e.OldParty != 0) |
		bit(eventText, e.Text != "") |
		bit(eventProjectile, e.Projectile != nil) |
		bit(eventGround, e.Ground.Handle != 0) |
		bit(eventJoin, e.Join != nil) |
		bit(eventRecord, e.Record != nil) |
		bit(eventRewind, e.Rewind != nil) |
		bit(eventAgo, e.AgoMS != 0) |
		bit(eventArgs, e.Args != nil)
}

func (c *codec) event(e *Event, w *World) {
	num(c, &e.Kind)
	num(c, &e.Who)
	m := c.mask(eventMask(e), eventParts)
	if m&bit(eventHit, true) != 0 {
		num(c, &e.Type)
		c.flag(&e.Ranged)
	}
	if m&bit(eventReason, true) != 0 {
		c.reason(&e.Reason)
	}
	if m&bit(eventOther, true) != 0 {
		num(c, &e.Other)
	}
	if m&bit(eventN, true) != 0 {
		num(c, &e.N)
	}
	if m&bit(eventValue, true) != 0 {
		num(c, &e.Value)
	}
	if m&bit(eventPos, true) != 0 {
		c.vec(&e.Pos)
	}
	if m&bit(eventFrom, true) != 0 {
		c.vec(&e.From)
	}
	if m&bit(eventYaw, true) != 0 {
		c.f32(&e.Yaw)
	}
	if m&bit(eventAmounts, true) != 0 {
		c.f32(&e.Asked, &e.Allowed)
	}
	if m&bit(eventTo, true) != 0 {
		num(c, &e.To)
	}
	if m&bit(eventParty, true) != 0 {
		num(c, &e.Party)
		num(c, &e.OldParty)
	}
	if m&bit(eventText, true) != 0 {
		c.str(&e.Text)
	}
	if m&bit(eventProjectile, true) != 0 {
		c.projectile(&e.Projectile, w)
	}
	if m&bit(eventGround, true) != 0 {
		c.groundItem(&e.Ground)
	}
	if m&bit(eventJoin, true) != 0 {
		if c.reading {
			e.Join = &Join{}
		}
		c.join(e.Join)
	}
	if m&bit(eventRecord, true) != 0 {
		if c.reading {
			e.Record = &Character{}
		}
		c.character(e.Record)
	}
	if m&bit(eventRewind, true) != 0 {
		if c.reading {
			e.Rewind = &Rewind{}
		}
		c.rewind(e.Rewind)
	}
	if m&bit(eventAgo, true) != 0 {
		num(c, &e.AgoMS)
	}
	if m&bit(eventArgs, true) != 0 {
		c.gameArgs(&e.Args)
	}
	if c.reading && eventMask(e) != m {
		c.fail()
	}
}

// projectile reads or writes a projectile of the world as its id. Reading an unknown id is an error.
func (c *codec) projectile(p **combat.Projectile, w *World) {
	var id uint16
	if !c.reading {
		id = (*p).ID
	}
	num(c, &id)
	if !c.reading {
		return
	}
	i, ok := sort.Find(len(w.Projectiles), func(i int) int { return int(id) - int(w.Projectiles[i].ID) })
	if !ok {
		c.fail()
		return
	}
	*p = &w.Projectiles[i]
}

func (c *codec) rewind(r *Rewind) {
	num(c, &r.Tick)
	num(c, &r.Serial)
	codecAvatar(c, &r.State)
	c.vec(&r.Claimed, &r.Velocity)
	c.f32(&r.Distance)
	num(c, &r.RTT)
	c.vehicleValue(&r.Vehicle)
}
