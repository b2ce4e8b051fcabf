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

// Config of a Client. Addr, Key, User and Password are needed.
type Config struct {
	Addr           string           // HOST:PORT
	Key            *proto.PublicKey // the server's: see ParsePublicKey
	User, Password string

	// Reconnect lets the client come back by itself when a connection is lost without a word, as the game's does. It
	// tries for 15 s, after which a server has usually logged its player out.
	Reconnect bool

	Seed uint64 // of the behaviour's luck; 0 takes a new one

	// Dial opens connections; nil: TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Client is one player. See the package comment for who may call what.
type Client struct {
	cfg  Config
	rng  *rand.Rand      // the behaviour's
	life context.Context // ends with Close
	die  context.CancelFunc

	traffic traffic
	coming  sync.Mutex // Reconnect, one at a time, or Close

	mu       sync.Mutex // guards what follows; held for no longer than a packet takes
	link     *link      // nil between connections
	over     chan struct{}
	err      error     // why it is over; valid once it is closed
	killed   bool      // link was dropped by Kill
	leaving  bool      // Logout was asked for
	lostAt   time.Time // when the last connection ended
	manual   bool      // Reconnect is at work: the client does not come back by itself
	world    World
	play     Behaviour
	counts   Counts
	cadence  cadence
	gaps     *hdrhistogram.Histogram
	firstBad error
	mismatch *MismatchError
	info     proto.Info // scratch
}

// Dial connects and logs in, and returns a client that is in the game. Errors wrap ErrConfig, RefusedError, LostError,
// ErrAnswer, what the network says or how ctx ended, which is looked at until Dial returns.
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	switch {
	case cfg.Addr == "":
		return nil, fmt.Errorf("%w: Addr is empty", ErrConfig)
	case cfg.Key == nil:
		return nil, fmt.Errorf("%w: Key is nil", ErrConfig)
	case cfg.User == "" || cfg.Password == "":
		return nil, fmt.Errorf("%w: User or Password is empty", ErrConfig)
	}
	if cfg.Seed == 0 {
		cfg.Seed = rand.Uint64()
	}
	if cfg.Dial == nil {
		cfg.Dial = new(net.Dialer).DialContext
	}
	c := &Client{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x7273)), gaps: NewHistogram()}
	c.life, c.die = context.WithCancel(context.Background())
	l, err := c.connect(ctx, false)
	if err != nil {
		c.die()
		return nil, err
	}
	c.begin(l)
	return c, nil
}

// begin reads from a connection until it, and those that replace it, are over.
func (c *Client) begin(l *link) {
	over := make(chan struct{})
	c.mu.Lock()
	c.over, c.err = over, nil
	c.mu.Unlock()
	c.adopt(l)
	go func() {
		err := c.serve(l)
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
		close(over)
	}()
}

// adopt makes a connection that of the client, unless Close or Reconnect was faster.
func (c *Client) adopt(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link, c.killed, c.leaving = l, false, false
	c.counts.Missed += c.cadence.missed()
	c.cadence = cadence{}
	if c.life.Err() != nil || c.manual {
		l.conn.Close()
	}
}

// serve is the life of a client from a login on. It returns why it is over, nil after Logout.
func (c *Client) serve(l *link) error {
	for {
		err := c.reason(c.read(l))
		l.conn.Close()
		if !c.comesBack(err) {
			return err
		}
		again, back := c.comeBack()
		if back != nil {
			return errors.Join(err, back)
		}
		c.adopt(again)
		l = again
	}
}

// read handles packets until the connection ends.
func (c *Client) read(l *link) error {
	for {
		f, err := l.next()
		if err != nil {
			if !lost(err) {
				c.unreadable(err)
			}
			return err
		}
		if err := c.take(l, f); err != nil {
			return err
		}
	}
}

func (c *Client) unreadable(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bad(err)
}

// reason takes the connection away from the client and says why, knowing what the client itself has done to it.
func (c *Client) reason(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link, c.lostAt = nil, time.Now()
	switch {
	case c.life.Err() != nil:
		return ErrClosed
	case c.leaving && (lost(err) || errors.Is(err, ErrLoggedOut)):
		return nil
	case c.killed:
		return ErrKilled
	}
	return err
}

// comesBack tells whether the client tries to go on by itself.
func (c *Client) comesBack(err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cfg.Reconnect && !c.manual && lost(err)
}

// lost tells whether a session may go on after an error.
func lost(err error) bool {
	_, ok := errors.AsType[*LostError](err)
	return ok || errors.Is(err, ErrKilled)
}

// How a lost client tries to come back. Guess: servers keep a lost player for some 15 s.
const (
	returnFor   = 15 * time.Second
	returnPause = 500 * time.Millisecond
)

// comeBack tries to go on with the session that was lost.
func (c *Client) comeBack() (*link, error) {
	for end := time.Now().Add(returnFor); ; {
		l, err := c.connect(c.life, true)
		if err == nil || time.Now().After(end) || final(err) || !c.comesBack(&LostError{err}) {
			return l, err
		}
		pause := time.NewTimer(returnPause)
		select {
		case <-pause.C:
		case <-c.life.Done():
			pause.Stop()
			return nil, ErrClosed
		}
	}
}

// final tells whether trying again would come to the same.
func final(err error) bool {
	r, ok := errors.AsType[*RefusedError](err)
	return ok && r.Code != proto.ResponseOnline && r.Code != proto.ResponseBusy && r.Code != proto.ResponseOffline
}

// Reconnect drops the connection, if there is one, and logs in again with the wish to go on with the session. Errors are
// those of Dial and ErrClosed; the client is without a connection then, and Reconnect may be tried again. A Behaviour
// must not call it.
func (c *Client) Reconnect(ctx context.Context) error {
	c.coming.Lock()
	defer c.coming.Unlock()
	c.byHand(true)
	defer c.byHand(false)
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
	c.byHand(false)
	c.begin(l)
	return nil
}

func (c *Client) byHand(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.manual = on
}

// Done is closed when the client is out of the game, or, without Config.Reconnect, between two connections. Reconnect
// begins anew, with another channel.
func (c *Client) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// Err is why Done is closed: nil after Logout, or while it is not.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Kill drops the connection as a pulled plug would, as far as a program can. With Config.Reconnect the client comes back.
func (c *Client) Kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		c.killed = true
		c.link.drop()
	}
}

// Close ends the connection, and with it the client, and waits for its goroutine. The server is told nothing: see
// Logout. Further calls do nothing. A Behaviour must not call it.
func (c *Client) Close() {
	c.die()
	c.coming.Lock()
	defer c.coming.Unlock()
	c.mu.Lock()
	if c.link != nil {
		c.link.conn.Close()
	}
	over := c.over
	c.mu.Unlock()
	<-over
}

// Mismatch is the first PLAYER_INFO packet that the game's client would have given up on, nil if there was none.
func (c *Client) Mismatch() *MismatchError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mismatch
}

// FirstBad is the first packet that could not be read, nil if all could. Those that Mismatch tells are not among them.
func (c *Client) FirstBad() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.firstBad
}

// Look calls fn with what the client knows while nothing changes. fn must keep nothing of the world and must not call
// the client.
func (c *Client) Look(fn func(w *World)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(&c.world)
}
