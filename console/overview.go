package console

import (
	"strings"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
)

// overviewBody is the response of GET /overview: the current state of the server.
type overviewBody struct {
	At       timestamp        `json:"at"`        // time of the answer
	Started  timestamp        `json:"startedAt"` // start time of the server, which identifies its run
	Areas    []areaFigures    `json:"areas"`     // all areas, by area id
	Doors    []doorFigures    `json:"doors"`     // all doors, in the order of GET /world
	Online   int              `json:"online"`    // number of players in the world
	Viewers  int32            `json:"viewers"`   // number of open live maps
	Saving   savingFigures    `json:"saving"`    // saving of player records
	Failures []failureFigures `json:"failures"`  // present failures other than saving; usually empty
	Logins   loginFigures     `json:"logins"`    // logins that wait for a password check
	Held     []heldFigures    `json:"heldBack"`  // refused and displaced connections and logins, most frequent first
}

// maxHeldRows is the maximum number of rows in an overview about connections and logins that were refused or displaced.
const maxHeldRows = 20

// loginFigures is the part of the overview about logins that wait for a password check.
type loginFigures struct {
	Waiting   int    `json:"waiting"`   // number of logins that wait now
	LongestMS int64  `json:"longestMs"` // longest wait of the logins served in the last ten seconds, in ms
	Busy      uint64 `json:"busy"`      // number of logins that were dropped because they had to wait too long, since the start
}

// heldFigures counts the connections and logins of one network that one limit has refused or displaced in the last
// ten minutes.
type heldFigures struct {
	Door    string    `json:"door"`    // name of the door, or "console" or "metrics"
	Budget  string    `json:"budget"`  // the limit, an admission.Budget such as "address"
	Network string    `json:"network"` // network of the clients, as a CIDR prefix
	Account string    `json:"account"` // account that was tried; empty unless the limit is per account
	Count   uint64    `json:"count"`   // number of refused or displaced connections and logins
	First   timestamp `json:"firstAt"` // time of the first counted connection or login
	Last    timestamp `json:"lastAt"`  // time of the last counted connection or login
}

// heldBack returns the part of the overview about refused and displaced connections and logins.
func (k *call) heldBack() []heldFigures {
	rows := []heldFigures{}
	for _, h := range k.Hub.Gate().Report() {
		if len(rows) == maxHeldRows {
			break
		}
		rows = append(rows, heldFigures{
			Door: h.Door, Budget: string(h.Budget), Network: h.Network.String(), Account: h.Account, Count: h.Count,
			First: timestamp(h.First), Last: timestamp(h.Last),
		})
	}
	return rows
}

// heldBackBody is the response of GET /held-back: one page of entries.
type heldBackBody struct {
	Entries []journal.HeldBack `json:"entries"` // connections and logins that were refused or displaced, newest first
	Next    *int64             `json:"next"`    // query parameter "before" for the next page; null on the last page
}

// heldBackEntries handles GET /held-back. It returns the connections and logins that were refused or displaced, counted by minute,
// newest first.
func (k *call) heldBackEntries() (any, error) {
	ask, err := k.parseQuery("door", "account", "since", "until", "before", "limit")
	if err != nil {
		return nil, err
	}
	q := journal.HeldBackQuery{Door: ask.Get("door"), Account: ask.Get("account")}
	if q.Since, err = parseTime(ask, "since"); err != nil {
		return nil, err
	}
	if q.Until, err = parseTime(ask, "until"); err != nil {
		return nil, err
	}
	if q.Before, q.Limit, err = parsePaging(ask); err != nil {
		return nil, err
	}
	if err := k.searches.acquire(k.r.Context(), k.caller.name, maxPendingSearches); err != nil {
		return nil, err
	}
	defer k.searches.release(k.caller.name)
	list, err := k.Journal.HeldBack(k.r.Context(), q)
	if err != nil {
		return nil, err
	}
	b := heldBackBody{Entries: append([]journal.HeldBack{}, list...)}
	if len(list) == q.Limit {
		b.Next = &list[len(list)-1].ID
	}
	return b, nil
}

// savingFigures is the part of the overview about saving player records.
type savingFigures struct {
	Unsaved int        `json:"unsaved"`      // number of records that wait to be saved
	Since   *timestamp `json:"failingSince"` // time since which saving fails; null while it works
	Error   *string    `json:"error"`        // error of the last attempt to save records; null while saving works
}

// failureFigures is the part of the overview about one present failure, such as a file that cannot be written, except saving records.
type failureFigures struct {
	What  string    `json:"what"`  // what fails, such as "journal not written"
	Since timestamp `json:"since"` // start of the failure
	Error string    `json:"error"` // newest error of the failing operation, such as writing the journal
}

// failures returns what fails now on the server, such as a file that cannot be written. Failures to save records are not
// included: savingFigures has them.
func (k *call) failures() []failureFigures {
	rows := []failureFigures{}
	if k.Failures == nil {
		return rows
	}
	for _, f := range k.Failures() {
		rows = append(rows, failureFigures{strings.ToLower(f.What), timestamp(f.Since), f.Err.Error()})
	}
	return rows
}

// areaFigures is the part of the overview about one area. Durations are of the ticks of the last ten seconds.
type areaFigures struct {
	ID        sim.AreaID `json:"id"`        // id of the area
	Name      string     `json:"name"`      // name of the area
	Players   int        `json:"players"`   // number of players in the area
	Actors    int        `json:"actors"`    // number of actors, players included
	TickP50US int64      `json:"tickP50Us"` // median duration of a tick, us
	TickP99US int64      `json:"tickP99Us"` // 99th percentile of the duration of a tick, us
	Overruns  uint64     `json:"overruns"`  // number of ticks since the start that took longer than a tick period
	Missed    uint64     `json:"missed"`    // number of frames since the start that slow readers in the server missed
}

// doorFigures is the part of the overview about one door. Counts are totals since the start, except Sessions.
type doorFigures struct {
	Name       string `json:"name"`       // name of the door, such as "rcce"
	Sessions   int64  `json:"sessions"`   // current number of sessions
	PacketsIn  uint64 `json:"packetsIn"`  // packets from clients
	PacketsOut uint64 `json:"packetsOut"` // packets to clients
	BytesIn    uint64 `json:"bytesIn"`    // bytes from clients
	BytesOut   uint64 `json:"bytesOut"`   // bytes to clients
}

// overview handles GET /overview. It returns the state of the server.
func (k *call) overview() (any, error) {
	b := overviewBody{At: timestamp(k.clock()), Started: timestamp(k.started), Areas: []areaFigures{}, Doors: []doorFigures{}, Viewers: k.viewers.Load()}
	for _, a := range k.World.Stats() {
		b.Areas = append(b.Areas, areaFigures{
			ID: a.Area, Name: a.Name, Players: a.Players, Actors: a.Actors,
			TickP50US: a.TickP50.Microseconds(), TickP99US: a.TickP99.Microseconds(), Overruns: a.Overruns, Missed: a.Missed,
		})
	}
	for i := range k.Doors {
		d := k.Metrics.Door(k.Doors[i].Name)
		b.Doors = append(b.Doors, doorFigures{
			Name: k.Doors[i].Name, Sessions: d.Sessions.Load(),
			PacketsIn: d.PacketsIn.Load(), PacketsOut: d.PacketsOut.Load(), BytesIn: d.BytesIn.Load(), BytesOut: d.BytesOut.Load(),
		})
	}
	saving := k.Hub.SaveStatus()
	b.Saving.Unsaved = saving.Unsaved
	if saving.Err != nil {
		since, text := timestamp(saving.Since), saving.Err.Error()
		b.Saving.Since, b.Saving.Error = &since, &text
	}
	b.Failures = k.failures()
	logins := k.Hub.Stats().Logins
	b.Logins = loginFigures{Waiting: logins.Waiting, LongestMS: logins.LongestMS, Busy: logins.Busy}
	b.Held = k.heldBack()
	b.Online = len(k.Hub.Players())
	if k.Cluster != nil {
		b.Online = len(k.frames.players()) // includes the players of other nodes
	}
	return b, nil
}
