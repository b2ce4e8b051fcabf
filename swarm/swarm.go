// Package swarm runs many real clients of the game protocols against a server and reports what they measured.
//
// Run lets the players of one protocol (RCCE, RS, Bedrock or Web) log in, walk and fight, and reports rates, delays, corrections
// and errors. RunMixed does the same with several protocols in one world, and compares what the clients display with the live map
// of the server's console (package internal/oracle).
//
//	report, err := swarm.Run(ctx, swarm.RCCE{Config: swarm.Config{Server: "127.0.0.1:25000", Clients: 50, Ramp: 20}})
//	heading, rows := report.Text()
//
// Each player has its own goroutine and connection. All of them have ended when Run returns.
package swarm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"
)

// Config contains the settings that all protocols have in common.
type Config struct {
	Server   string        // address of the server as HOST:PORT
	Clients  int           // number of players
	Duration time.Duration // duration of the measurement, which begins when all players have joined; 0 measures until the context ends
	Ramp     float64       // logins per second; must be positive
	Network  Network       // impairment of the network between players and server
	Prefix   string        // beginning of the account names; a four-digit number follows
	Password string        // password of all accounts
	Seed     uint64        // seed of all random choices; 0 selects a random seed
	Progress io.Writer     // destination of one progress line per second; nil means no progress lines

	// Dial opens the players' connections and those to the server's metrics. nil selects net.Dialer. If Network is set, the
	// players' connections over UDP are opened without Dial.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// user returns the account name of player i, counted from 0.
func (c *Config) user(i int) string { return fmt.Sprintf("%s%04d", c.Prefix, i+1) }

// Activity is what the players of a run do.
type Activity uint8

// Values of Activity: what the players of a run do.
const (
	Mixed Activity = iota // walk, fight and chat
	Walk                  // only walk
	Fight                 // walk and fight
	Ride                  // ride vehicles; only for Bedrock players
)

// String returns the name of the activity in command line flags.
func (a Activity) String() string { return [...]string{"mixed", "walk", "fight", "ride"}[a] }

// Protocol configures the players of one game protocol. Its implementations are RCCE, RS, Bedrock and Web.
type Protocol interface {
	config() *Config
	// start returns the driver for a run. The parameter seed is the seed of all random decisions and never 0.
	start(seed uint64) (driver, error)
	// inMixed returns the configuration of these players for a run of several protocols. In such a run, they log in with ramp
	// logins per second, stay around one point and do not attack each other. The parameter c compares what the clients display
	// with the server, and is nil if nothing is compared.
	inMixed(m *MixedConfig, c *check, ramp float64) Protocol
}

// driver runs the players of one protocol. Its methods are called from one goroutine, except join and retry.
type driver interface {
	name() string
	// join tries once to log player i in.
	join(ctx context.Context, i int) (client, error)
	retry(err error) retryPolicy // says whether a login that has failed with err is retried
	// settleTime returns the duration of the pause between the last login and the measurement, in which rates become steady.
	settleTime() time.Duration
	// reset resets all counts to 0.
	reset(ctx context.Context)
	// disturb interrupts players' connections as configured, from the beginning of the measurement until the context playing
	// ends.
	disturb(playing context.Context)
	// sample records values that cannot be counted from packets, such as the number of actors in sight. It is called once a second.
	sample()
	// progress returns the part of a progress line about the players. The rates in this text cover the time since the last
	// call.
	progress(elapsed time.Duration) string
	// report returns the result of the run. The parameter elapsed is the duration of the measurement.
	report(ctx context.Context, c Common, elapsed time.Duration) Report
	close()
	setRoster(*roster)
}

// client is the client of one player in the world.
type client interface {
	// play plays until ctx ends or the connection is lost. It returns nil if ctx has ended, and an error if the connection was
	// lost.
	play(ctx context.Context) error
	close()
	firstBad() error // returns the error of the first packet that could not be decoded, nil if there is none
}

// retryPolicy says how often a player tries to log in after a failure.
type retryPolicy uint8

const (
	retryNever  retryPolicy = iota
	retryFew                // try at most maxJoinTries times
	retryAlways             // try until joinTimeout
)

// ErrConfig is wrapped by errors of Run and RunMixed about settings, which the caller can change.
var ErrConfig = errors.New("the configuration of the swarm is not valid")

// configError wraps an error about settings, so that errors.Is reports that it is ErrConfig. It has the text of the wrapped error.
type configError struct{ error }

// Is reports whether target is ErrConfig.
func (e configError) Is(target error) bool { return target == ErrConfig }

// Unwrap returns the wrapped error.
func (e configError) Unwrap() error { return e.error }

// Run logs the players in, measures, logs them out, and returns the report. If ctx ends earlier, the report covers the time
// until then.
func Run(ctx context.Context, p Protocol) (Report, error) {
	r, err := newRun([]Protocol{p}, p.config().Progress)
	if err != nil {
		return nil, err
	}
	defer r.close()
	r.duration = p.config().Duration
	r.play(ctx)
	return r.groups[0].result, nil
}

// seedOr returns seed, or a random seed if it is 0.
func seedOr(seed uint64) uint64 {
	if seed == 0 {
		return rand.Uint64()
	}
	return seed
}
