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

const loginTimeout = 30 * time.Second // maximum duration of a login, equal to the socket timeout of real clients

// Window size and settings that the client states in its login.
const (
	windowWidth, windowHeight = 1024, 768 // window size in pixels
	loginContext              = 255       // value of the login field context that means none
	optionsVersion            = 25        // version of the client options
)

// connect opens a connection and logs in, or resumes the previous session if again is true. On success c.world is the state
// that the server sent.
func (c *Client) connect(ctx context.Context, again bool) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	conn, err := c.cfg.Dial(ctx, "tcp", c.cfg.Addr)
	if err != nil {
		return nil, c.withReason(ctx, fmt.Errorf("connect: %w", err))
	}
	l := newLink(conn, &c.traffic)
	inTime := context.AfterFunc(ctx, func() { conn.Close() })
	err = c.logIn(l, again)
	if !inTime() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		return nil, c.withReason(ctx, fmt.Errorf("login: %w", err))
	}
	return l, nil
}

// withReason returns the error of a connection attempt that failed with err: ErrClosed if the client was closed, an error that
// also wraps that of ctx if ctx has ended, and otherwise err.
func (c *Client) withReason(ctx context.Context, err error) error {
	switch {
	case c.ctx.Err() != nil:
		return ErrClosed
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		return fmt.Errorf("%w (%w)", ctx.Err(), err)
	}
	return err
}

// logIn performs the handshake and the login on the new connection l. If again is true, the login resumes the previous session.
func (c *Client) logIn(l *link, again bool) error {
	if err := l.writeBytes([]byte{proto.RequestLogin}); err != nil {
		return err
	}
	answer, err := l.response()
	if err != nil {
		return err
	}
	if answer.Code != proto.ResponseContinue {
		return newRefusedError(answer)
	}
	keys := newKeys()
	request, err := proto.AppendLogin(nil, c.cfg.Key, again, proto.RSABlock{Keys: keys, Password: c.cfg.Password}, loginDetails(c.cfg.User))
	if err != nil {
		return fmt.Errorf("build the login request with a password of %d bytes: %w", len(c.cfg.Password), err)
	}
	if err := l.writeBytes(request); err != nil {
		return err
	}
	cipher := keys.ClientCipher()
	if answer, err = l.finalResponse(cipher); err != nil {
		return err
	}
	l.startFrames(cipher, keys.ServerCipher())
	switch {
	case answer.Code == proto.ResponseOK:
		err = c.enterGame(l, answer.Body)
	case answer.Code == proto.ResponseReconnect && again:
		err = c.resumeSession(answer.Body)
	default:
		return newRefusedError(answer)
	}
	if err != nil {
		return err
	}
	return l.send(proto.WindowStatus{Mode: proto.WindowResizable, Width: windowWidth, Height: windowHeight})
}

func newRefusedError(a proto.Response) error {
	return &RefusedError{Code: a.Code, Body: append([]byte(nil), a.Body...)}
}

// response reads one response of the server to the login. The response is valid until the next read.
func (l *link) response() (proto.Response, error) {
	for {
		p, n, err := proto.SplitResponse(l.buffered())
		if err != nil {
			return p, fmt.Errorf("%w: read the response code: %w", ErrAnswer, err)
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

// finalResponse reads responses until one accepts or refuses the login. If the server asks the client to show an advert, it
// replies at once that the advert is over.
func (l *link) finalResponse(cipher *proto.ISAAC) (proto.Response, error) {
	for {
		p, err := l.response()
		if err != nil || p.Code.IsFinal() {
			return p, err
		}
		if p.Code == proto.ResponseAdvert {
			if err := l.writeBytes([]byte{proto.RequestAdvertOver + uint8(cipher.NextWord())}); err != nil {
				return p, err
			}
		}
	}
}

// enterGame enters the world after a login: it parses the welcome packet in body, reads the first map and resets the world.
func (c *Client) enterGame(l *link, body []byte) error {
	welcome, err := proto.ParseWelcome(body)
	if err != nil {
		return fmt.Errorf("%w: parse the welcome packet after the login: %w", ErrAnswer, err)
	}
	first, err := l.firstMap()
	if err != nil {
		return err
	}
	placement, rebuild, err := proto.SplitFirstMap(first.Body)
	if err != nil {
		return fmt.Errorf("%w: split the first map packet into the positions of all players and the map: %w", ErrAnswer, err)
	}
	players, err := proto.NewPlayerInfoDecoder(proto.Profile667, welcome.Index, placement)
	if err != nil {
		return fmt.Errorf("%w: parse the positions of all players in the first map packet: %w", ErrAnswer, err)
	}
	scene, err := parseScene(first.Op, rebuild)
	if err != nil {
		return fmt.Errorf("%w: parse the map in the first map packet: %w", ErrAnswer, err)
	}
	c.mu.Lock()
	c.world = World{Welcome: welcome, Scene: scene, Energy: -1, Life: -1, players: players}
	c.counts.Maps++
	c.mu.Unlock()
	return l.send(proto.MapBuildComplete{})
}

// firstMap reads the first map packet, which follows the welcome packet. Its opcode is not checked.
func (l *link) firstMap() (proto.Frame, error) {
	for {
		f, n, err := l.frames.Next(l.buffered())
		if err != nil {
			return f, fmt.Errorf("%w: read the first map packet: %w", ErrAnswer, err)
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

// resumeSession resumes the session after a reconnection. The parameter placement is the part of the server's answer that
// contains the positions of all players. The client shows no other player until the server adds the nearby ones again.
func (c *Client) resumeSession(placement []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.world.players.Reconnect(placement); err != nil {
		return fmt.Errorf("%w: parse the positions of all players in the answer to a reconnection: %w", ErrAnswer, err)
	}
	c.counts.Reconnects++
	c.counts.AwayMillis += uint64(time.Since(c.lostAt).Milliseconds())
	return nil
}

// newKeys generates random keys for the ciphers of a connection.
func newKeys() (keys proto.Keys) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // Read never fails
	for i := range keys {
		keys[i] = binary.BigEndian.Uint32(b[4*i:])
	}
	return keys
}

// loginDetails returns what a client states about itself in the login: its window, its options, and that it has no UID yet.
func loginDetails(user string) proto.LoginDetails {
	d := proto.LoginDetails{
		Username: user, Context: loginContext,
		WindowMode: proto.WindowResizable, Width: windowWidth, Height: windowHeight,
		Options: []byte{optionsVersion},
	}
	for i := range d.UID {
		d.UID[i] = 0xff // the server has not assigned a UID yet
	}
	return d
}
