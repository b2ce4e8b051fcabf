package console

import (
	"context"
	"net/netip"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

type playersBody struct {
	Players []playerBody `json:"players"`
}

type playerBody struct {
	Entity       sim.EntityID `json:"entity"`
	Name         string       `json:"name"`
	Account      string       `json:"account"`
	Door         string       `json:"door"` // name of the door, such as "rcce"; empty until the player reconnects after a restart of the server
	Addr         string       `json:"addr"` // address of the client; empty as Door
	AreaID       sim.AreaID   `json:"areaId"`
	Area         string       `json:"area"`
	Since        timestamp    `json:"since"`        // time at which the player entered the world
	Frozen       bool         `json:"frozen"`       // an operator has frozen the player
	Lingering    bool         `json:"lingering"`    // the player's connection is lost, and its body is still in the world
	LingersUntil *timestamp   `json:"lingersUntil"` // time at which a lingering player leaves unless its client reconnects
	Health       int32        `json:"health"`
	HealthMax    int32        `json:"healthMax"`
	Level        int32        `json:"level"`
	RTT          *int32       `json:"rttMs"`        // round-trip time, ms; null if not known
	LossPermille *int32       `json:"lossPermille"` // retransmits in thousandths of recent packets; null if not known
	InView       *int32       `json:"inView"`       // number of actors that the client is shown; null if not known
	Held         uint64       `json:"held"`         // number of held claims since the player entered the world
	Corrected    uint64       `json:"corrected"`    // number of corrections since then
	Refused      uint64       `json:"refused"`      // number of refused requests since then
	Suspicious   uint64       `json:"suspicious"`   // those of Held, Corrected and Refused that have a suspicious reason
}

// players handles GET /players. It returns the players in the world, sorted by entity id.
func (k *call) players() (any, error) {
	ask, err := k.parseQuery("q", "door", "area")
	if err != nil {
		return nil, err
	}
	where := sim.NoArea
	if s := ask.Get("area"); s != "" {
		if where, err = k.findArea("area", s); err != nil {
			return nil, err
		}
	}
	q, door := strings.ToLower(ask.Get("q")), ask.Get("door")
	list := []playerBody{}
	states := k.frames.players()
	for _, p := range k.Hub.Players() {
		if door != "" && p.Door != door || where != sim.NoArea && p.Area != where {
			continue
		}
		b := k.playerBody(&p, states[p.Entity])
		if q == "" || strings.Contains(strings.ToLower(b.Name), q) || strings.Contains(strings.ToLower(b.Account), q) {
			list = append(list, b)
		}
	}
	return playersBody{list}, nil
}

// playerBody describes a player from the hub's data and the last frame. state is the zero value while the player changes areas.
func (c *Console) playerBody(p *session.Player, state playerRow) playerBody {
	b := playerBody{
		Entity: p.Entity, Name: p.Name, Account: p.Account, Door: p.Door, Addr: addrText(p.Addr),
		AreaID: p.Area, Area: c.areaName(p.Area), Since: timestamp(p.Since), Frozen: p.Frozen, Lingering: p.Lingering,
		Health: state.Health, HealthMax: state.HealthMax,
		RTT: orNull(p.Link.RTT, -1), LossPermille: orNull(p.Link.Loss, -1), InView: orNull(p.Link.InView, -1),
	}
	if state.Body != nil {
		b.Level = state.Body.Level
	}
	if p.Lingering {
		b.LingersUntil = orNull(timestamp(state.leavesAt), timestamp{})
	}
	for _, n := range c.Journal.Counts(p.Entity) {
		weight := n.Reason.Weight()
		if weight == reason.Operator {
			continue
		}
		if weight == reason.Suspicious {
			b.Suspicious += n.N
		}
		switch n.Verdict {
		case journal.Held:
			b.Held += n.N
		case journal.Corrected:
			b.Corrected += n.N
		case journal.Refused:
			b.Refused += n.N
		}
	}
	return b
}

func addrText(a netip.Addr) string {
	if !a.IsValid() {
		return ""
	}
	return a.Unmap().String()
}

func (c *Console) areaName(id sim.AreaID) string {
	if def := c.World.Def(); id >= 0 && int(id) < len(def.Areas) {
		return def.Areas[id].Name
	}
	return ""
}

type playerDetail struct {
	playerBody
	Pos        *vecBody      `json:"pos"`
	Yaw        float32       `json:"yaw"` // in degrees
	Dead       bool          `json:"dead"`
	Target     *sim.EntityID `json:"target"`
	TargetName *string       `json:"targetName"`
	Mount      *sim.EntityID `json:"mount"`
	MountName  *string       `json:"mountName"`

	BytesInPerS    float64 `json:"bytesInPerS"`
	BytesOutPerS   float64 `json:"bytesOutPerS"`
	PacketsInPerS  float64 `json:"packetsInPerS"`
	PacketsOutPerS float64 `json:"packetsOutPerS"`
	BytesIn        uint64  `json:"bytesIn"` // total since the login, as in the next three fields
	BytesOut       uint64  `json:"bytesOut"`
	PacketsIn      uint64  `json:"packetsIn"`
	PacketsOut     uint64  `json:"packetsOut"`

	LastMinute linkPastBody `json:"lastMinute"`

	Counts    []countBody `json:"counts"` // journal entries since the player entered the world, by verdict and reason
	Hits      []hitBody   `json:"hits"`   // last hits, newest first
	Inventory []slotBody  `json:"inventory"`

	Attributes []sheetBody `json:"attributes"` // those that the world names
	Gold       int32       `json:"gold"`
	XP         int32       `json:"xp"`
}

// countBody counts the decisions about a player with one verdict and reason.
type countBody struct {
	Verdict string `json:"verdict"` // "held", "corrected" or "refused"
	Reason  string `json:"reason"`  // name of the reason, such as "too_fast"
	N       uint64 `json:"n"`       // number of decisions, without those of Late
	Late    uint64 `json:"late"`    // number of decisions made while the area was behind its schedule, not held against the player
}

type hitBody struct {
	At     timestamp    `json:"at"`
	By     string       `json:"by"` // name of the attacker
	ByID   sim.EntityID `json:"byId"`
	On     string       `json:"on"` // name of the target
	OnID   sim.EntityID `json:"onId"`
	Damage int32        `json:"damage"` // 0 if the attack missed
	Kind   string       `json:"kind"`   // "dealt", "taken" or "missed"
}

type slotBody struct {
	Slot   int    `json:"slot"`
	Item   string `json:"item"`
	ItemID uint16 `json:"itemId"`
	Amount uint16 `json:"amount"`
	Health uint8  `json:"health"` // health of the item in percent
	Worn   bool   `json:"worn"`
}

// player handles GET /players/{entity}. It returns all data of one player.
func (k *call) player() (any, error) {
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	state, here := k.frames.player(p.Area, p.Entity)
	rate := k.links.rate(p.Entity)
	d := playerDetail{
		playerBody:  k.playerBody(&p, state),
		BytesInPerS: rate.bytesIn, BytesOutPerS: rate.bytesOut, PacketsInPerS: rate.packetsIn, PacketsOutPerS: rate.packetsOut,
		BytesIn: p.Link.BytesIn, BytesOut: p.Link.BytesOut, PacketsIn: p.Link.PacketsIn, PacketsOut: p.Link.PacketsOut,
		LastMinute: k.links.past(p.Entity),
		Hits:       hitBodies(p.Entity, k.frames.hits.recent(p.Entity)), Inventory: []slotBody{},
	}
	d.Counts = []countBody{}
	for _, n := range k.Journal.Counts(p.Entity) {
		d.Counts = append(d.Counts, countBody{n.Verdict.String(), n.Reason.String(), n.N, n.Late})
	}
	if here {
		pos := vecBody(state.Pos)
		d.Pos, d.Yaw, d.Dead = &pos, state.Yaw, state.Is(sim.FlagDead)
		d.Target, d.TargetName = actorRef(state.Target, state.target)
		d.Mount, d.MountName = actorRef(state.Mount, state.mount)
	}
	return d, k.fillRecord(k.r.Context(), &d)
}

// actorRef returns the id and name of another actor, or nil for both if id is 0.
func actorRef(id sim.EntityID, body *sim.Body) (*sim.EntityID, *string) {
	if id == 0 || body == nil {
		return orNull(id, 0), nil
	}
	name := body.Name
	return &id, &name
}

// fillRecord adds the data that is only in the player's record. The record may be some seconds old.
func (c *Console) fillRecord(ctx context.Context, d *playerDetail) error {
	record, err := c.Hub.Record(ctx, d.Entity)
	if err != nil {
		return err
	}
	d.Gold, d.XP = record.Gold, record.XP
	d.Attributes = sheetBodies(c.World.Def(), record)
	for slot, s := range record.Inventory {
		if s.Empty() {
			continue
		}
		b := slotBody{Slot: slot, ItemID: s.Item, Amount: s.Amount, Health: s.Health, Worn: slot < sim.SlotBackpack}
		if it := c.World.Def().Item(s.Item); it != nil {
			b.Item = it.Name
		}
		d.Inventory = append(d.Inventory, b)
	}
	return nil
}

func hitBodies(of sim.EntityID, list []hit) []hitBody {
	bodies := make([]hitBody, 0, len(list))
	for _, h := range list {
		b := hitBody{
			At: timestamp(h.at), By: h.byName, ByID: h.by, On: h.onName, OnID: h.on, Damage: max(h.damage, 0),
		}
		switch {
		case h.damage < 0:
			b.Kind = "missed"
		case h.by == of:
			b.Kind = "dealt"
		default:
			b.Kind = "taken"
		}
		bodies = append(bodies, b)
	}
	return bodies
}

// runHeader is the request header with the start time of the server from which the page got its data. Entity ids are valid
// for one run: a page that stayed open during a restart must not act on another player that now has the same id.
const runHeader = "Truestep-Run"

// checkRun checks that the caller's entity ids are of this run, if it says of which they are.
func (k *call) checkRun() error {
	if run := k.r.Header.Get(runHeader); run != "" && run != formatTime(k.started) {
		return errOtherRun
	}
	return nil
}

// target returns the player named in the request's path.
func (k *call) target() (session.Player, error) {
	if err := k.checkRun(); err != nil {
		return session.Player{}, err
	}
	id, err := strconv.ParseUint(k.r.PathValue("entity"), 10, 53)
	if err != nil {
		return session.Player{}, badRequest("%q is not an entity id", k.r.PathValue("entity"))
	}
	p, ok := k.Hub.Player(sim.EntityID(id))
	if !ok {
		return session.Player{}, errNoPlayer
	}
	return p, nil
}
