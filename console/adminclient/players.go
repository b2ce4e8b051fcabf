package adminclient

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// player describes a player in the world, as GET /players returns it.
type player struct {
	Entity                   uint64     // entity id
	Name, Account            string     // names of the character and the account
	Door, Addr               string     // door and IP address of the client
	Area                     string     // name of the area
	AreaID                   int        // id of the area
	Node                     *string    // node of a cluster through which the player is in the world; nil without a cluster
	Since                    *time.Time // when the player entered the world; nil if not known
	Frozen, Lingering        bool       // frozen by an operator; without a connection
	Health, HealthMax, Level int
}

// Players is the command "truestep admin players", which prints players.
type Players struct {
	Search string `arg:"" optional:"" help:"Part of the name or the account."`
}

// Run prints the players.
func (p *Players) Run(a *Access, to Output) error {
	return list(a, to, "/players?q="+url.QueryEscape(p.Search), func(c *client, b *struct {
		Players []player
		Missing []string
	}) error {
		if len(b.Missing) > 0 {
			if err := c.say("the players of node %s are not all listed, or without their accounts: the node does not answer", strings.Join(b.Missing, ", ")); err != nil {
				return err
			}
		}
		if len(b.Players) == 0 {
			return c.say("there is no such player in the world")
		}
		var cells [][]string
		columns := "ENTITY NAME ACCOUNT DOOR ADDRESS AREA SINCE STATE"
		for i := range b.Players {
			p := &b.Players[i]
			var state []string
			if p.Frozen {
				state = append(state, "frozen")
			}
			if p.Lingering {
				state = append(state, "lingering")
			}
			cells = append(cells, []string{strconv.FormatUint(p.Entity, 10), p.Name, p.Account, p.Door, p.Addr, p.Area, when(p.Since, ""), strings.Join(state, ", ")})
			if p.Node != nil {
				columns = "ENTITY NAME ACCOUNT DOOR ADDRESS AREA SINCE STATE NODE"
				cells[i] = append(cells[i], *p.Node)
			}
		}
		return c.table(columns, cells)
	})
}

// find returns the player in the world that has the given name, account or entity id. Unlike lookUp, it returns an error if there
// is none.
func (c *client) find(target string) (*player, error) {
	p, err := c.lookUp(target)
	if p == nil && err == nil {
		err = problem("%q is not in the world; truestep admin players lists who is", target)
	}
	return p, err
}

// lookUp returns the player in the world that has the given name, account or entity id, or nil if there is none.
func (c *client) lookUp(target string) (*player, error) {
	var b struct{ Players []player }
	if err := c.ask("GET", "/players", nil, &b); err != nil {
		return nil, err
	}
	var found *player
	for i := range b.Players {
		p := &b.Players[i]
		switch {
		case strconv.FormatUint(p.Entity, 10) == target:
			return p, nil
		case !strings.EqualFold(p.Name, target) && !strings.EqualFold(p.Account, target):
		case found != nil:
			return nil, problem("%q matches two players, with the accounts %s and %s: give the account or the entity id, which truestep admin players lists", target, found.Account, p.Account)
		default:
			found = p
		}
	}
	return found, nil
}

// toPlayer performs an action on a player in the world. The parameter player is the player's name, account or entity id.
// Then toPlayer prints a line, which it formats from done, the player's name and args.
func (a *Access) toPlayer(to Output, player, action string, body any, done string, args ...any) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	p, err := c.find(player)
	if err != nil {
		return err
	}
	return c.act("POST", fmt.Sprintf("/players/%d/%s", p.Entity, action), body, done, append([]any{p.Name}, args...)...)
}

// Message is the command "truestep admin message", which sends a message to a player.
type Message struct {
	Player string   `arg:"" help:"Name, account or entity of a player in the world."`
	Text   []string `arg:"" help:"The message."`
}

// Run sends the message.
func (m *Message) Run(a *Access, to Output) error {
	return a.toPlayer(to, m.Player, "message", map[string]any{"text": strings.Join(m.Text, " ")}, "sent to %s")
}

// Kick is the command "truestep admin kick", which disconnects a player.
type Kick struct {
	Player string `arg:"" help:"Name, account or entity of a player in the world."`
	// Reason is a text that the player is shown; "" gives no reason.
	Reason string `help:"Why; the player is shown it." placeholder:"TEXT"`
}

// Run disconnects the player.
func (k *Kick) Run(a *Access, to Output) error {
	return a.toPlayer(to, k.Player, "kick", map[string]any{"reason": k.Reason}, "%s is disconnected")
}

// Audit is the command "truestep admin audit", which prints actions of operators.
type Audit struct {
	Limit int `help:"How many entries, 1 to 1000." default:"20"`
}

// Run prints the newest actions.
func (u *Audit) Run(a *Access, to Output) error {
	return list(a, to, "/audit?limit="+strconv.Itoa(u.Limit), func(c *client, b *struct {
		Entries []struct {
			At                                                time.Time
			Operator, Action, Player, Account, Detail, Result string
		}
	}) error {
		var cells [][]string
		for _, e := range b.Entries {
			target := e.Account
			if e.Player != "" && e.Player != e.Account {
				target = strings.TrimSpace(e.Player + " " + e.Account)
			}
			cells = append(cells, []string{when(&e.At, ""), e.Operator, e.Action, target, e.Detail, e.Result})
		}
		if len(cells) == 0 {
			return c.say("no operator has done anything yet")
		}
		return c.table("TIME OPERATOR ACTION WHOM DETAIL RESULT", cells)
	})
}
