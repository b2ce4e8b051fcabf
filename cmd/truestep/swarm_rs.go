package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/truestep-io/truestep/client/rs"
	gate "github.com/truestep-io/truestep/gateway/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// swarmRsCmd drives client/rs.
type swarmRsCmd struct {
	Addr      string `help:"Where the server is: HOST:PORT (TCP); default 127.0.0.1:43594. Also --server." default:"127.0.0.1:43594" placeholder:"ADDR" aliases:"server"`
	PublicKey string `help:"The server's rs-public.txt, which it writes into its data folder: the public half of the key of its logins; default ./truestep-data/rs-public.txt." placeholder:"FILE"`
	swarmSize `embed:""`

	Walk    bool `help:"Everybody wanders." xor:"play"`
	Fight   bool `help:"Everybody fights the nearest who can be fought, but for those of the swarm." xor:"play"`
	Mixed   bool `help:"Everybody wanders, fights and chats in turns. The default." xor:"play"`
	Running bool `name:"run" help:"Whoever walks runs, as long as the energy lasts."`
	Chat    bool `help:"Everybody says something each 10 s or so."`
	InSight bool `help:"Keep everybody near one point, so that each sees all others: the crowd that costs most."`
	Kill    int  `help:"So many of the players lose their connection again and again, at random, and come back." default:"0" placeholder:"N"`

	swarmAccounts `embed:"" set:"prefix=rsbot"`
	JSON          string `name:"json" help:"Write the report as JSON to a file; - is standard output, in place of the text." placeholder:"FILE"`
	swarmLuck     `embed:""`

	stdout, stderr io.Writer
}

// Help is what swarm rs --help adds to the flags.
func (swarmRsCmd) Help() string {
	return `Examples:
  truestep swarm rs
      fifty players in the server next door
  truestep swarm rs --addr game.example:43594 --public-key rs-public.txt
  truestep swarm rs -n 1000 -d 30s --walk --in-sight
      everybody in one crowd: the worst there is
  truestep swarm rs -n 50 --walk --run --chat --kill 10
      ten of them are thrown out and come back
  truestep swarm rs -n 100 --json report.json

Each player is a real client of revision 667: TCP, the login with RSA, XTEA and ISAAC, and every PLAYER_INFO packet
decoded bit by bit. Once all have joined, counting begins anew; the report is about the time from then on. A line of
progress each second goes to standard error. Ctrl-C ends the run and prints the report.

Gaps are the times between two PLAYER_INFO packets of one player, which should be 600 ms. A missed cycle is a packet
that should have come and never did; late ones are made up for by those that follow. A mismatch is a packet on which
the game's client would give up: the player is out of the game then, and the report says who, in which cycle, at which
bit and why.

Exit status 1: a mismatch, a packet that cannot be read, or somebody who failed to join or was dropped. Players that
--kill has thrown out are only dropped if they cannot come back.`
}

const (
	rsNameMost  = 12 // characters of a name: what the game's login screen takes
	rsNameDigit = 4
)

// Validate refuses what cannot be meant.
func (s *swarmRsCmd) Validate() error {
	if err := cmp.Or(s.swarmSize.check(), s.swarmAccounts.check(rsNameMost-rsNameDigit)); err != nil {
		return err
	}
	if strings.ContainsFunc(s.Prefix, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return fmt.Errorf("prefix %q must have letters, digits and _ only", s.Prefix)
	}
	if s.Kill < 0 || s.Kill > s.Clients {
		return fmt.Errorf("kill must be 0..%d, the number of clients", s.Clients)
	}
	return nil
}

// Run drives the swarm and prints the report.
func (s *swarmRsCmd) Run() error {
	if s.stdout == nil {
		s.stdout, s.stderr = os.Stdout, os.Stderr
	}
	key, err := readPublicKey(s.PublicKey)
	if err != nil {
		return usage(err)
	}
	run := func(ctx context.Context) (*swarmRsReport, error) { return s.run(ctx, key), nil }
	return reports(s.JSON, s.stdout, run, (*swarmRsReport).bad)
}

// readPublicKey reads the key of a server's logins. "" is where a server next door has it.
func readPublicKey(path string) (*proto.PublicKey, error) {
	named := path != ""
	if !named {
		path = "." + string(filepath.Separator) + filepath.Join("truestep-data", gate.PublicFile)
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil, fmt.Errorf("public key %s: no such file; name that of the server with --public-key FILE: it is %s in its data folder", path, gate.PublicFile)
	case err != nil:
		if bad, ok := errors.AsType[*fs.PathError](err); ok {
			err = bad.Err
		}
		return nil, fmt.Errorf("public key %s: %w; a server writes it as %s into its data folder", path, err, gate.PublicFile)
	}
	key, err := rs.ParsePublicKey(text)
	if err != nil {
		return nil, fmt.Errorf("public key %s: %w; take the %s of the server's data folder", path, err, gate.PublicFile)
	}
	return key, nil
}
