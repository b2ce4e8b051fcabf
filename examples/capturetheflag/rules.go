package main

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Values of the fields team and flag of players, within the ranges that arena.toml declares.
const none, red, blue = 0, 1, 2

const winning = 3 // number of captured flags with which a team wins the round

var teamName = [...]string{red: "Red", blue: "Blue"} // names for announcements, by value of the field team

// rules implements sim.Game. It does not change: the state of the game is in the fields that arena.toml declares.
type rules struct {
	team, flag, coins sim.FieldID    // fields of a player
	score             [3]sim.FieldID // field of the area with a team's score, by team
	base              [3]geom.Vec    // centre of a team's base, by team
	reach             float32        // distance from the centre within which a player is at a base, in world units
	join              sim.CommandID  // command that joins a team
	taken, captured   sim.EventID    // events that a flag was taken or captured
	sword, trader     uint16         // id of the item sword, id of the template of the trader
}

// newRules returns the rules. It looks up the ids and positions that they need in the world.
func newRules(w *sim.World) (sim.Game, error) {
	b := w.Schema.Bind()
	g := &rules{
		team: b.Player("team"), flag: b.Player("flag"), coins: b.Player("coins"),
		score: [3]sim.FieldID{red: b.Area("red_score"), blue: b.Area("blue_score")},
		join:  b.Command("join"), taken: b.Event("taken"), captured: b.Event("captured"), sword: 1, trader: 2,
	}
	for _, p := range w.Areas[0].Portals {
		switch p.Name {
		case "Red base":
			g.base[red], g.reach = p.Pos, p.Radius
		case "Blue base":
			g.base[blue] = p.Pos
		}
	}
	return g, b.Err()
}

// Command implements sim.Game. The game has two commands: join and buy.
func (g *rules) Command(h *sim.Hand, who sim.EntityID, c *sim.Command) {
	if c.ID == g.join {
		g.joinTeam(h, who, c.Args[0]+red)
	} else {
		g.sell(h, who, c.Args[0])
	}
}

// joinTeam makes a player a member of a team and moves the player to the base of the team.
func (g *rules) joinTeam(h *sim.Hand, who sim.EntityID, team int32) {
	if h.Get(who, g.team) == team {
		h.Refuse("You are in that team already.")
		return
	}
	h.Set(who, g.team, team)
	h.Set(who, g.flag, none)
	h.Move(who, h.Area(), g.base[team], 0)
	x, _ := h.Actor(who)
	h.Announce(x.Name + " joins " + teamName[team] + ".")
}

// sell sells an item to a player: bread if item is 0, a sword if it is 1.
func (g *rules) sell(h *sim.Hand, who sim.EntityID, item int32) {
	price := [...]int32{2, 8}[item]
	switch {
	case !g.atTrader(h, who):
		h.Refuse("Go to the trader first.")
	case h.Get(who, g.coins) < price:
		h.Refuse("You have too few coins.")
	case item == 1 && !h.Give(who, g.sword, 1):
		h.Refuse("Your backpack is full.")
	default:
		h.Add(who, g.coins, -price)
		if item == 0 {
			h.Heal(who, 30)
		}
	}
}

// atTrader reports whether a living player is near the trader.
func (g *rules) atTrader(h *sim.Hand, who sim.EntityID) bool {
	x, _ := h.Actor(who)
	for id := range h.Near(x.Pos, 6) {
		if y, _ := h.Actor(id); !y.Player && y.Template == g.trader && !x.Dead {
			return true
		}
	}
	return false
}

// Tick implements sim.Game: players take flags, lose them and bring them to their base.
func (g *rules) Tick(h *sim.Hand) {
	var carried [3]bool
	for id := range h.Players() {
		if x, _ := h.Actor(id); x.Dead || x.Lingering {
			g.drop(h, x)
		}
		carried[h.Get(id, g.flag)] = true
	}
	for id := range h.Players() {
		x, _ := h.Actor(id)
		own, flag := h.Get(id, g.team), h.Get(id, g.flag)
		switch theirs := red + blue - own; {
		case own == none || x.Dead || x.Lingering: // plays no part
		case flag == none && !carried[theirs] && g.at(x, theirs):
			h.Set(id, g.flag, theirs)
			carried[theirs] = true
			h.Emit(g.taken, id, 0, "", theirs)
			h.Announce(x.Name + " has the flag of " + teamName[theirs] + "!")
		case flag == theirs && !carried[own] && g.at(x, own):
			h.Set(id, g.flag, none)
			h.Add(id, g.coins, 5)
			h.Emit(g.captured, id, 0, "", theirs)
			g.count(h, own)
		}
	}
}

// at reports whether an actor is at the base of a team.
func (g *rules) at(x sim.ActorInfo, team int32) bool {
	return geom.DistXZ(x.Pos, g.base[team]) <= g.reach
}

// drop makes a player lose the flag that it carries, if any. The flag is then at its own base again.
func (g *rules) drop(h *sim.Hand, x sim.ActorInfo) {
	if flag := h.Get(x.ID, g.flag); flag != none {
		h.Set(x.ID, g.flag, none)
		h.Announce("The flag of " + teamName[flag] + " is home again.")
	}
}

// count adds a point to the score of a team. If the team wins the round with it, count resets both scores.
func (g *rules) count(h *sim.Hand, team int32) {
	if h.Add(0, g.score[team], 1) < winning {
		h.Announce(teamName[team] + " captures the flag!")
		return
	}
	h.Announce(teamName[team] + " wins the round!")
	h.Set(0, g.score[red], 0)
	h.Set(0, g.score[blue], 0)
}
