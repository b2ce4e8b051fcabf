//go:build linux

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/client/web"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// clientPatience is the time for which an attacking client waits for an answer of the server before it gives up.
const clientPatience = 5 * time.Second

// login performs one login of an attack. The parameter i is the number of the login in the attack, and from is the client's
// address.
type login func(ctx context.Context, a *assault, from string, i int)

// logins returns an attack that performs the given number of logins per second, from 70 addresses in turn. At other strengths than 1,
// the rate and the number of addresses are multiplied by the strength.
func logins(perform login, rate int) func(context.Context, *assault) error {
	return func(ctx context.Context, a *assault) error {
		addresses := a.scaled(70)
		return a.every(ctx, a.scaled(rate), func(ctx context.Context, i int) {
			ctx, cancel := context.WithTimeout(ctx, clientPatience)
			defer cancel()
			perform(ctx, a, attackerAddr(i%addresses), i)
		})
	}
}

// natLogins returns an attack that calls perform four times a second: a login from the NAT address that the honest players also use.
func natLogins(perform login) func(context.Context, *assault) error {
	return func(ctx context.Context, a *assault) error {
		return a.every(ctx, a.scaled(4), func(ctx context.Context, i int) {
			ctx, cancel := context.WithTimeout(ctx, clientPatience)
			defer cancel()
			perform(ctx, a, natAddr(), i)
		})
	}
}

// rcceWrongLogin tries a wrong password for an account that does not exist. The server checks it at the same cost as for an existing
// account. Each call names another account, because the server soon refuses further attempts for the same account unchecked.
func rcceWrongLogin(ctx context.Context, a *assault, from string, i int) {
	rcceLogin(ctx, a, from, fmt.Sprint("Victim", i), (*rcce.Client).Login)
}

func rcceGuess(ctx context.Context, a *assault, from string, _ int) {
	rcceLogin(ctx, a, from, victimName, (*rcce.Client).Login)
}

func rcceNewAccount(ctx context.Context, a *assault, from string, i int) {
	rcceLogin(ctx, a, from, fmt.Sprint("Fresh", i), func(c *rcce.Client, ctx context.Context) (any, error) {
		return nil, c.CreateAccount(ctx)
	})
}

// rcceHangUp registers an account and closes the connection before the server answers.
func rcceHangUp(ctx context.Context, a *assault, from string, i int) {
	c, err := rcce.Dial(ctx, a.Rcce, rcce.Options{User: fmt.Sprint("Gone", i), Password: password, Dial: dialFrom(from, 0)})
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	_ = c.CreateAccount(ctx)
	c.Close()
}

func rcceLogin[T any](ctx context.Context, a *assault, from, name string, request func(*rcce.Client, context.Context) (T, error)) {
	c, err := rcce.Dial(ctx, a.Rcce, rcce.Options{User: name, Password: rand.Text(), Dial: dialFrom(from, 0)})
	if err == nil {
		_, _ = request(c, ctx)
		c.Close()
	}
}

// rsWrongLogin tries wrong passwords for accounts of players that are in the world. It uses these accounts because a login with
// an unknown name would create an account.
func rsWrongLogin(ctx context.Context, a *assault, from string, i int) {
	rsLogin(ctx, a, from, residentName(routes[2], i%residentsPerRoute))
}

func rsGuess(ctx context.Context, a *assault, from string, _ int) {
	rsLogin(ctx, a, from, victimName)
}

func rsNewAccount(ctx context.Context, a *assault, from string, i int) {
	rsLogin(ctx, a, from, fmt.Sprint("Fresh", i))
}

func rsLogin(ctx context.Context, a *assault, from, name string) {
	c, err := rs.Dial(ctx, rs.Config{Addr: a.Rs, Key: a.key, User: name, Password: rand.Text()[:20], Dial: dialFrom(from, 0)})
	if err == nil {
		_ = c.Logout(ctx)
		c.Close()
	}
}

// rsHangUp sends a complete login of a new account and closes the connection immediately.
func rsHangUp(ctx context.Context, a *assault, from string, i int) {
	conn, err := dialFrom(from, 0)(ctx, "tcp", a.Rs)
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(clientPatience))
	details := proto.LoginDetails{Username: fmt.Sprint("gone", i), WindowMode: proto.WindowFixed, Options: []byte{25}}
	block, err := proto.AppendLogin([]byte{proto.RequestLogin}, a.key, false, proto.RSABlock{Keys: proto.Keys{1, 2, 3, uint32(i)}, Password: "x"}, details)
	if err == nil {
		_, _ = conn.Write(block)
	}
}

func bedrockNewPlayer(ctx context.Context, a *assault, from string, i int) {
	c, err := bedrock.Dial(ctx, a.Bedrock, bedrock.Options{Name: fmt.Sprint("Fresh", i), Chunks: &chunks, Dial: dialFrom(from, 0)})
	if err == nil {
		c.Close()
	}
}

// bedrockFalseSignatures sends logins whose tokens name one public key but are signed with another. Half of the logins contain a
// certificate chain. The attack fails the test if the server accepts such a login.
func bedrockFalseSignatures(ctx context.Context, a *assault) error {
	named, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		return err
	}
	signing, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		return err
	}
	signing.PublicKey = named.PublicKey
	var refused, joined atomic.Uint64
	err = logins(func(ctx context.Context, a *assault, from string, i int) {
		c, err := bedrock.Dial(ctx, a.Bedrock, bedrock.Options{
			Name: fmt.Sprint("Forged", i), Key: signing, ChainLogin: i%2 == 0, Chunks: &chunks, Dial: dialFrom(from, 0),
		})
		switch {
		case err == nil:
			joined.Add(1)
			c.Close()
		case strings.Contains(err.Error(), "not valid here"):
			refused.Add(1)
		}
	}, 50)(ctx, a)
	if joined.Load() > 0 || refused.Load() == 0 {
		err = errors.Join(err, fmt.Errorf("the Bedrock door accepted %d logins with false signatures, want 0, and refused %d as invalid, want more than 0", joined.Load(), refused.Load()))
	}
	return err
}

// bedrockHangUp sends a complete login and disconnects while the server verifies it.
func bedrockHangUp(ctx context.Context, a *assault, from string, i int) {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Millisecond)
	defer cancel()
	bedrockNewPlayer(ctx, a, from, i)
}

// webNewGuest enters as a new guest and leaves.
func webNewGuest(ctx context.Context, a *assault, from string, i int) {
	c, err := web.Dial(ctx, "http://"+a.Web, web.Options{Name: fmt.Sprint("Fresh", i), WS: true, Grounds: &grounds, Dial: dialFrom(from, 0)})
	if err == nil {
		c.Leave(ctx)
	}
}

// webHangUp requests a ticket and closes the connection before the server answers.
func webHangUp(ctx context.Context, a *assault, from string, _ int) {
	conn, err := dialFrom(from, 0)(ctx, "tcp", a.Web)
	if err == nil {
		_, _ = io.WriteString(conn, "POST /play/v1/ticket HTTP/1.1\r\nHost: "+a.Web+"\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		conn.Close()
	}
}

func consoleWrongToken(ctx context.Context, a *assault, from string, _ int) {
	guess := a.targets
	guess.Token = rand.Text()
	_ = guess.ask(ctx, from, a.overviewURL())
}

// consoleHangUp requests the console's overview and closes the connection before the console answers.
func consoleHangUp(ctx context.Context, a *assault, from string, _ int) {
	if conn := a.dialConsole(ctx, from); conn != nil {
		a.request(conn, "/api/v1/overview", "")
		conn.Close()
	}
}

func metricsHangUp(ctx context.Context, a *assault, from string, _ int) {
	conn, err := dialFrom(from, 0)(ctx, "tcp", a.Metrics)
	if err == nil {
		_, _ = io.WriteString(conn, "GET /metrics HTTP/1.1\r\nHost: "+a.Metrics+"\r\n\r\n")
		conn.Close()
	}
}

// dialConsole connects to the console, with TLS if the console uses https. It returns nil if the connection or the TLS handshake
// fails.
func (a *assault) dialConsole(ctx context.Context, from string) net.Conn {
	conn, err := dialFrom(from, 0)(ctx, "tcp", a.Console)
	if err != nil {
		return nil
	}
	_ = conn.SetDeadline(time.Now().Add(clientPatience))
	if a.Scheme == "https" {
		t := tls.Client(conn, trusting)
		if err := t.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil
		}
		conn = t
	}
	return conn
}

// request sends a GET request to the console with the access token of an operator.
func (a *assault) request(conn net.Conn, path, headers string) {
	_, _ = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%s\r\n", http.MethodGet, path, a.Console, a.Token, headers)
}

// consoleNoReads requests live maps and the console's page, and does not read the answers. Each connection stays open for 5 s
// (clientPatience), or until the server closes it.
func consoleNoReads(ctx context.Context, a *assault) error {
	return a.every(ctx, a.scaled(20), func(ctx context.Context, i int) {
		conn := a.dialConsole(ctx, attackerAddr(i%a.scaled(22)))
		if conn == nil {
			return
		}
		defer conn.Close()
		if i%2 == 0 {
			a.request(conn, "/api/v1/live", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
		}
		for range 20 {
			a.request(conn, "/", "")
		}
		wait(ctx, clientPatience)
	})
}

// metricsNoReads requests the metrics repeatedly and does not read the answers.
func metricsNoReads(ctx context.Context, a *assault) error {
	return a.every(ctx, a.scaled(20), func(ctx context.Context, i int) {
		conn, err := dialFrom(attackerAddr(i%a.scaled(22)), 0)(ctx, "tcp", a.Metrics)
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(clientPatience))
		for range 20 {
			_, _ = io.WriteString(conn, "GET /metrics HTTP/1.1\r\nHost: "+a.Metrics+"\r\n\r\n")
		}
		wait(ctx, clientPatience)
	})
}
