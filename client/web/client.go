package web

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// tickTime is the duration of a tick, and so the time between two inputs.
const tickTime = 50 * time.Millisecond

// Options configures a client. The zero value enters as a new guest over WebTransport, or over WebSocket if the server has no WebTransport.
type Options struct {
	Name    string // name of a new guest's character; empty: the server chooses one
	Guest   string // identity of an earlier guest, see Client.GuestIdentity
	Secret  string // secret of the account Name; empty: a guest
	Create  bool   // with Secret: create the account if there is none of that name
	New     string // with Secret: the secret of the account from now on
	Token   string // token of the game's own backend, in place of all of these
	Resume  proto.ResumeToken
	WS      bool         // use WebSocket
	Seed    uint64       // of the random choices of behaviours
	Grounds *GroundCache // grounds that several clients share; nil: none

	Events func(w *World, e *proto.Event) // called for each event of the protocol, by the goroutine of Play; nil: not

	Dial   func(ctx context.Context, network, addr string) (net.Conn, error) // opens TCP connections; nil: the system's
	Listen func() (net.PacketConn, error)                                    // opens the UDP socket; nil: the system's
	UDP    string                                                            // HOST:PORT to which datagrams go instead of the ticket's, such as a relay
}

// Client is a player in the world over one connection. Inspect and Stats may be called from any goroutine.
type Client struct {
	http    *http.Client
	grounds *GroundCache
	base    string
	t       transport
	guest   string
	token   proto.ResumeToken

	mu    sync.Mutex
	world *World
	bye   *proto.Bye
}

// RefusedError is the error of Dial if the server refuses the client.
type RefusedError struct{ proto.Refused }

func (e *RefusedError) Error() string { return "the server refuses the login: " + e.Text }

// ByeError is the error of Client.Play if the server ends the connection.
type ByeError struct{ proto.Bye }

func (e *ByeError) Error() string { return "the server ended the connection: " + e.Text }

// ErrProtocol reports that the server violates the web protocol.
var ErrProtocol = errors.New("the server violates the web protocol")

// ticket is the response to POST /play/v1/ticket, the request for permission to enter.
type ticket struct {
	Ticket, Guest, WS, Schema string
	WT                        *struct {
		URL    string
		Hashes []string
	}
}

// Dial connects to the web door at the URL base, such as http://127.0.0.1:8090, and waits until the player is in the world.
func Dial(ctx context.Context, base string, o Options) (*Client, error) {
	c := &Client{http: &http.Client{Transport: &http.Transport{DialContext: o.Dial, DisableKeepAlives: true}}, base: strings.TrimSuffix(base, "/"), grounds: o.Grounds, world: newWorld(o.Seed)}
	c.world.onEvent = o.Events
	ask, _ := json.Marshal(map[string]any{"name": o.Name, "guest": o.Guest, "secret": o.Secret, "create": o.Create, "new": o.New, "token": o.Token}) // strings do not fail
	var t ticket
	b, err := c.fetch(ctx, http.MethodPost, "/play/v1/ticket", ask)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err != nil {
		return nil, fmt.Errorf("ticket: %w", err)
	}
	c.guest = t.Guest
	schema, err := c.schema(ctx, t.Schema)
	if err != nil {
		return nil, err
	}
	if o.WS || t.WT == nil {
		c.t, err = dialWebSocket(ctx, t.WS, c.http)
	} else {
		c.t, err = dialWebTransport(ctx, t.WT.URL, t.WT.Hashes, o.UDP, o.Listen)
	}
	if err != nil {
		return nil, err
	}
	if err := c.enter(ctx, &proto.Hello{Features: proto.Features, Ticket: t.Ticket, Resume: o.Resume, Schema: schema}); err != nil {
		c.t.close()
		return nil, err
	}
	return c, nil
}

// schema downloads the schema that the ticket names, unless it is the built-in one, and returns its hash.
func (c *Client) schema(ctx context.Context, name string) (hash proto.Hash, err error) {
	if _, err := hex.Decode(hash[:], []byte(name)); err != nil || len(name) != 2*len(hash) {
		return hash, fmt.Errorf("%w: the ticket names the schema %q", ErrProtocol, name)
	}
	if hash == c.world.schema.Hash() {
		return hash, nil
	}
	b, err := c.fetch(ctx, http.MethodGet, "/play/v1/schema", nil)
	if err != nil {
		return hash, fmt.Errorf("schema: %w", err)
	}
	var s proto.Schema
	if err := json.Unmarshal(b, &s); err != nil || s.Validate() != nil {
		return hash, fmt.Errorf("%w: schema: %w", ErrProtocol, errors.Join(err, s.Validate()))
	}
	c.world.setSchema(s)
	return hash, nil
}

// fetch makes an HTTP request to the server and returns the body of the response.
func (c *Client) fetch(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	a, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	b, err := io.ReadAll(io.LimitReader(a.Body, maxFile))
	if err == nil && a.StatusCode != http.StatusOK {
		err = errStatus(path, a.StatusCode, b)
	}
	return b, err
}

// maxFile is the maximum length in bytes of an HTTP response that the client reads.
const maxFile = 256 << 20

// enter sends the Hello and waits for the Welcome.
func (c *Client) enter(ctx context.Context, hello *proto.Hello) error {
	if err := c.t.control(ctx, hello); err != nil {
		return err
	}
	for {
		b, err := c.t.receive(ctx)
		if err != nil {
			return err
		}
		if err := c.handle(ctx, b); err != nil {
			return err
		}
		if c.world.ground != nil {
			return nil
		}
	}
}

// GuestIdentity returns the secret identity of a guest. Pass it as Options.Guest to enter as the same player again.
func (c *Client) GuestIdentity() string { return c.guest }

// ResumeToken returns the token that resumes this session over another connection; see Options.Resume.
func (c *Client) ResumeToken() proto.ResumeToken { return c.token }

// Inspect calls f with the client's world, while no other goroutine changes it. f must not keep references to the world.
func (c *Client) Inspect(f func(w *World)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.world)
}

// Play sends 20 inputs a second with the keys that act returns, until ctx or the connection ends. Then it closes the connection. The error
// is nil if ctx has ended.
func (c *Client) Play(ctx context.Context, act func(w *World) keys.Keys) error {
	ctx, cancel := context.WithCancel(ctx)
	defer c.t.close()
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.read(ctx) }()
	ticker := time.NewTicker(tickTime)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			c.t.close()
			<-ended
			return nil
		case err := <-ended:
			if ctx.Err() != nil {
				return nil
			}
			return err
		case <-ticker.C:
			if err := c.tick(ctx, act); err != nil && ctx.Err() == nil {
				c.t.close()
				if why := <-ended; why != nil {
					return why
				}
				return err
			}
		}
	}
}

// Leave takes the player out of the world immediately and closes the connection.
func (c *Client) Leave(ctx context.Context) {
	_ = c.t.control(ctx, &proto.Act{Number: 0, Verb: proto.VerbLeave, Handle: proto.NoHandle})
	for {
		if _, err := c.t.receive(ctx); err != nil {
			break
		}
	}
	c.t.close()
}

// Close closes the connection without leaving the world: the player lingers there for some seconds.
func (c *Client) Close() { c.t.close() }

// tick simulates one tick and sends its input and the requests that act has made.
func (c *Client) tick(ctx context.Context, act func(w *World) keys.Keys) error {
	c.mu.Lock()
	w := c.world
	in := w.advance(act(w))
	acts := w.acts
	w.acts = nil
	b := in.Append(nil)
	w.Counts.BytesOut += uint64(len(b))
	c.mu.Unlock()
	for i := range acts {
		if err := c.t.control(ctx, &acts[i]); err != nil {
			return err
		}
	}
	return c.t.datagram(ctx, b)
}

// read handles the messages and snapshots of the server until the connection ends.
func (c *Client) read(ctx context.Context) error {
	for {
		b, err := c.t.receive(ctx)
		if err == nil {
			err = c.handle(ctx, b)
		}
		if err != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.bye != nil {
				return &ByeError{*c.bye}
			}
			return err
		}
	}
}

// handle handles one message or one snapshot of the server.
func (c *Client) handle(ctx context.Context, b []byte) error {
	if len(b) > 0 && b[0]&proto.KindSnapshot != 0 {
		return c.handleSnapshot(ctx, b)
	}
	m, err := proto.ParseServerMessage(b)
	if errors.Is(err, proto.ErrUnknown) {
		err = nil
		m = nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	var at *proto.Area
	switch m := m.(type) {
	case *proto.Refused:
		return &RefusedError{*m}
	case *proto.Welcome:
		at, c.token = &m.Area, m.Resume
	case *proto.Area:
		at = m
	}
	var ground *terrain.Blocks
	if at != nil {
		if ground, err = c.ground(ctx, at.Ground); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.world.heard++
	c.world.Counts.BytesIn += uint64(len(b))
	if at != nil {
		c.world.enterArea(at, ground)
	}
	if bye, ok := m.(*proto.Bye); ok {
		c.bye = bye
	}
	return c.world.handle(m)
}

// ground downloads and parses the ground of an area, or takes it from the cache.
func (c *Client) ground(ctx context.Context, hash proto.Hash) (*terrain.Blocks, error) {
	return c.grounds.get(hash, func() (*terrain.Blocks, error) {
		b, err := c.fetch(ctx, http.MethodGet, "/play/v1/ground/"+hex.EncodeToString(hash[:]), nil)
		if err != nil {
			return nil, fmt.Errorf("ground: %w", err)
		}
		return ParseGround(b)
	})
}

// handleSnapshot decodes a snapshot and acknowledges it immediately.
func (c *Client) handleSnapshot(ctx context.Context, b []byte) error {
	c.mu.Lock()
	w := c.world
	h, ok, err := w.reader.Read(b, func(uint16, []int32) {
		w.Counts.Told++
	})
	w.Counts.BytesIn += uint64(len(b))
	w.Counts.Snapshots++
	if ok {
		w.Waits, w.processed, w.newest = h.Waits, h.Input, h.Tick
		for _, a := range w.Actors {
			_, a.Sure = w.reader.StateAtNewest(a.Handle, a.values)
			copy(a.State[:], a.values)
		}
	} else {
		w.Counts.Dropped++
	}
	ack := proto.Ack{ReceivedSnapshots: w.reader.Received()}
	c.mu.Unlock()
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	case !ok || c.t.ordered():
		return nil
	}
	return c.t.datagram(ctx, ack.Append(nil))
}

// enterArea prepares the world for another area: it forgets the actors of the previous area.
func (w *World) enterArea(at *proto.Area, ground *terrain.Blocks) {
	w.reader.Reset(at.Run)
	clear(w.Actors)
	w.newest, w.areaFields = 0, nil
	w.Area, w.Own, w.ground = at.Name, at.Own, ground
}

// handle applies a control message.
func (w *World) handle(m proto.Message) error {
	switch m := m.(type) {
	case *proto.Welcome:
		if m.Features&proto.Features != proto.Features {
			return fmt.Errorf("%w: the server is older than this client", ErrProtocol)
		}
		w.history.Reset(m.Tick, avatarFrom(&m.Avatar))
		w.processed = uint8(m.Tick)
		w.stepped = 0
	case *proto.Enter:
		if err := w.reader.Enter(m.Handle, m.Kind, m.State); err != nil {
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		a := &Actor{Handle: m.Handle, Kind: m.Kind, values: append([]int32(nil), m.State...)}
		copy(a.State[:], m.State)
		w.Actors[m.Handle] = a
		a.apply(&m.Body)
	case *proto.Leave:
		w.reader.Leave(m.Handle)
		delete(w.Actors, m.Handle)
	case *proto.Body:
		if a := w.Actors[m.Handle]; a != nil {
			a.apply(m)
		}
	case *proto.Own:
		w.handleOwn(m)
	case *proto.Event:
		w.handleEvent(m)
		if w.onEvent != nil {
			w.onEvent(w, m)
		}
	case *proto.GameEvent:
		w.handleGame(m)
	case *proto.AreaFields:
		w.areaFields = m.Values
	case *proto.Answer:
		w.answers[m.Number] = *m
	}
	return nil
}

func (a *Actor) apply(b *proto.Body) {
	if b.Mask&proto.BodyDoor != 0 {
		a.Door = b.Door
	}
	if b.Mask&proto.BodyLevel != 0 {
		a.Level = b.Level
	}
	if b.Mask&proto.BodyHealthMax != 0 {
		a.HealthMax = b.HealthMax
	}
	if b.Mask&proto.BodyName != 0 {
		a.Name = b.Name
	}
	if b.Mask&proto.BodyFields != 0 {
		a.slow = b.Fields
	}
}

// handleOwn adds the server's state of the own player to the prediction history, at the tick of the message.
func (w *World) handleOwn(m *proto.Own) {
	u := ownUpdate{avatarFrom(&m.Avatar)}
	tick := w.history.Tick() - uint64(uint32(w.history.Tick())-m.Tick)
	switch m.What {
	case proto.OwnCorrected:
		w.Counts.Corrections++
		w.corrected = true
	case proto.OwnKnockback:
		w.Counts.Knockbacks++
		w.moved = true
	case proto.OwnTeleported: // the server ignores what was sent since: the present state is the new one
		w.Counts.Teleports++
		w.moved = true
		w.teleport = true
		tick = 0
		keepRequests(&u.avatar, w.history.State())
	}
	w.history.Add(tick, u)
	w.LastOwn = *m
	if m.Serial != 0 {
		w.barrier = m.Serial
	}
}

// keepRequests copies into the state after a teleport what the player's own inputs have requested since. While a teleport is not acknowledged,
// the server ignores the positions of the inputs and still follows what they request.
func keepRequests(to *move.Avatar, present move.Avatar) {
	to.Sprinting, to.Sneaking, to.SneakHeld, to.JumpDelay = present.Sprinting, present.Sneaking, present.SneakHeld, present.JumpDelay
}

func (w *World) handleEvent(m *proto.Event) {
	switch m.Kind {
	case proto.EventStruck:
		w.Counts.Struck++
	case proto.EventDied:
		if m.Who == w.Own {
			w.Counts.Deaths++
		}
	case proto.EventSaid:
		from := ""
		if a := w.Actors[m.Who]; a != nil {
			from = a.Name
		}
		w.Lines = append(w.Lines, from+"\t"+m.Text)
	case proto.EventTold:
		w.Lines = append(w.Lines, "\t"+m.Text)
	}
}
