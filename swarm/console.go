package swarm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
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

// consoleClient calls the API of a server's console, which docs/console-api.md describes.
type consoleClient struct {
	base  *url.URL // base URL of the console API
	token string   // access token
	http  http.Client
}

// Limits of requests to the console's API.
const (
	consoleTimeout    = 10 * time.Second // maximum time to wait for a response
	maxAnswerSize     = 32 << 20         // maximum size of a response in bytes
	maxLiveSize       = 16 << 20         // maximum size of a message of the live map in bytes
	correctionsPerGet = 500              // number of journal entries that one request asks for
)

// newConsoleClient parses the address of a console, which may end with #token=... as the server prints it. The function
// dial opens connections; if dial is nil, net.Dialer is used.
func newConsoleClient(address, token string, dial func(ctx context.Context, network, addr string) (net.Conn, error)) (*consoleClient, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("console address %q is not a URL; write it as http://HOST:PORT", address)
	}
	if rest, ok := strings.CutPrefix(u.Fragment, "token="); ok && token == "" {
		token = rest
	}
	if token == "" {
		return nil, errors.New("the token of the console is missing: the server prints one at its start, and truestep token add creates one; " +
			"set it with --token or TRUESTEP_TOKEN, or skip the comparison with --no-check")
	}
	u.Fragment, u.RawQuery = "", ""
	c := &consoleClient{base: u.JoinPath("/api/v1"), token: token, http: http.Client{Timeout: consoleTimeout}}
	if dial != nil {
		c.http.Transport = &http.Transport{DialContext: dial}
	}
	return c, nil
}

// close closes the idle connections of a client that was made with a function dial. The connections of other clients belong to
// the default transport of package http, and close leaves them open.
func (c *consoleClient) close() {
	if c.http.Transport != nil {
		c.http.CloseIdleConnections()
	}
}

// get requests a resource of the console API and decodes the JSON of the response into the variable at which the pointer
// "to" points.
func (c *consoleClient) get(ctx context.Context, path string, query url.Values, to any) error {
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
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerSize))
	if err != nil {
		return fmt.Errorf("console: read the response of GET /api/v1/%s: %w", path, err)
	}
	if resp.StatusCode != http.StatusOK {
		var failure struct{ Error struct{ Message string } }
		_ = json.Unmarshal(body, &failure) // if the response has no message, the error contains only the HTTP status
		return fmt.Errorf("console: GET /api/v1/%s is answered with status %s: %s", path, resp.Status, failure.Error.Message)
	}
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("console: decode the response of GET /api/v1/%s: %w", path, err)
	}
	return nil
}

// consoleWorld contains the fields of the response of GET /world that this package uses.
type consoleWorld struct {
	TickRate int           // ticks per second
	Doors    []consoleDoor // all doors of the server
	Areas    []consoleArea // areas by id
}

// consoleDoor is a door in the response of GET /world: how often it updates its clients about other actors.
type consoleDoor struct {
	Name    string     // name of the door, such as "rcce"
	CycleMS int        // time between two updates of a client, in ms
	Bands   []struct { // ranges of distances with different update intervals, nearest first; empty if the door has none
		Radius  float32   // outer radius of the band in the first area, in world units
		Radii   []float32 // outer radius of the band in each area, by area id
		EveryMS int       // time between two updates of an actor in the band, in ms
	}
}

// consoleArea is an area in the response of GET /world: its portals, its obstacles, and how positions in tiles and blocks are
// converted to world units.
type consoleArea struct {
	ID      sim.AreaID // id of the area
	Name    string     // name of the area
	PvP     bool       // players may attack each other
	Portals []struct { // portals of the area
		Name    string
		X, Y, Z float32
		To      *sim.AreaID // destination; nil if the portal leads nowhere
	}
	Solids []terrain.Solid // obstacles
	Tiles  struct {        // RuneScape tiles of the area, as in terrain.TileGrid
		UnitsPerTile float32
		BaseX, BaseZ uint16
		Plane        uint8
	}
	Blocks struct { // Bedrock blocks of the area, as in terrain.BlockGrid
		UnitsPerBlock float32
		Origin        geom.Vec
		Height        float32
	}
}

// tiles returns the grid that converts positions in the area to tiles. Clients of path authority (RuneScape) state positions in tiles.
func (a *consoleArea) tiles() terrain.TileGrid {
	return terrain.TileGrid{UnitsPerTile: a.Tiles.UnitsPerTile, BaseX: a.Tiles.BaseX, BaseZ: a.Tiles.BaseZ, Plane: a.Tiles.Plane}
}

// blocks returns the grid that converts positions in the area to block coordinates, in which predict clients (Bedrock) state
// positions.
func (a *consoleArea) blocks() terrain.BlockGrid {
	o := a.Blocks.Origin
	return terrain.BlockGrid{
		UnitsPerBlock: a.Blocks.UnitsPerBlock, Height: a.Blocks.Height, Origin: [3]int32{int32(o.X), int32(o.Y), int32(o.Z)},
	}
}

func (c *consoleClient) world(ctx context.Context) (*consoleWorld, error) {
	w := new(consoleWorld)
	if err := c.get(ctx, "world", nil, w); err != nil {
		return nil, err
	}
	for i := range w.Areas {
		a := &w.Areas[i]
		if tiles, blocks := a.tiles(), a.blocks(); a.ID != sim.AreaID(i) || tiles.Check() != nil || blocks.Check() != nil {
			return nil, fmt.Errorf("console: the response of GET /world has no valid size of tiles and blocks, or a wrong id, for the area %q", a.Name)
		}
	}
	if len(w.Areas) == 0 || w.TickRate < 1 {
		return nil, errors.New("console: the response of GET /world has no areas or no tick rate")
	}
	return w, nil
}

// consoleOverview contains the fields of the response of GET /overview that this package uses.
type consoleOverview struct {
	Areas []struct { // areas by id
		Players              int   // number of players in the area
		TickP50US, TickP99US int64 // median and 99th percentile of the tick time, in microseconds
	}
}

// journalEntry is an entry of the response of GET /corrections: a correction or refusal of a player's movement or action.
type journalEntry struct {
	ID      int64   // id of the entry; greater ids are newer
	Verdict string  // "held", "corrected" or "refused"
	Reason  string  // name of the reason, such as "too_fast"
	Player  string  // name of the player
	Door    string  // name of the player's door
	Times   int     // number of equal decisions that the entry stands for
	Asked   float64 // value that the player asked for, in Unit
	Allowed float64 // limit of the rule, in Unit
	Unit    string  // unit of Asked and Allowed; "" if they have none
	Area    string  // name of the area
}

// corrections returns all journal entries since a time, the newest first.
func (c *consoleClient) corrections(ctx context.Context, since time.Time) ([]journalEntry, error) {
	var all []journalEntry
	ask := url.Values{"since": {since.UTC().Format("2006-01-02T15:04:05.000Z")}, "limit": {strconv.Itoa(correctionsPerGet)}}
	for {
		var page struct {
			Entries []journalEntry
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

// liveActors is the message in which the live map lists the actors that were added to an area or removed from it.
type liveActors struct {
	Type string     // "actors" for a message of this kind
	Add  []struct { // actors that were added to the area
		ID     sim.EntityID
		Name   string
		Door   *string
		Player bool
	}
	Remove []sim.EntityID // actors that were removed from the area
}

// live reads the live map of an area until ctx ends. It calls the function roster with added and removed actors, and the
// function frame with positions. It calls both from one goroutine, and their arguments are valid only during the call. The
// parameter rate is the number of frames per second.
func (c *consoleClient) live(ctx context.Context, area sim.AreaID, rate int, roster func(*liveActors), frame func(*console.LiveFrame)) error {
	u := c.base.JoinPath("live")
	u.RawQuery = url.Values{"area": {strconv.Itoa(int(area))}, "rate": {strconv.Itoa(rate)}}.Encode()
	u.Scheme = map[string]string{"http": "ws", "https": "wss"}[u.Scheme]
	dialing, cancel := context.WithTimeout(ctx, consoleTimeout)
	conn, _, err := websocket.Dial(dialing, u.String(), &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: c.http.Transport},
		HTTPHeader: http.Header{"Authorization": {"Bearer " + c.token}},
	})
	cancel()
	if err != nil {
		return fmt.Errorf("console: connect to the live map: %w", err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxLiveSize)
	var actors []console.LiveActor
	for {
		kind, b, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("console: read a message of the live map: %w", err)
		}
		if kind == websocket.MessageText {
			r := new(liveActors)
			if err := json.Unmarshal(b, r); err != nil {
				return fmt.Errorf("console: decode a message of the live map: %w", err)
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
