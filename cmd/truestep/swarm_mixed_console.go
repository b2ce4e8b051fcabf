package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// mixedConsole is a server's console as the swarm uses it. The API is that of docs/console-api.md.
type mixedConsole struct {
	base  *url.URL // of the API
	token string
	http  http.Client
}

const (
	consoleWithin  = 10 * time.Second // for an answer
	mostAnswer     = 32 << 20         // bytes
	mostLive       = 16 << 20         // bytes of a message of the live map
	correctionPage = 500
)

// openMixedConsole reads the address. A token may stand behind it, as the server prints it.
func openMixedConsole(address, token string) (*mixedConsole, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("console %q is no address: give it as http://HOST:PORT", address)
	}
	if rest, ok := strings.CutPrefix(u.Fragment, "token="); ok && token == "" {
		token = rest
	}
	if token == "" {
		return nil, errors.New("there is no token for the console: the server prints one at its start, truestep token add makes one; " +
			"give it with --token or TRUESTEP_TOKEN, or compare nothing with --no-check")
	}
	u.Fragment, u.RawQuery = "", ""
	return &mixedConsole{base: u.JoinPath("/api/v1"), token: token, http: http.Client{Timeout: consoleWithin}}, nil
}

// get asks for a part of the API.
func (c *mixedConsole) get(ctx context.Context, path string, query url.Values, to any) error {
	u := c.base.JoinPath(path)
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fmt.Errorf("console: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("console: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	if err != nil {
		return fmt.Errorf("console: %s: %w", path, err)
	}
	if resp.StatusCode != http.StatusOK {
		var no struct{ Error struct{ Message string } }
		_ = json.Unmarshal(body, &no) // without one the status says enough
		return fmt.Errorf("console: %s: %s: %s", path, resp.Status, no.Error.Message)
	}
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("console: %s: %w", path, err)
	}
	return nil
}

// mixedWorld is what the swarm needs of GET /world.
type mixedWorld struct {
	TickRate int
	Doors    []mixedDoor
	Areas    []mixedArea
}

// mixedDoor is how a door shows others.
type mixedDoor struct {
	Name    string
	CycleMS int
	Bands   []struct {
		Radius  float32
		Radii   []float32
		EveryMS int
	}
}

// mixedArea is an area and where its doors' clients find it.
type mixedArea struct {
	ID      sim.AreaID
	Name    string
	PvP     bool
	Portals []struct {
		Name    string
		X, Y, Z float32
		To      *sim.AreaID
	}
	Solids []terrain.Solid
	Tiles  struct {
		UnitsPerTile float32
		BaseX, BaseZ uint16
		Plane        uint8
	}
	Blocks struct {
		UnitsPerBlock float32
		Origin        geom.Vec
		Height        float32
	}
}

func (a *mixedArea) tiles() terrain.TileGrid {
	return terrain.TileGrid{UnitsPerTile: a.Tiles.UnitsPerTile, BaseX: a.Tiles.BaseX, BaseZ: a.Tiles.BaseZ, Plane: a.Tiles.Plane}
}

func (a *mixedArea) blocks() terrain.BlockGrid {
	o := a.Blocks.Origin
	return terrain.BlockGrid{
		UnitsPerBlock: a.Blocks.UnitsPerBlock, Height: a.Blocks.Height, Origin: [3]int32{int32(o.X), int32(o.Y), int32(o.Z)},
	}
}

func (c *mixedConsole) world(ctx context.Context) (*mixedWorld, error) {
	w := new(mixedWorld)
	if err := c.get(ctx, "world", nil, w); err != nil {
		return nil, err
	}
	for i := range w.Areas {
		a := &w.Areas[i]
		if tiles, blocks := a.tiles(), a.blocks(); a.ID != sim.AreaID(i) || tiles.Check() != nil || blocks.Check() != nil {
			return nil, fmt.Errorf("console: the area %q has no scales for tiles and blocks", a.Name)
		}
	}
	if len(w.Areas) == 0 || w.TickRate < 1 {
		return nil, errors.New("console: the world has no areas")
	}
	return w, nil
}

// mixedOverview is what the swarm needs of GET /overview.
type mixedOverview struct {
	Areas []struct {
		Players              int
		TickP50US, TickP99US int64
	}
}

// mixedEntry is an entry of the journal.
type mixedEntry struct {
	ID      int64
	Verdict string
	Reason  string
	Player  string
	Door    string
	Times   int
	Asked   float64
	Allowed float64
	Unit    string
	Area    string
}

// corrections are all entries since a time, newest first.
func (c *mixedConsole) corrections(ctx context.Context, since time.Time) ([]mixedEntry, error) {
	var all []mixedEntry
	ask := url.Values{"since": {since.UTC().Format("2006-01-02T15:04:05.000Z")}, "limit": {strconv.Itoa(correctionPage)}}
	for {
		var page struct {
			Entries []mixedEntry
			Next    *int64
		}
		if err := c.get(ctx, "corrections", ask, &page); err != nil {
			return all, err
		}
		all = append(all, page.Entries...)
		if page.Next == nil || len(page.Entries) == 0 {
			return all, nil
		}
		ask.Set("before", strconv.FormatInt(*page.Next, 10))
	}
}

// mixedRoster is the message of the live map that says who an actor is.
type mixedRoster struct {
	Type string
	Add  []struct {
		ID     sim.EntityID
		Name   string
		Door   *string
		Player bool
	}
	Remove []sim.EntityID
}

// live reads the map of an area, at the rate of the ticks, until ctx ends. It calls roster and frame in its goroutine;
// both borrow what they get.
func (c *mixedConsole) live(ctx context.Context, area sim.AreaID, rate int, roster func(*mixedRoster), frame func(*console.LiveFrame)) error {
	u := c.base.JoinPath("live")
	u.RawQuery = url.Values{"area": {strconv.Itoa(int(area))}, "rate": {strconv.Itoa(rate)}}.Encode()
	u.Scheme = map[string]string{"http": "ws", "https": "wss"}[u.Scheme]
	dialing, cancel := context.WithTimeout(ctx, consoleWithin)
	conn, _, err := websocket.Dial(dialing, u.String(), &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + c.token}}})
	cancel()
	if err != nil {
		return fmt.Errorf("console: live map: %w", err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(mostLive)
	var actors []console.LiveActor
	for {
		kind, b, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("console: live map: %w", err)
		}
		if kind == websocket.MessageText {
			r := new(mixedRoster)
			if err := json.Unmarshal(b, r); err != nil {
				return fmt.Errorf("console: live map: %w", err)
			}
			if r.Type == "actors" {
				roster(r)
			}
			continue
		}
		f, err := console.ParseLive(b, actors)
		if err != nil {
			return fmt.Errorf("console: %w", err)
		}
		actors = f.Actors
		frame(&f)
	}
}
