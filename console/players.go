package console

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// playersBody is the response of GET /players.
type playersBody struct {
	Players []playerBody `json:"players"` // sorted by entity id
	Missing []string     `json:"missing"` // nodes of the cluster that did not describe their players; empty without a cluster
}

// playerBody describes a player of the world in the response of GET /players.
type playerBody struct {
	Entity       sim.EntityID `json:"entity"`       // entity id, unique in one run of the server
	Name         string       `json:"name"`         // name of the player's character
	Account      string       `json:"account"`      // name of the account; empty if the player's node has not described the player
	Node         *string      `json:"node"`         // node of the cluster through which the player is in the world; null without a cluster, and if not known
	Door         string       `json:"door"`         // name of the door, such as "rcce"; empty until the player reconnects after a restart
	Addr         string       `json:"addr"`         // IP address of the client; empty until the player reconnects after a restart
	AreaID       sim.AreaID   `json:"areaId"`       // id of the area that the player is in
	Area         string       `json:"area"`         // name of the area that the player is in
	Since        *timestamp   `json:"since"`        // time at which the player entered the world; null if not known
	Frozen       bool         `json:"frozen"`       // an operator has frozen the player
	Lingering    bool         `json:"lingering"`    // the connection is lost and the player is still in the world
	LingersUntil *timestamp   `json:"lingersUntil"` // time at which a lingering player leaves unless it reconnects; else null
	Health       int32        `json:"health"`       // present health; 0 if dead, and while the player changes areas
	HealthMax    int32        `json:"healthMax"`    // maximum health; 0 while the player changes areas
	Level        int32        `json:"level"`        // level of the character; 0 while the player changes areas
	RTT          *int32       `json:"rttMs"`        // round-trip time, ms; null if not known
	LossPermille *int32       `json:"lossPermille"` // retransmitted packets in thousandths; null if not known
	InView       *int32       `json:"inView"`       // number of actors that the client is shown; null if not known
	Held         uint64       `json:"held"`         // number of held claims since the player entered the world
	Corrected    uint64       `json:"corrected"`    // number of corrections since the player entered the world
	Refused      uint64       `json:"refused"`      // number of refused requests since the player entered the world
	Suspicious   uint64       `json:"suspicious"`   // number of held, corrected or refused requests with a suspicious reason since the player entered
}

// players handles GET /players. It returns the players in the world, sorted by entity id.
func (k *call) players() (any, error) {
	keys := []string{"q", "door", "area"}
	if k.from != "" {
		keys = append(keys, "after")
	}
	ask, err := k.parseQuery(keys...)
	if err != nil {
		return nil, err
	}
	where := sim.NoArea
	if s := ask.Get("area"); s != "" {
		if where, err = k.findArea("area", s); err != nil {
			return nil, err
		}
	}
	after, err := parseNumber(ask, "after", 0, 0, 1<<53-1)
	if err != nil {
		return nil, err
	}
	q, door := strings.ToLower(ask.Get("q")), ask.Get("door")
	list := []playerBody{}
	rows, missing := k.allPlayers()
	for _, b := range rows {
		if (door == "" || b.Door == door) && (where == sim.NoArea || b.AreaID == where) &&
			(q == "" || strings.Contains(strings.ToLower(b.Name), q) || strings.Contains(strings.ToLower(b.Account), q)) {
			list = append(list, b)
		}
	}
	if k.from != "" {
		list = pageForNode(list, after)
	}
	return playersBody{list, missing}, nil
}

// allPlayers returns the players in the world, sorted by entity id, and the names of the nodes that did not describe their players.
// If another node of the cluster asks, it returns only the players of this node.
func (k *call) allPlayers() (rows []playerBody, missing []string) {
	states := k.frames.players()
	for _, p := range k.Hub.Players() {
		rows = append(rows, k.playerBody(&p, states[p.Entity]))
	}
	if k.Cluster == nil || k.from != "" {
		return rows, []string{}
	}
	known := map[sim.EntityID]bool{}
	for i := range rows {
		known[rows[i].Entity] = true
	}
	others, missing := k.playersOfOthers()
	for _, b := range others {
		if !known[b.Entity] { // the player may have changed its node meanwhile
			known[b.Entity] = true
			rows = append(rows, b)
		}
	}
	rows = append(rows, k.undescribed(states, known, missing)...)
	slices.SortFunc(rows, func(a, b playerBody) int { return int(int64(a.Entity) - int64(b.Entity)) })
	return rows, missing
}

// playerBody describes a player, from what the hub knows and from the last frame. The parameter state is the player in that
// frame; it is the zero value while the player is on its way between two areas.
func (c *Console) playerBody(p *session.Player, state playerRow) playerBody {
	b := playerBody{
		Entity: p.Entity, Name: p.Name, Account: p.Account, Door: p.Door, Addr: addrText(p.Addr),
		Node: orNull(c.node, ""), AreaID: p.Area, Area: c.areaName(p.Area), Since: timestampOrNull(p.Since), Frozen: p.Frozen, Lingering: p.Lingering,
		Health: state.Health, HealthMax: state.HealthMax,
		RTT: orNull(p.Link.RTT, -1), LossPermille: orNull(p.Link.Loss, -1), InView: orNull(p.Link.InView, -1),
	}
	if state.Body != nil {
		b.Level = state.Body.Level
	}
	if p.Lingering {
		b.LingersUntil = orNull(timestamp(state.leavesAt), timestamp{})
	}
	c.countDecisions(&b)
	return b
}

// countDecisions sets the numbers of decisions about a player since it entered the world.
func (c *Console) countDecisions(b *playerBody) {
	for _, n := range c.Journal.DecisionCounts(b.Entity) {
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

// playerDetail is the response of GET /players/{entity}.
type playerDetail struct {
	playerBody
	Pos        *vecBody      `json:"pos"`        // position in world units; null while the player changes areas
	Yaw        float32       `json:"yaw"`        // direction of view in degrees; 0 is north, 90 west
	Dead       bool          `json:"dead"`       // the player is dead and has not respawned
	Target     *sim.EntityID `json:"target"`     // entity id of the attack target; null if none
	TargetName *string       `json:"targetName"` // name of the target; null if none
	Mount      *sim.EntityID `json:"mount"`      // entity id of the mount or vehicle; null if none
	MountName  *string       `json:"mountName"`  // name of the mount; null if none

	BytesInPerS    float64 `json:"bytesInPerS"`    // bytes from the client in the last second
	BytesOutPerS   float64 `json:"bytesOutPerS"`   // bytes to the client in the last second
	PacketsInPerS  float64 `json:"packetsInPerS"`  // packets from the client in the last second
	PacketsOutPerS float64 `json:"packetsOutPerS"` // packets to the client in the last second
	BytesIn        uint64  `json:"bytesIn"`        // bytes from the client since the login
	BytesOut       uint64  `json:"bytesOut"`       // bytes to the client since the login
	PacketsIn      uint64  `json:"packetsIn"`      // packets from the client since the login
	PacketsOut     uint64  `json:"packetsOut"`     // packets to the client since the login

	LastMinute linkPastBody `json:"lastMinute"` // traffic of each second of the last minute

	Counts    []countBody `json:"counts"`    // decisions since the player entered the world, by verdict and reason
	Hits      []hitBody   `json:"hits"`      // last hits, newest first
	Inventory []slotBody  `json:"inventory"` // inventory slots that are not empty, by slot

	Attributes []sheetBody `json:"attributes"` // attributes that have a name in the world
	Gold       int32       `json:"gold"`       // amount of gold in the record
	XP         int32       `json:"xp"`         // experience points in the record
}

// countBody counts how often movements or actions of a player were held, corrected or refused for one reason.
type countBody struct {
	Verdict string `json:"verdict"` // "held", "corrected", "refused" or "hit"
	Reason  string `json:"reason"`  // name of the reason, such as "too_fast"
	N       uint64 `json:"n"`       // number of decisions, without those in Late
	Late    uint64 `json:"late"`    // number of decisions made while ticks were late; they are no evidence against the player
}

// hitBody is an attack by a player or on a player, hit or missed.
type hitBody struct {
	At     timestamp    `json:"at"`     // time of the hit
	By     string       `json:"by"`     // name of the attacker; empty if the attacker had left the area
	ByID   sim.EntityID `json:"byId"`   // entity id of the attacker
	On     string       `json:"on"`     // name of the target
	OnID   sim.EntityID `json:"onId"`   // entity id of the target
	Damage int32        `json:"damage"` // points of damage; 0 if the attack missed
	Kind   string       `json:"kind"`   // "dealt", "taken" or "missed"
}

// slotBody is the content of one inventory slot.
type slotBody struct {
	Slot   int    `json:"slot"`   // number of the slot, 0 to sim.SlotCount-1
	Item   string `json:"item"`   // name of the item; empty if the world has no such item
	ItemID uint16 `json:"itemId"` // id of the kind of item
	Amount uint16 `json:"amount"` // number of items in the slot
	Health uint8  `json:"health"` // condition of the item, 0 (broken) to 100
	Worn   bool   `json:"worn"`   // the slot is one of worn equipment, not of the backpack
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
	for _, n := range k.Journal.DecisionCounts(p.Entity) {
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

// actorRef returns the id and name of another actor, such as a player's target. It returns nil for both if id is 0, and nil for
// the name if the actor is not known any more.
func actorRef(id sim.EntityID, body *sim.Body) (*sim.EntityID, *string) {
	if id == 0 || body == nil {
		return orNull(id, 0), nil
	}
	name := body.Name
	return &id, &name
}

// fillRecord adds to d the data that only the stored record of the player has, such as its gold. The record may be some
// seconds old.
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

// hitBodies describes attacks. The parameter "of" is the player in whose list they are shown: an attack of this player is
// "dealt", and one on this player is "taken".
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

// runHeader is the name of the request header with the start time of the server from which the page got its data. Entity ids are
// valid only until the server stops. So a page that stayed open during a restart must not act on a player that now has the id of
// an earlier one.
const runHeader = "Truestep-Run"

// checkRun returns errOtherRun if the entity ids in the request are from an earlier run of the server. The header
// runHeader says from which run they are. A request without that header is accepted.
func (k *call) checkRun() error {
	if run := k.r.Header.Get(runHeader); run != "" && run != formatTime(k.started) {
		return errOtherRun
	}
	return nil
}

// target returns the player whose entity id is in the URL path of the request.
func (k *call) target() (session.Player, error) {
	if err := k.checkRun(); err != nil {
		return session.Player{}, err
	}
	id, err := parseEntity(k.r.PathValue("entity"))
	if err != nil {
		return session.Player{}, err
	}
	p, ok := k.Hub.Player(id)
	if !ok {
		return session.Player{}, errNoPlayer
	}
	return p, nil
}

func parseEntity(text string) (sim.EntityID, error) {
	id, err := strconv.ParseUint(text, 10, 53)
	if err != nil {
		return 0, badRequest("%q is not an entity id", text)
	}
	return sim.EntityID(id), nil
}
