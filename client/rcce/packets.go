package rcce

import (
	"errors"
	"fmt"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// handleMessage handles one message of the server, which begins with the type byte. The caller may reuse data afterwards.
func (c *Client) handleMessage(data []byte) {
	if len(data) == 0 {
		return // empty messages are ignored (docs/wire/rcce.md 1.6)
	}
	if proto.PacketType(data[0]) == proto.TypeStandardUpdate { // the most frequent packet takes a path without allocation
		if !c.handleUpdate(data, c.link.at) {
			c.countBad(fmt.Errorf("StandardUpdate message has %d bytes; must have 23, 25 or 27", len(data)))
		}
		return
	}
	c.counts.Packets++
	p, err := proto.ParseS2C(data)
	switch {
	case errors.Is(err, proto.ErrUnparsed):
		c.counts.Ignored++
	case err != nil:
		c.countBad(fmt.Errorf("%w; the message begins with the bytes % x", err, data[:min(len(data), 32)]))
	default:
		c.handlePacket(p)
		if c.opt.Packet != nil {
			c.opt.Packet(p)
		}
		if c.expect != nil && !c.answered {
			c.answered = c.expect(p)
		}
	}
}

func (c *Client) countBad(err error) {
	c.counts.Bad++
	if c.firstBad == nil {
		c.firstBad = err
	}
}

// handlePacket applies a packet of the server to the client's world, its predicted position and its counters.
func (c *Client) handlePacket(p proto.Packet) {
	w := &c.world
	c.classifyReposition(p)
	switch p := p.(type) {
	case proto.ChangeArea:
		c.changeArea(p)
	case proto.StartGameActor:
		w.Self.RuntimeID = p.RuntimeID
	case proto.FetchCharacterSheet:
		c.applySheet(&p)
	case proto.NewActor:
		c.newActor(&p)
	case proto.ActorGone:
		w.removeActor(p.RuntimeID)
	case proto.ActorDead:
		if p.HasKiller && p.Killer == w.Self.RuntimeID {
			c.counts.Kills++
		}
		w.removeActor(p.Dead)
	case proto.RepositionActor:
		c.reposition(&p)
	case proto.StatUpdate:
		c.applyStat(&p)
	case proto.AttackActor:
		c.handleAttack(&p)
	case proto.XPUpdate:
		if p.Sub == proto.XPGained {
			c.counts.XP += uint64(max(0, p.Value))
		}
	case proto.NameChange:
		if int(p.RuntimeID) < len(w.infos) {
			w.infos[p.RuntimeID].name = p.Name
		}
	case proto.ChatMessage:
		c.counts.ChatLines++
		if c.opt.Chat != nil {
			c.opt.Chat(p.Text)
		}
	case proto.KickedPlayer:
		c.kicked = true
	}
}

func (c *Client) changeArea(p proto.ChangeArea) {
	w := &c.world
	if w.Handle != 0 {
		c.counts.Areas++
	}
	w.removeAll()
	w.Area, w.Handle, w.PvP = p.Name, p.Area, p.PvP != 0
	w.Self.Pos, w.Self.Mount, w.Self.Updates = geom.Vec{X: p.X, Y: p.Y, Z: p.Z}, 0, 0
	c.body.placeAt(w.Self.Pos)
}

// applySheet sets the health and the speed of the own actor from the packet FetchCharacterSheet.
func (c *Client) applySheet(p *proto.FetchCharacterSheet) {
	self := &c.world.Self
	if a := p.Attributes[c.opt.HealthAttribute]; a.Max > 0 {
		self.Health, self.HealthMax = int(a.Value), int(a.Max)
	}
	if a := p.Attributes[c.opt.SpeedAttribute]; a.Max > 0 {
		self.Speed, self.SpeedMax = int(a.Value), int(a.Max)
	}
}

func (c *Client) newActor(p *proto.NewActor) {
	w := &c.world
	if p.Area != w.Handle {
		return // game clients ignore actors of another area
	}
	if p.RuntimeID == w.Self.RuntimeID {
		w.Self.Health, w.Self.HealthMax = int(p.Health), int(p.HealthMax)
		w.Self.Speed, w.Self.SpeedMax = int(p.Speed), int(p.SpeedMax)
		return
	}
	t, f := w.addActor(p.RuntimeID)
	t.x, t.z, t.destX, t.destZ = p.X, p.Z, p.X, p.Z
	f.name, f.y = p.Name, p.Y
	f.health, f.healthMax = int32(p.Health), int32(p.HealthMax)
	f.level, f.template, f.player = p.Level, p.Template, p.IsPlayer != 0
}

// reposition moves an actor as the server orders. It counts a move of the own actor as a correction, until classifyReposition
// finds that it was a respawn or teleport.
func (c *Client) reposition(p *proto.RepositionActor) {
	w := &c.world
	if p.Sub != proto.RepositionMove {
		return
	}
	if p.RuntimeID != w.Self.RuntimeID {
		if int(p.RuntimeID) < len(w.tracks) && w.tracks[p.RuntimeID].known {
			t := &w.tracks[p.RuntimeID]
			t.x, t.z = p.X, p.Z
			w.infos[p.RuntimeID].y = p.Y
		}
		return
	}
	w.Self.Pos = geom.Vec{X: p.X, Y: p.Y, Z: p.Z}
	c.body.placeAt(w.Self.Pos)
	c.counts.Corrections++
	c.mayBeWarp = true
}

// classifyReposition decides whether the last move of the own actor by the server was a correction or a warp, that is, a respawn
// or teleport. The parameter p is the packet after the move. After a warp, and only then, this packet turns the own actor.
func (c *Client) classifyReposition(p proto.Packet) {
	if !c.mayBeWarp {
		return
	}
	c.mayBeWarp = false
	if r, ok := p.(proto.RepositionActor); ok && r.Sub == proto.RepositionRotate && r.RuntimeID == c.world.Self.RuntimeID {
		c.counts.Corrections -= min(1, c.counts.Corrections) // Corrections is 0 if ResetStats was called in between
		c.counts.Warps++
	}
}

func (c *Client) applyStat(p *proto.StatUpdate) {
	w := &c.world
	health, speed := int(p.Attribute) == c.opt.HealthAttribute, int(p.Attribute) == c.opt.SpeedAttribute
	if p.Sub == proto.StatReputation || !health && !speed {
		return
	}
	v := int(p.Value)
	if p.RuntimeID != w.Self.RuntimeID {
		if health && int(p.RuntimeID) < len(w.infos) {
			f := &w.infos[p.RuntimeID]
			if p.Sub == proto.StatMaximum {
				f.healthMax = int32(v)
			} else {
				f.health = int32(v)
			}
		}
		return
	}
	switch self := &w.Self; {
	case health && p.Sub == proto.StatMaximum:
		self.HealthMax = v
	case health:
		if v <= 0 && !self.Dead() {
			c.counts.Deaths++
		}
		self.Health = v
	case p.Sub == proto.StatMaximum:
		self.SpeedMax = v
	default:
		self.Speed = v
	}
}

// handleAttack counts an attack that the own actor made or suffered. It does not change health: the server sends the new health
// as a StatUpdate.
func (c *Client) handleAttack(p *proto.AttackActor) {
	points := uint64(max(0, p.Damage.Points()))
	switch p.Sub {
	case proto.AttackYouHit:
		c.lastHit = p.Victim
		if p.Damage.IsMiss() {
			c.counts.Misses++
		} else {
			c.counts.Hits++
			c.counts.DamageDealt += points
		}
	case proto.AttackHitYou:
		c.counts.DamageTaken += points
	}
}
