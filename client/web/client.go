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

// tickTime is the duration of a client tick at the pace 1. The client sends one input per tick.
const tickTime = 50 * time.Millisecond

// Options configures a client. With the zero value, the client enters as a new guest. It connects over WebTransport if the server
// offers it, otherwise over WebSocket.
type Options struct {
	Name    string            // name of the account if Secret is set, else of a new guest's character; "" lets the server choose it
	Guest   string            // identity of a guest that entered before, see Client.GuestIdentity; "" for a new guest
	Secret  string            // secret of the account Name; "" enters as a guest
	Create  bool              // create the account if there is none of this name; only with Secret
	New     string            // new secret of the account; "" keeps the old one; only with Secret
	Token   string            // login token from the game's own backend, in place of the fields above
	Resume  proto.ResumeToken // token of a session to resume, see Client.ResumeToken; the zero value starts a new session
	Request uint16            // number of the last request in the session to resume, see World.LastRequest; new requests get the next numbers
	WS      bool              // use WebSocket even if the server offers WebTransport
	Seed    uint64            // seed of the behaviours' random numbers
	Grounds *GroundCache      // cache of grounds that several clients share; nil disables the cache

	Events func(w *World, e *proto.Event) // called for each proto.Event, in the goroutine that reads; may be nil

	Dial   func(ctx context.Context, network, addr string) (net.Conn, error) // opens TCP connections; nil selects sockets of the system
	Listen func() (net.PacketConn, error)                                    // opens the UDP socket; nil selects a socket of the system
	UDP    string                                                            // HOST:PORT to which WebTransport packets are sent, such as a relay; "" selects the address in the ticket
}

// Client is one player in the world, over one connection. Inspect may be called from any goroutine, also while Play runs.
type Client struct {
	http    *http.Client
	grounds *GroundCache      // cache of grounds; nil if there is none
	base    string            // URL of the web door without a final slash
	t       transport         // connection to the server
	guest   string            // secret identity of a guest, from the ticket
	token   proto.ResumeToken // token that resumes the session, from the Welcome
	known   bool              // result of KnowsRequests, from the Welcome

	mu    sync.Mutex // guards world and bye
	world *World
	bye   *proto.Bye // reason for which the server ends the connection; nil until the Bye message arrives
}

// RefusedError is the error that Dial returns if the server refuses the login.
type RefusedError struct{ proto.Refused }

// Error returns the server's text about the reason.
func (e *RefusedError) Error() string { return "the server refuses the login: " + e.Text }

// ByeError is the error that Client.Play returns if the server announces with a Bye message that it ends the connection.
type ByeError struct{ proto.Bye }

// Error returns the server's text about the reason.
func (e *ByeError) Error() string { return "the server ended the connection: " + e.Text }

// ErrProtocol reports that a message of the server contradicts the web protocol.
var ErrProtocol = errors.New("the server violated the web protocol")

// ticket is the response to POST /play/v1/ticket. It lets the client open one connection and says where.
type ticket struct {
	Ticket, Guest, WS, Schema string    // ticket for the Hello; guest identity; URL for WebSocket; hash of the schema, hexadecimal
	WT                        *struct { // WebTransport; nil if the server does not offer it
		URL    string   // URL for WebTransport
		Hashes []string // SHA-256 of each certificate that the server may present, in base64
	}
}

// Dial connects to the web door at the URL base, such as http://127.0.0.1:8090. It returns when the player is in the world.
func Dial(ctx context.Context, base string, o Options) (*Client, error) {
	c := &Client{http: &http.Client{Transport: &http.Transport{DialContext: o.Dial, DisableKeepAlives: true}}, base: strings.TrimSuffix(base, "/"), grounds: o.Grounds, world: newWorld(o.Seed)}
	c.world.onEvent, c.world.act = o.Events, o.Request
	ask, _ := json.Marshal(map[string]any{"name": o.Name, "guest": o.Guest, "secret": o.Secret, "create": o.Create, "new": o.New, "token": o.Token}) // strings do not fail
	var t ticket
	b, err := c.fetch(ctx, http.MethodPost, "/play/v1/ticket", ask)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err != nil {
		return nil, fmt.Errorf("request a ticket from %s: %w", c.base, err)
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

// schema makes the client use the server's schema and returns the schema's hash. The parameter name is that hash in hexadecimal,
// from the ticket. The schema is downloaded unless the client has it already.
func (c *Client) schema(ctx context.Context, name string) (hash proto.Hash, err error) {
	if _, err := hex.Decode(hash[:], []byte(name)); err != nil || len(name) != 2*len(hash) {
		return hash, fmt.Errorf("%w: the schema %q in the ticket is not a hash of %d hexadecimal digits", ErrProtocol, name, 2*len(hash))
	}
	if hash == c.world.schema.Hash() {
		return hash, nil
	}
	b, err := c.fetch(ctx, http.MethodGet, "/play/v1/schema", nil)
	if err != nil {
		return hash, fmt.Errorf("download the schema of the world from the server: %w", err)
	}
	var s proto.Schema
	if err := json.Unmarshal(b, &s); err != nil || s.Validate() != nil {
		return hash, fmt.Errorf("%w: the schema of the world is invalid: %w", ErrProtocol, errors.Join(err, s.Validate()))
	}
	c.world.setSchema(s)
	return hash, nil
}

// fetch sends an HTTP request to the server and returns the body of the response. A status other than 200 is a StatusError.
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

// maxFile is the maximum number of bytes that the client reads of the body of an HTTP response.
const maxFile = 256 << 20

// enter sends the Hello message. It then handles messages until the client has the terrain of the player's area, which the
// Welcome message names.
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

// GuestIdentity returns the secret by which the server recognizes a guest. To enter as the same guest again, pass it as
// Options.Guest.
func (c *Client) GuestIdentity() string { return c.guest }

// ResumeToken returns the token with which another connection can continue this session (see Options.Resume).
func (c *Client) ResumeToken() proto.ResumeToken { return c.token }

// KnowsRequests reports whether the server knows which requests of the session that this connection resumes were executed. If so, a
// request without an answer can be repeated with its number (see Options.Request), and is executed once. Otherwise its result is
// unknown, and a repetition may execute it again: the session was begun through another node of a cluster, or has expired.
func (c *Client) KnowsRequests() bool { return c.known }

// Inspect locks the client's world and calls f with it. f must not keep references to the world.
func (c *Client) Inspect(f func(w *World)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.world)
}

// Play sends 20 inputs a second, at most 2 % more and 20 % fewer (see pace), until ctx ends or the connection ends, and then closes the
// connection. For each input it calls act, which returns the keys that the player holds. If ctx has ended, the error is nil.
func (c *Client) Play(ctx context.Context, act func(w *World) keys.Keys) error {
	ctx, cancel := context.WithCancel(ctx)
	defer c.t.close()
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.read(ctx) }()
	due := time.Now().Add(tickTime)
	timer := time.NewTimer(tickTime)
	defer timer.Stop()
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
		case now := <-timer.C:
			if due = due.Add(c.interval()); due.Before(now) {
				due = now // the client is late by several ticks: one missed tick is run now, and the others are skipped
			}
			timer.Reset(time.Until(due))
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

// Leave asks the server to remove the player from the world at once, and waits until the server has closed the connection.
func (c *Client) Leave(ctx context.Context) {
	_ = c.t.control(ctx, &proto.Act{Number: 0, Verb: proto.VerbLeave, Handle: proto.NoHandle})
	for {
		if _, err := c.t.receive(ctx); err != nil {
			break
		}
	}
	c.t.close()
}

// Close closes the connection. The player stays in the world for some seconds.
func (c *Client) Close() { c.t.close() }

// tick runs one client tick: it calls act, simulates the player, sends the requests that act has queued, and then sends the
// input. It does nothing if the client is silent.
func (c *Client) tick(ctx context.Context, act func(w *World) keys.Keys) error {
	c.mu.Lock()
	w := c.world
	if w.silent {
		c.mu.Unlock()
		return nil
	}
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

// read receives and handles control messages and snapshots until the connection ends.
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

// handle handles one control message or snapshot that the server has sent.
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
		at, c.token, c.known = &m.Area, m.Resume, m.Features&proto.FeatureKnownActs != 0
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

// ground returns the terrain of an area. The parameter hash identifies the ground file with this terrain, which is taken from the
// cache or downloaded.
func (c *Client) ground(ctx context.Context, hash proto.Hash) (*terrain.Blocks, error) {
	return c.grounds.get(hash, func() (*terrain.Blocks, error) {
		b, err := c.fetch(ctx, http.MethodGet, "/play/v1/ground/"+hex.EncodeToString(hash[:]), nil)
		if err != nil {
			return nil, fmt.Errorf("download the blocks of the area from the server: %w", err)
		}
		return ParseGround(b)
	})
}

// handleSnapshot decodes a snapshot. If snapshots can be lost on this connection, it acknowledges the snapshot at once.
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
		w.pace.heard(h.Waits)
		w.snapshots++ // an actor computes its values from the new snapshot when they are read
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

// enterArea sets the area of the player and its terrain, and removes the actors of the previous area.
func (w *World) enterArea(at *proto.Area, ground *terrain.Blocks) {
	for _, a := range w.Actors {
		a.leave()
	}
	w.reader.Reset(at.Run)
	clear(w.Actors)
	w.newest, w.areaFields = 0, nil
	w.Area, w.Own, w.ground = at.Name, at.Own, ground
}

// handle updates the world from a control message of the server. If it returns an error, the connection must end.
func (w *World) handle(m proto.Message) error {
	switch m := m.(type) {
	case *proto.Welcome:
		if m.Features&proto.Features != proto.Features {
			return fmt.Errorf("%w: the server is older than this client and lacks features that the client needs; update the server", ErrProtocol)
		}
		w.history.Reset(m.Tick, avatarFrom(&m.Avatar))
		w.processed = uint8(m.Tick)
		w.stepped = 0
	case *proto.Enter:
		if former := w.Actors[m.Handle]; former != nil {
			former.leave()
		}
		if err := w.reader.Enter(m.Handle, m.Kind, m.State); err != nil {
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		a := &Actor{Handle: m.Handle, Kind: m.Kind, world: w, snapshot: w.snapshots, values: append([]int32(nil), m.State...)}
		w.Actors[m.Handle] = a
		a.apply(&m.Body)
	case *proto.Leave:
		if a := w.Actors[m.Handle]; a != nil {
			a.leave()
		}
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

// handleOwn adds to the prediction the state of the own player in a message of the server. The prediction applies the state at
// the next reconciliation: at the client tick in the message, or, if the message is a teleport, at the present tick.
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
	case proto.OwnTeleported: // applied at the present tick, because the server ignores positions in inputs until the client acknowledges it
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

// keepRequests changes the parameter arrival, the player's state after a teleport. The server ignores the positions in inputs
// until the client acknowledges the teleport, but it obeys requests in them, such as sprinting. keepRequests therefore copies the
// results of such requests from the parameter present, the predicted state.
func keepRequests(arrival *move.Avatar, present move.Avatar) {
	arrival.Sprinting, arrival.Sneaking, arrival.SneakHeld, arrival.JumpDelay = present.Sprinting, present.Sneaking, present.SneakHeld, present.JumpDelay
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
