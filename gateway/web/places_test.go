package web_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
)

// at returns a client on the host h that connects over WebSocket.
func (r *rig) at(h *netsim.Host) *raw {
	return &raw{r: r, at: "127.0.0.1:8090", http: &http.Client{Transport: &http.Transport{DialContext: h.Dial, DisableKeepAlives: true}}}
}

// enters reports whether a new guest is admitted. Its connection stays open.
func (x *raw) enters() bool {
	x.r.t.Helper()
	if err := x.dial(nil); err != nil {
		return false
	}
	x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: x.ticket()}))
	return x.until(func(m proto.Message) bool { _, ok := m.(*proto.Welcome); return ok })
}

func (x *raw) close() {
	if x.ws != nil {
		_ = x.ws.CloseNow()
	}
}

func TestPlayersPerAddressAreLimited(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{PerAddr: 3}, netsim.Impairment{}, func(r *rig) {
		crowded := r.network.Host("198.51.100.7")
		for i := range 6 {
			x := r.at(crowded)
			defer x.close()
			if got, want := x.enters(), i < 3; got != want {
				r.t.Errorf("player %d of the address: admitted %v, want %v", i+1, got, want)
			}
		}
		neighbour := r.at(r.network.Host("198.51.100.8"))
		defer neighbour.close()
		if !neighbour.enters() {
			r.t.Error("the player of another address of the same network was not admitted")
		}
	})
}

// Behind a proxy, all connections come from its address. Players are limited by the addresses that the proxy names, and those beyond
// the limit are told so. When a player leaves, another one may enter.
func TestPlayersBehindProxyAreLimitedPerClientAddress(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{PerAddr: 3, Public: &url.URL{Scheme: "https", Host: "game.example"}}, netsim.Impairment{}, func(r *rig) {
		enters := func(x *raw, addr string) (refused *proto.Refused) {
			ticket := x.ticket()
			if err := x.dial(http.Header{"X-Forwarded-For": {addr}}); err != nil {
				r.t.Fatal(err)
			}
			x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: ticket}))
			if !x.until(func(m proto.Message) bool {
				_, entered := m.(*proto.Welcome)
				refused, _ = m.(*proto.Refused)
				return entered || refused != nil
			}) {
				r.t.Errorf("a client from %s was sent neither Welcome nor Refused", addr)
			}
			return refused
		}
		var first *raw
		for i := range 5 {
			x := r.newRaw()
			defer x.close()
			refused := enters(x, "198.51.100.7")
			if i == 0 {
				first = x
			}
			if i < 3 && refused != nil || i >= 3 && (refused == nil || refused.Reason != proto.RefusedFull || refused.Seconds == 0) {
				r.t.Errorf("player %d of the address: refused with %+v", i+1, refused)
			}
		}
		other := r.newRaw()
		defer other.close()
		if refused := enters(other, "198.51.100.8"); refused != nil {
			r.t.Errorf("the player of another address is refused with %+v", refused)
		}
		first.close()
		time.Sleep(time.Second)
		again := r.newRaw()
		defer again.close()
		if refused := enters(again, "198.51.100.7"); refused != nil {
			r.t.Errorf("a player is refused with %+v after another one of the address has left", refused)
		}
	})
}

// One network opens more connections than the door has places and sends nothing. A player of another network can still enter,
// because such connections are displaced, those of the network with the most connections first. Players in the world are not
// displaced.
func TestPlayerEntersDespiteSilentConnectionsOfAnotherNetwork(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{MaxPlayers: 16}, netsim.Impairment{}, func(r *rig) {
		inside := r.at(r.network.Host("203.0.113.9"))
		defer inside.close()
		if !inside.enters() {
			r.t.Fatal("the first player was not admitted")
		}
		var displaced atomic.Int32
		var open []net.Conn
		for n := range 100 {
			h := r.network.Host(fmt.Sprintf("203.0.113.%d", 100+n))
			for range 12 {
				c, err := h.Dial(context.Background(), "tcp", "127.0.0.1:8090")
				if err != nil {
					displaced.Add(1)
					continue
				}
				open = append(open, c)
				go func() {
					if _, err := io.Copy(io.Discard, c); err == nil {
						displaced.Add(1)
					}
				}()
			}
		}
		time.Sleep(100 * time.Millisecond)
		if displaced.Load() == 0 {
			r.t.Fatal("no silent connection was displaced: the attack is too small")
		}
		stranger := r.at(r.network.Host("198.51.100.7"))
		defer stranger.close()
		if !stranger.enters() {
			r.t.Error("the player of another network was not admitted")
		}
		inside.send(proto.AppendMessage(nil, &proto.Act{Number: 1, Verb: proto.VerbSay, Text: "still here"}))
		if !inside.until(func(m proto.Message) bool { a, ok := m.(*proto.Answer); return ok && a.Number == 1 }) {
			r.t.Error("the player of the attacked network lost its connection")
		}
		for _, c := range open {
			_ = c.Close()
		}
	})
}

// A player beyond the maximum is told that the server is full, and when to try again. When a player leaves, another one may enter.
func TestPlayerBeyondMaximumIsToldThatServerIsFull(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{MaxPlayers: 2}, netsim.Impairment{}, func(r *rig) {
		enter := func() (x *raw, refused *proto.Refused) {
			x = r.newRaw()
			if err := x.dial(nil); err != nil {
				r.t.Fatal(err)
			}
			x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: x.ticket()}))
			if !x.until(func(m proto.Message) bool {
				_, entered := m.(*proto.Welcome)
				refused, _ = m.(*proto.Refused)
				return entered || refused != nil
			}) {
				r.t.Fatal("a client was sent neither Welcome nor Refused")
			}
			return x, refused
		}
		first, refused := enter()
		defer first.close()
		if refused != nil {
			r.t.Fatalf("the first player is refused with %+v", refused)
		}
		second, refused := enter()
		defer second.close()
		if refused != nil {
			r.t.Fatalf("the second player is refused with %+v", refused)
		}
		third, refused := enter()
		defer third.close()
		if refused == nil || refused.Reason != proto.RefusedFull || refused.Seconds == 0 || refused.Text == "" || r.bad("refused_full") != 1 {
			r.t.Errorf("the player beyond the maximum is answered with %+v, %d refusals are counted", refused, r.bad("refused_full"))
		}
		first.send(proto.AppendMessage(nil, &proto.Act{Verb: proto.VerbLeave, Handle: proto.NoHandle}))
		time.Sleep(time.Second)
		fourth, refused := enter()
		defer fourth.close()
		if refused != nil {
			r.t.Errorf("a player is refused with %+v after another one has left", refused)
		}
	})
}
