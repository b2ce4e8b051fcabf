package console

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// maxDeaths is the maximum number of deaths in memory, for all players together. Chosen to be about the number of players that die in
// an hour of a battle; not measured.
const maxDeaths = 4096

// death records that a player died.
type death struct {
	at   time.Time
	area sim.AreaID   // area in which the player died
	id   sim.EntityID // entity id of the player
	name string       // name of the player
}

// deaths holds the last deaths of players since the start of the server. It is safe for concurrent use.
type deaths struct {
	mu   sync.Mutex
	list []death // ring buffer: once it has maxDeaths elements, the oldest is at next
	next int     // index at which the next death is stored once list is full
}

// record stores the death that event e of frame f reports, if the dead actor is a player.
func (d *deaths) record(f *sim.Frame, e *sim.Event, at time.Time) {
	a := f.Find(e.Who)
	if a == nil || !a.Is(sim.FlagPlayer) {
		return
	}
	row := death{at, f.Area, a.ID, a.Body.Name}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.list) < maxDeaths {
		d.list = append(d.list, row)
		return
	}
	d.list[d.next] = row
	d.next = (d.next + 1) % maxDeaths
}

// since returns the deaths in an area that happened at the time from or later, oldest first.
func (d *deaths) since(in sim.AreaID, from time.Time) (rows []death) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.list {
		if row := &d.list[(d.next+i)%len(d.list)]; row.area == in && !row.at.Before(from) {
			rows = append(rows, *row)
		}
	}
	return rows
}

// deathList is the response of GET /deaths.
type deathList struct {
	Deaths []deathBody `json:"deaths"` // oldest first
}

// deathBody is the death of a player in a response.
type deathBody struct {
	At     timestamp    `json:"at"`     // time of the death
	Entity sim.EntityID `json:"entity"` // entity id of the player
	Name   string       `json:"name"`   // name of the player
}

// deathsSince handles GET /deaths. It returns the deaths of players in an area since a given time, oldest first.
func (k *call) deathsSince() (any, error) {
	ask, err := k.parseQuery("area", "since")
	if err != nil {
		return nil, err
	}
	where, err := k.findRequiredArea(ask.Get("area"))
	if err != nil {
		return nil, err
	}
	since, err := parseTime(ask, "since")
	if err != nil {
		return nil, err
	}
	b := deathList{Deaths: []deathBody{}}
	for _, row := range k.frames.deaths.since(where, since) {
		b.Deaths = append(b.Deaths, deathBody{timestamp(row.at), row.id, row.name})
	}
	return b, nil
}
