package rs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Config configures a Client. Addr, Key, User and Password are required.
type Config struct {
	Addr           string           // server address, HOST:PORT
	Key            *proto.PublicKey // public key of the server, see ParsePublicKey
	User, Password string           // name and password of the account

	// Reconnect makes the client reconnect automatically when the connection is lost, as the game client does. It tries
	// for 15 s, after which servers have usually logged the player out.
	Reconnect bool

	Seed uint64 // seed of the behaviour's random numbers; 0 selects a random seed

	// Line is called for each line of text that the client receives, in order; nil for none. World.Lines has only the last 32
	// lines. The function runs while the client reads a packet: it must not block or call methods of the client.
	Line func(w *World, l TextLine)

	// Dial opens the connections to the server; nil selects the system's TCP sockets.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Client is one player. See the package comment for its concurrency rules.
type Client struct {
	cfg    Config
	rng    *rand.Rand      // random numbers of the behaviour
	ctx    context.Context // cancelled by Close
	cancel context.CancelFunc

	traffic      traffic    // byte and keep-alive counters
	reconnecting sync.Mutex // held by Reconnect and Close, which must not overlap

	mu              sync.Mutex    // guards the fields below; held for at most one packet
	link            *link         // current connection, nil between two connections
	done            chan struct{} // closed when the client has ended; see Done
	err             error         // why the client ended; valid once done is closed
	killed          bool          // Kill dropped the current connection
	leaving         bool          // Logout was called
	lostAt          time.Time     // time when the last connection ended
	manual          bool          // Reconnect is running, so automatic reconnects are off
	world           World
	behaviour       Behaviour
	counts          Counts
	cadence         cycleTimer              // counts missed cycles
	gaps            *hdrhistogram.Histogram // histogram of the times between PLAYER_INFO packets
	firstParseError error
	mismatch        *MismatchError // first PLAYER_INFO packet that could not be decoded; nil if there is none
	info            proto.Info     // reused memory of the method countChange
}

// Dial connects, logs in and returns a client that is in the game. Errors wrap ErrConfig, RefusedError, LostError,
// ErrAnswer, a network error or ctx.Err(). ctx applies only until Dial returns.
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	switch {
	case cfg.Addr == "":
		return nil, fmt.Errorf("%w: Config.Addr is empty", ErrConfig)
	case cfg.Key == nil:
		return nil, fmt.Errorf("%w: Config.Key is nil", ErrConfig)
	case cfg.User == "" || cfg.Password == "":
		return nil, fmt.Errorf("%w: Config.User or Config.Password is empty", ErrConfig)
	}
	if cfg.Seed == 0 {
		cfg.Seed = rand.Uint64()
	}
	if cfg.Dial == nil {
		cfg.Dial = new(net.Dialer).DialContext
	}
	c := &Client{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x7273)), gaps: NewHistogram()}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	l, err := c.connect(ctx, false)
	if err != nil {
		c.cancel()
		return nil, err
	}
	c.start(l)
	return c, nil
}

// start starts the goroutine that processes the packets of the connection l, and of each connection that automatic reconnects put
// in place of l.
func (c *Client) start(l *link) {
	over := make(chan struct{})
	c.mu.Lock()
	c.done, c.err = over, nil
	c.mu.Unlock()
	c.setLink(l)
	go func() {
		err := c.serve(l)
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
		close(over)
	}()
}

// setLink makes l the client's connection. It closes l at once if Close or Reconnect was called during the login.
func (c *Client) setLink(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link, c.killed, c.leaving = l, false, false
	c.counts.Missed += c.cadence.missed()
	c.cadence = cycleTimer{}
	if c.ctx.Err() != nil || c.manual {
		l.conn.Close()
	}
}

// serve processes packets, and reconnects if that is configured, until the client ends. It returns why the client ended, or nil
// after Logout.
func (c *Client) serve(l *link) error {
	for {
		err := c.endLink(c.read(l))
		l.conn.Close()
		if !c.autoReconnects(err) {
			return err
		}
		again, back := c.autoReconnect()
		if back != nil {
			return errors.Join(err, back)
		}
		c.setLink(again)
		l = again
	}
}

// read handles the packets of the server until the connection ends, and returns the reason.
func (c *Client) read(l *link) error {
	for {
		f, err := l.next()
		if err != nil {
			if !isLost(err) {
				c.countUnreadable(err)
			}
			return err
		}
		if err := c.handleFrame(l, f); err != nil {
			return err
		}
	}
}

func (c *Client) countUnreadable(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.countBad(err)
}

// endLink removes the connection from the client and returns why it ended: ErrClosed after Close, nil after a Logout that the
// server has accepted, ErrKilled after Kill, and otherwise err.
func (c *Client) endLink(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link, c.lostAt = nil, time.Now()
	switch {
	case c.ctx.Err() != nil:
		return ErrClosed
	case c.leaving && (isLost(err) || errors.Is(err, ErrLoggedOut)):
		return nil
	case c.killed:
		return ErrKilled
	}
	return err
}

// autoReconnects reports whether the client reconnects automatically after its connection ended with err.
func (c *Client) autoReconnects(err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cfg.Reconnect && !c.manual && isLost(err)
}

// isLost reports whether err means that the connection was lost, so that the session may be resumed.
func isLost(err error) bool {
	_, ok := errors.AsType[*LostError](err)
	return ok || errors.Is(err, ErrKilled)
}

// Duration of an automatic reconnection, and the time between its attempts.
const (
	reconnectWindow = 15 * time.Second       // time for which the client tries to reconnect; about the time for which servers keep a lost player
	reconnectPause  = 500 * time.Millisecond // pause between two attempts
)

// autoReconnect tries to resume the lost session until it succeeds or reconnectWindow is over. It returns the new connection, or
// the error of the last attempt.
func (c *Client) autoReconnect() (*link, error) {
	for end := time.Now().Add(reconnectWindow); ; {
		l, err := c.connect(c.ctx, true)
		if err == nil || time.Now().After(end) || isFinal(err) || !c.autoReconnects(&LostError{err}) {
			return l, err
		}
		pause := time.NewTimer(reconnectPause)
		select {
		case <-pause.C:
		case <-c.ctx.Done():
			pause.Stop()
			return nil, ErrClosed
		}
	}
}

// isFinal reports whether err is a refusal of the login for which another attempt is useless.
func isFinal(err error) bool {
	r, ok := errors.AsType[*RefusedError](err)
	return ok && r.Code != proto.ResponseOnline && r.Code != proto.ResponseBusy && r.Code != proto.ResponseOffline
}

// Reconnect drops the connection, if there is one, and logs in again to resume the session. Errors are those of Dial, and
// ErrClosed. After an error the client has no connection, and Reconnect may be called again. A Behaviour must not call Reconnect.
func (c *Client) Reconnect(ctx context.Context) error {
	c.reconnecting.Lock()
	defer c.reconnecting.Unlock()
	c.setManual(true)
	defer c.setManual(false)
	c.Kill()
	select {
	case <-c.Done():
	case <-ctx.Done():
		return ctx.Err()
	}
	l, err := c.connect(ctx, true)
	if err != nil {
		return err
	}
	c.setManual(false)
	c.start(l)
	return nil
}

func (c *Client) setManual(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.manual = on
}

// Done returns a channel that is closed when the client has left the game or, without Config.Reconnect, lost its
// connection. After Reconnect it returns a new channel.
func (c *Client) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.done
}

// Err returns why the client ended, once the channel of Done is closed. It returns nil after Logout, and while the channel is
// open.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Kill resets the connection without a logout, like a network failure. With Config.Reconnect the client reconnects.
func (c *Client) Kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		c.killed = true
		c.link.reset()
	}
}

// Close ends the client without a logout (see Logout) and waits for its goroutine. Further calls do nothing. A Behaviour, which
// runs in that goroutine, must not call Close.
func (c *Client) Close() {
	c.cancel()
	c.reconnecting.Lock()
	defer c.reconnecting.Unlock()
	c.mu.Lock()
	if c.link != nil {
		c.link.conn.Close()
	}
	over := c.done
	c.mu.Unlock()
	<-over
}

// Mismatch returns the error of the first PLAYER_INFO packet on which the game client would fail, or nil. Such a packet is an
// error of the server.
func (c *Client) Mismatch() *MismatchError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mismatch
}

// FirstParseError returns the error of the first packet that could not be parsed, or nil. PLAYER_INFO packets are reported
// by Mismatch instead.
func (c *Client) FirstParseError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.firstParseError
}

// Inspect calls fn with the client's world, which does not change meanwhile. fn must not keep references to the world and must
// not call methods of the client.
func (c *Client) Inspect(fn func(w *World)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(&c.world)
}
