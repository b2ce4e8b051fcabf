package rs

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"

	"github.com/truestep-io/truestep/admission"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/move"
)

// Limits of a connection whose player is not in the world yet or has left it.
const (
	minHandshakeTimeout = 3 * time.Second  // replaces handshakeTimeout while all places for connections that are not logged in are taken
	loginTimeout        = 25 * time.Second // maximum time to answer a login; clients wait 30 s
	handshakeTimeout    = 10 * time.Second // maximum time until a client has sent its login request
	answerTimeout       = 5 * time.Second  // maximum time to write the last bytes to a client after its logout
	refuseTimeout       = time.Second      // maximum time to write the answer to a refused client
	maxDiscardBytes     = 64 << 10         // maximum number of input bytes that are discarded while the last bytes are written
)

// serveConn serves one connection from its first byte to its end.
func (g *Gateway) serveConn(ctx context.Context, c net.Conn, place *admission.Place) {
	_ = c.SetDeadline(time.Now().Add(g.places.SilenceTimeout(minHandshakeTimeout, handshakeTimeout)))
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetNoDelay(true)
	}
	var first [1]byte
	if _, err := io.ReadFull(c, first[:]); err != nil {
		g.door.Bad.With("silent").Inc()
		return
	}
	switch first[0] {
	case proto.RequestLogin:
		place.MarkMessageReceived()
		g.handleLogin(ctx, c, place)
	case proto.RequestJS5:
		place.MarkRequestReceived()
		g.proxyJS5(ctx, c)
	default:
		g.door.Bad.With("service").Inc()
	}
}

// loginAttempt is a parsed login request.
type loginAttempt struct {
	identity   session.Peer
	name       string
	password   string     // password as the client has sent it; it must not be logged
	keys       proto.Keys // keys of the stream ciphers
	reconnect  bool       // the client continues a session after its connection was lost
	toLobby    bool       // the client asks for the lobby, which this server does not support
	windowMode uint8      // mode of the client's window, such as proto.WindowFixed
}

// handleLogin reads a login request and answers it. If the login is accepted, it serves the connection until its end.
func (g *Gateway) handleLogin(ctx context.Context, c net.Conn, place *admission.Place) {
	_, _ = c.Write([]byte{proto.HandshakeContinue})
	attempt, rest, code := g.readLoginAttempt(c)
	g.door.BytesIn.Add(len(rest))
	if code != proto.ResponseOK {
		g.refuseLogin(c, code)
		return
	}
	place.MarkRequestReceived()
	attempt.identity = session.Peer{Addr: limitAddr(c), Conn: g.connSerial.Add(1), Door: "rs", Authority: move.ByPath}
	if code := g.admitLogin(ctx, c, place, attempt, rest); code != proto.ResponseOK {
		g.refuseLogin(c, code)
	}
}

// refuseLogin answers a login with a response code and closes the connection.
func (g *Gateway) refuseLogin(c net.Conn, code proto.ResponseCode) {
	g.door.BytesOut.Add(g.refuseConn(c, uint8(code)))
}

// refuseConn sends the byte in the parameter answer and ends the connection. After that byte it reads until the client closes
// the connection or refuseWait has passed: closing a socket with unread input would reset the connection, and the client might
// lose the byte. It returns the number of bytes written.
func (g *Gateway) refuseConn(c net.Conn, answer uint8) int {
	_ = c.SetDeadline(time.Now().Add(g.refuseWait))
	n, err := c.Write([]byte{answer})
	if err != nil {
		return n
	}
	if t, ok := c.(interface{ CloseWrite() error }); ok {
		_ = t.CloseWrite()
	}
	_, _ = io.CopyN(io.Discard, c, maxDiscardBytes)
	return n
}

// readLoginAttempt reads and decrypts a login request. The result rest contains the bytes that the client has sent after the
// request. If the result code is not ResponseOK, the login must be refused with this code.
func (g *Gateway) readLoginAttempt(c net.Conn) (attempt loginAttempt, rest []byte, code proto.ResponseCode) {
	body, rest, request, err := readRequest(c)
	if err != nil {
		g.door.Bad.With("login").Inc()
		return attempt, nil, proto.ResponseSession
	}
	g.door.PacketsIn.Inc()
	g.door.BytesIn.Add(len(body))
	login, err := proto.ParseLogin(body)
	if err != nil {
		g.door.Bad.With("malformed").Inc()
		return attempt, nil, proto.ResponseRejected
	}
	if login.Build != proto.Revision {
		g.door.Bad.With("revision").Inc()
		return attempt, nil, proto.ResponseUpdated
	}
	blind, err := rand.Int(rand.Reader, g.opt.Key.N)
	if err != nil {
		blind = new(big.Int)
	}
	plain, err := g.opt.Key.Decrypt(login.RSA, blind)
	if err != nil {
		g.door.Bad.With("rsa").Inc() // usual cause: the client was patched with another key
		return attempt, nil, proto.ResponseSession
	}
	secret, err := proto.ParseRSABlock(plain)
	if err != nil {
		g.door.Bad.With("rsa").Inc()
		return attempt, nil, proto.ResponseSession
	}
	zone := append([]byte(nil), login.XTEA...)
	proto.XTEADecrypt(secret.Keys, zone)
	name, err := proto.LoginName(zone)
	if err != nil {
		g.door.Bad.With("malformed").Inc()
		return attempt, nil, proto.ResponseRejected
	}
	mode := uint8(proto.WindowResizable)
	if details, err := proto.ParseLoginDetails(zone); err == nil { // only the window mode of the details is used
		mode = details.WindowMode
	}
	return loginAttempt{
		windowMode: mode, name: name, password: secret.Password, keys: secret.Keys,
		reconnect: login.Reconnect, toLobby: request == proto.RequestLobby,
	}, rest, proto.ResponseOK
}

// readRequest reads one login request. The result request is its number, such as proto.RequestLobby, and body its content. The
// result rest contains the bytes that were received after it.
func readRequest(c net.Conn) (body, rest []byte, request uint8, err error) {
	buf := make([]byte, 0, 1024)
	for {
		request, body, n, err := proto.SplitLogin(buf)
		if err != nil {
			return nil, nil, 0, err
		}
		if n > 0 {
			return body, buf[n:], request, nil
		}
		if len(buf) >= 3+proto.MaxLogin {
			return nil, nil, 0, fmt.Errorf("the login request is longer than %d bytes, the maximum", proto.MaxLogin)
		}
		buf = append(buf, make([]byte, 512)...)
		m, err := c.Read(buf[len(buf)-512:])
		buf = buf[:len(buf)-512+m]
		if err != nil && m == 0 {
			return nil, nil, 0, err
		}
	}
}
