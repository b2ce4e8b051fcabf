package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

const (
	othersEvery   = time.Second     // minimum time between two requests to the other nodes for their players
	othersTimeout = 2 * time.Second // time limit of such a request; chosen because pages ask for the list every 2 s
	playersAtOnce = 500             // maximum number of players in an answer of another node: some 250 KB
)

// otherPlayers are the players of the other nodes of a cluster, as these nodes have described them last. It is safe for concurrent
// use.
type otherPlayers struct {
	mu      sync.Mutex
	at      time.Time // time of the last request to the other nodes
	rows    []playerBody
	missing []string // nodes that did not describe all of their players
}

// playersOfOthers returns the players of the other nodes, and the names of the nodes that did not describe all of their
// players. The rows are shared and must not be changed.
func (k *call) playersOfOthers() (rows []playerBody, missing []string) {
	o := &k.others
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.at.IsZero() && time.Since(o.at) < othersEvery {
		return o.rows, o.missing
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(k.r.Context()), othersTimeout) // other calls use the result, too
	defer cancel()
	var mu sync.Mutex
	o.rows = nil
	o.missing = k.askOthers(func(node string) error {
		list, err := k.playersOf(ctx, node)
		mu.Lock()
		defer mu.Unlock()
		o.rows = append(o.rows, list...)
		return err
	})
	o.at = time.Now()
	return o.rows, o.missing
}

// playersOf asks a node for its players. If it returns an error, it also returns the players that the node has described so far.
func (k *call) playersOf(ctx context.Context, node string) (list []playerBody, err error) {
	after := sim.EntityID(0)
	for {
		query := url.Values{"after": {strconv.FormatUint(uint64(after), 10)}}
		a, err := k.askNode(ctx, node, forwardedCall{Method: http.MethodGet, Path: "/players", Query: query.Encode()})
		if err != nil {
			return list, err
		}
		var page playersBody
		if a.Status != http.StatusOK {
			return list, fmt.Errorf("node %s answered with the HTTP status %d", node, a.Status)
		}
		if err := json.Unmarshal(a.Body, &page); err != nil {
			return list, err
		}
		list = append(list, page.Players...)
		if len(page.Players) < playersAtOnce {
			return list, nil
		}
		last := page.Players[len(page.Players)-1].Entity
		if last <= after {
			return list, fmt.Errorf("node %s sent a list of players that is not sorted by entity id", node)
		}
		after = last
	}
}

// pageForNode returns the page of a sorted list of players that another node asks for: the next ones whose entity id exceeds after.
func pageForNode(list []playerBody, after int64) []playerBody {
	i, _ := slices.BinarySearchFunc(list, sim.EntityID(after+1), func(b playerBody, id sim.EntityID) int { return int(int64(b.Entity) - int64(id)) })
	return list[i:min(len(list), i+playersAtOnce)]
}

// undescribed returns the players that are in the frames but that no node has described. There are three reasons: their node cannot
// be reached or has no console, their node is dead and they linger, or they have entered just now. The parameter known has the ids of
// the described players. A player's node is known only if it is the one through which the player has entered, whose name is in missing:
// a node that has described its players no longer has this one, which another node may have taken over, or has not had it yet.
func (k *call) undescribed(states map[sim.EntityID]playerRow, known map[sim.EntityID]bool, missing []string) (rows []playerBody) {
	names := map[uint16]string{}
	for i, n := range k.Cluster.Status().Nodes {
		if slices.Contains(missing, n.Name) {
			names[uint16(i+1)] = n.Name
		}
	}
	for id, state := range states {
		if known[id] {
			continue
		}
		b := k.stateBody(id, state)
		b.Node = orNull(names[id.Node()], "")
		rows = append(rows, b)
	}
	return rows
}

// stateBody describes a player from the area's frames and the journal.
func (c *Console) stateBody(id sim.EntityID, state playerRow) playerBody {
	lingering := state.Is(sim.FlagLingering)
	b := playerBody{
		Entity: id, AreaID: state.area, Area: c.areaName(state.area), Frozen: state.Is(sim.FlagFrozen), Lingering: lingering,
		Health: state.Health, HealthMax: state.HealthMax,
	}
	if state.Body != nil {
		b.Name, b.Level = state.Body.Name, state.Body.Level
	}
	if lingering {
		b.LingersUntil = orNull(timestamp(state.leavesAt), timestamp{})
	}
	c.countDecisions(&b)
	return b
}
