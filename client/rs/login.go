package rs

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

const loginFor = 30 * time.Second // for a whole login: the socket timeout of real clients

// What this client says of its window and its settings.
const (
	windowWidth, windowHeight = 1024, 768
	loginContext              = 255 // none
	optionsVersion            = 25
)

// connect opens a connection and logs in. again asks for the session that the client had before. The world is as the
// server has it when there is no error.
func (c *Client) connect(ctx context.Context, again bool) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, loginFor)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	conn, err := c.cfg.Dial(ctx, "tcp", c.cfg.Addr)
	if err != nil {
		return nil, c.ended(ctx, fmt.Errorf("connect: %w", err))
	}
	l := newLink(conn, &c.traffic)
	inTime := context.AfterFunc(ctx, func() { conn.Close() })
	err = c.logIn(l, again)
	if !inTime() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		return nil, c.ended(ctx, fmt.Errorf("login: %w", err))
	}
	return l, nil
}

// ended puts the reason in front of what it did to the network.
func (c *Client) ended(ctx context.Context, err error) error {
	switch {
	case c.life.Err() != nil:
		return ErrClosed
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		return fmt.Errorf("%w (%w)", ctx.Err(), err)
	}
	return err
}

// logIn does all that stands between a new connection and the game.
func (c *Client) logIn(l *link, again bool) error {
	if err := l.raw([]byte{proto.RequestLogin}); err != nil {
		return err
	}
	answer, err := l.response()
	if err != nil {
		return err
	}
	if answer.Code != proto.ResponseContinue {
		return refused(answer)
	}
	keys := newKeys()
	request, err := proto.AppendLogin(nil, c.cfg.Key, again, proto.RSABlock{Keys: keys, Password: c.cfg.Password}, details(c.cfg.User))
	if err != nil {
		return fmt.Errorf("password of %d bytes: %w", len(c.cfg.Password), err)
	}
	if err := l.raw(request); err != nil {
		return err
	}
	cipher := keys.ClientCipher()
	if answer, err = l.verdict(cipher); err != nil {
		return err
	}
	l.secure(cipher, keys.ServerCipher())
	switch {
	case answer.Code == proto.ResponseOK:
		err = c.arrive(l, answer.Body)
	case answer.Code == proto.ResponseReconnect && again:
		err = c.resume(answer.Body)
	default:
		return refused(answer)
	}
	if err != nil {
		return err
	}
	return l.send(proto.WindowStatus{Mode: proto.WindowResizable, Width: windowWidth, Height: windowHeight})
}

func refused(a proto.Response) error {
	return &RefusedError{Code: a.Code, Body: append([]byte(nil), a.Body...)}
}

// response reads one answer, which is borrowed until the next reading.
func (l *link) response() (proto.Response, error) {
	for {
		p, n, err := proto.SplitResponse(l.unread())
		if err != nil {
			return p, fmt.Errorf("%w: %w", ErrAnswer, err)
		}
		if n > 0 {
			l.from += n
			return p, nil
		}
		if err := l.fill(); err != nil {
			return p, &LostError{err}
		}
	}
}

// verdict reads answers until one is final. An advert is over at once.
func (l *link) verdict(cipher *proto.ISAAC) (proto.Response, error) {
	for {
		p, err := l.response()
		if err != nil || p.Code.Final() {
			return p, err
		}
		if p.Code == proto.ResponseAdvert {
			if err := l.raw([]byte{proto.RequestAdvertOver + uint8(cipher.Next())}); err != nil {
				return p, err
			}
		}
	}
}

// arrive reads the welcome and the first map, and begins the world anew.
func (c *Client) arrive(l *link, body []byte) error {
	welcome, err := proto.ParseWelcome(body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	first, err := l.firstMap()
	if err != nil {
		return err
	}
	placement, rebuild, err := proto.SplitFirstMap(first.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	players, err := proto.NewClient(proto.Profile667, welcome.Index, placement)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	scene, err := parseScene(first.Op, rebuild)
	if err != nil {
		return fmt.Errorf("%w: first map: %w", ErrAnswer, err)
	}
	c.mu.Lock()
	c.world = World{Welcome: welcome, Scene: scene, Energy: -1, Life: -1, players: players}
	c.counts.Maps++
	c.mu.Unlock()
	return l.send(proto.MapBuildComplete{})
}

// firstMap reads the frame behind the welcome: one with a u16 length, and any opcode.
func (l *link) firstMap() (proto.Frame, error) {
	for {
		f, n, err := l.frames.Next(l.unread())
		if err != nil {
			return f, fmt.Errorf("%w: %w", ErrAnswer, err)
		}
		if n > 0 {
			l.from += n
			return f, nil
		}
		if err := l.fill(); err != nil {
			return f, &LostError{err}
		}
	}
}

// resume takes a placement block: everybody but the own player is to be seen anew.
func (c *Client) resume(placement []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.world.players.Reconnect(placement); err != nil {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	c.counts.Reconnects++
	c.counts.AwayMillis += uint64(time.Since(c.lostAt).Milliseconds())
	return nil
}

// newKeys draws the keys of a connection.
func newKeys() (keys proto.Keys) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	for i := range keys {
		keys[i] = binary.BigEndian.Uint32(b[4*i:])
	}
	return keys
}

// details is what is said of a computer that is not there.
func details(user string) proto.LoginDetails {
	d := proto.LoginDetails{
		Username: user, Context: loginContext,
		WindowMode: proto.WindowResizable, Width: windowWidth, Height: windowHeight,
		Options: []byte{optionsVersion},
	}
	for i := range d.UID {
		d.UID[i] = 0xff // none yet
	}
	return d
}
