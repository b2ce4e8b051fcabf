//go:build linux

package main

import (
	"context"
	"slices"
	"time"
)

// attack is one kind of attack, a row of the test matrix. Its counts and rates apply at strength 1.
type attack struct {
	name  string
	what  string // description for the report
	round string // name of the group of attacks that run at the same time with --brief
	nat   bool   // the attack comes from the NAT address of the honest players
	crowd bool   // attackers first join as players; honest joins during the attack are compared with joins while the attackers only stand by in the world
	run   func(ctx context.Context, a *assault) error
}

// Names of groups of attacks. With --brief, the attacks of a group run at the same time.
const (
	roundLogins = "logins"
	roundIdle   = "idle"
	roundFloods = "floods"
	roundDeaf   = "deaf"
)

var attacks = []attack{
	{name: "rcce-wrong-logins", what: "50 wrong passwords a second for as many accounts from 70 addresses", round: roundLogins, run: logins(rcceWrongLogin, 50)},
	{name: "rs-wrong-logins", what: "50 wrong passwords a second for the accounts of 6 players from 70 addresses", round: roundLogins, run: logins(rsWrongLogin, 50)},
	{name: "console-wrong-tokens", what: "50 wrong tokens a second from 70 addresses", round: roundLogins, run: logins(consoleWrongToken, 50)},
	{name: "rcce-nat-wrong-logins", what: "35 wrong passwords within 10 s from the address of the players", round: roundLogins, nat: true, run: natLogins(rcceGuess)},
	{name: "rs-nat-wrong-logins", what: "35 wrong passwords within 10 s from the address of the players", round: roundLogins, nat: true, run: natLogins(rsGuess)},
	{name: "console-nat-wrong-tokens", what: "35 wrong tokens within 10 s from the address of the operators", round: roundLogins, nat: true, run: natLogins(consoleWrongToken)},
	{name: "rcce-new-accounts", what: "25 new accounts a second from 70 addresses", round: roundFloods, run: logins(rcceNewAccount, 25)},
	{name: "rs-new-accounts", what: "25 new accounts a second from 70 addresses", round: roundFloods, run: logins(rsNewAccount, 25)},
	{name: "bedrock-new-players", what: "25 new players a second from 70 addresses", round: roundFloods, run: logins(bedrockNewPlayer, 25)},
	{name: "bedrock-false-signatures", what: "50 logins a second with false signatures from 70 addresses", round: roundLogins, run: bedrockFalseSignatures},
	{name: "rcce-hang-up", what: "100 logins a second of clients that hang up", round: roundFloods, run: logins(rcceHangUp, 100)},
	{name: "rs-hang-up", what: "300 logins a second of clients that hang up", round: roundFloods, run: logins(rsHangUp, 300)},
	{name: "bedrock-hang-up", what: "50 logins a second of clients that hang up", round: roundFloods, run: logins(bedrockHangUp, 50)},
	{name: "console-hang-up", what: "100 requests a second of clients that hang up", round: roundFloods, run: logins(consoleHangUp, 100)},
	{name: "web-new-guests", what: "25 new guests a second from 70 addresses", round: roundFloods, run: logins(webNewGuest, 25)},
	{name: "web-hang-up", what: "100 requests for tickets a second of clients that hang up", round: roundFloods, run: logins(webHangUp, 100)},
	{name: "metrics-hang-up", what: "100 requests a second of clients that hang up", round: roundFloods, run: logins(metricsHangUp, 100)},
	{name: "rcce-idle", what: "5,300 connections from 106 addresses that never log in", round: roundIdle, run: idleENet(106, fromMany(1))},
	{name: "bedrock-idle", what: "5,300 connections from 106 addresses that never log in", round: roundIdle, run: idleRakNet(5300, fromMany(50))},
	{name: "rs-silent", what: "5,200 silent TCP connections from 104 addresses", round: roundIdle, run: silentTCP(rsAddr, 5200, fromMany(50))},
	{name: "web-silent", what: "5,200 silent TCP connections from 104 addresses", round: roundIdle, run: silentTCP(webAddr, 5200, fromMany(50))},
	{name: "console-silent", what: "1,100 silent TCP connections from 22 addresses", round: roundIdle, run: silentTCP(consoleAddr, 1100, fromMany(50))},
	{name: "metrics-silent", what: "1,100 silent TCP connections from 22 addresses", round: roundIdle, run: silentTCP(metricsAddr, 1100, fromMany(50))},
	{name: "nat-idle", what: "200 idle connections to each door from the address of the players", round: roundLogins, nat: true, run: idleEverywhere(200)},
	{name: "rcce-forged", what: "10,000 forged ENet CONNECTs a second", round: roundFloods, run: forgedConnects},
	{name: "bedrock-forged", what: "10,000 forged connection requests a second", round: roundFloods, run: forgedRequests},
	{name: "web-forged", what: "10,000 forged QUIC Initials a second", round: roundFloods, run: forgedInitials},
	{name: "web-half-open", what: "300 QUIC connections a second from 70 addresses whose handshake never ends", round: roundFloods, run: halfOpenQUIC},
	{name: "rcce-chat", what: "100 players who send 4 lines of 250 bytes a second", round: roundDeaf, crowd: true, run: rcceChat},
	{name: "rs-chat", what: "100 players who send 4 lines of 90 bytes a second", round: roundDeaf, crowd: true, run: rsChat},
	{name: "bedrock-chat", what: "100 players who send 4 lines of 250 bytes a second", round: roundDeaf, crowd: true, run: bedrockChat},
	{name: "rcce-no-acks", what: "350 players who stop acknowledging", round: roundDeaf, crowd: true, run: rcceNoAcks},
	{name: "rs-no-reads", what: "200 players who stop reading", round: roundDeaf, crowd: true, run: rsNoReads},
	{name: "bedrock-no-acks", what: "100 players who stop acknowledging", round: roundDeaf, crowd: true, run: bedrockNoAcks},
	{name: "web-no-reads", what: "100 players over WebSocket who stop reading", round: roundDeaf, crowd: true, run: webNoReads},
	{name: "console-no-reads", what: "20 connections a second that ask for a live map or 20 times for the page and do not read", round: roundDeaf, run: consoleNoReads},
	{name: "metrics-no-reads", what: "20 connections a second that ask 20 times and do not read", round: roundDeaf, run: metricsNoReads},
}

// attackNames returns the names of the attacks and of the checks.
func attackNames() (names []string) {
	for _, a := range attacks {
		names = append(names, a.name)
	}
	for _, c := range serverChecks {
		names = append(names, c.name)
	}
	return names
}

func isAttackName(name string) bool { return slices.Contains(attackNames(), name) }

func rsAddr(t *targets) string      { return t.Rs }
func webAddr(t *targets) string     { return t.Web }
func consoleAddr(t *targets) string { return t.Console }
func metricsAddr(t *targets) string { return t.Metrics }

// maxSockets is the maximum number of sockets of an attack. A process may usually have at most 20,000 file descriptors.
const maxSockets = 15_000

// every calls fn at the given rate, in calls per second, until ctx ends. Each call has a new goroutine. The argument i of fn is
// the number of the call, from 0.
func (a *assault) every(ctx context.Context, rate int, fn func(ctx context.Context, i int)) error {
	close(a.started)
	const slice = 10 * time.Millisecond
	begin := time.Now()
	tick := time.NewTicker(slice)
	defer tick.Stop()
	running := make(chan struct{}, maxSockets)
	for i := 0; ; {
		for due := int(time.Since(begin).Seconds() * float64(rate)); i < due; i++ {
			select {
			case running <- struct{}{}:
			default:
				continue // the maximum number of attempts is running: skip this one
			}
			a.count.Add(1)
			call := i
			a.done.Go(func() {
				fn(ctx, call)
				<-running
			})
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			a.done.Wait()
			return nil
		}
	}
}
