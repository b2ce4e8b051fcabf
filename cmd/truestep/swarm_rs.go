package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/truestep-io/truestep/client/rs"
	gate "github.com/truestep-io/truestep/gateway/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/swarm"
)

// swarmRsCmd is the command "truestep swarm rs", which runs many RuneScape clients.
type swarmRsCmd struct {
	Addr      string `help:"Address of the server: HOST:PORT (TCP); default 127.0.0.1:43594. Also --server." default:"127.0.0.1:43594" placeholder:"ADDR" aliases:"server"`
	PublicKey string `help:"The server's rs-public.txt in its data folder: the public key of its logins; default ./truestep-data/rs-public.txt." placeholder:"FILE"`
	swarmSize `embed:""`

	Walk    bool `help:"All players wander." xor:"play"`
	Fight   bool `help:"All players fight the nearest actor that can be fought, except players of the swarm." xor:"play"`
	Mixed   bool `help:"All players wander, fight and chat in turns. The default." xor:"play"`
	Running bool `name:"run" help:"Players run instead of walking, as long as their energy lasts."`
	Chat    bool `help:"Every player sends a chat line about every 10 s."`
	InSight bool `help:"Keep all players near one point, so that each sees all others: the most expensive crowd."`
	Kill    int  `help:"Number of players that lose their connection again and again, at random times, and reconnect." default:"0" placeholder:"N"`

	swarmAccounts `embed:"" set:"prefix=rsbot"`
	reportFlags
	swarmSeed `embed:""`
}

// Help returns the text that is printed below the flags of the command.
func (swarmRsCmd) Help() string { return helpText("swarm-rs") }

// maxRsPrefix is the maximum length of --prefix: clients accept names of at most 12 characters, of which 4 are digits.
const maxRsPrefix = 8

// Validate refuses values out of range.
func (s *swarmRsCmd) Validate() error {
	if err := cmp.Or(s.swarmSize.check(), s.swarmAccounts.check(maxRsPrefix)); err != nil {
		return err
	}
	if strings.ContainsFunc(s.Prefix, func(r rune) bool { return r != '_' && !isWordRune(r) }) {
		return fmt.Errorf("--prefix %q must contain only letters, digits and _", s.Prefix)
	}
	if s.Kill < 0 || s.Kill > s.Clients {
		return fmt.Errorf("--kill %d: must be 0..%d, the number of clients", s.Kill, s.Clients)
	}
	return nil
}

// Run runs the swarm and prints the report.
func (s *swarmRsCmd) Run(to std) error {
	key, err := readPublicKey(s.PublicKey)
	if err != nil {
		return usage(err)
	}
	c := s.config(s.Addr, to.err)
	c.Prefix, c.Password, c.Seed = s.Prefix, s.Password, s.Seed
	return runSwarm(to, s.reportFlags, false, swarm.RS{
		Config: c, Key: key, Activity: activity(s.Walk, s.Fight), Running: s.Running, Chat: s.Chat, InSight: s.InSight, Kill: s.Kill,
	})
}

// readPublicKey reads the server's key with which clients encrypt logins. The path "" selects the default data folder.
func readPublicKey(path string) (*proto.PublicKey, error) {
	named := path != ""
	if !named {
		path = "." + string(filepath.Separator) + filepath.Join("truestep-data", gate.PublicFile)
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil, fmt.Errorf("public key %s: no such file; name the server's public key with --public-key FILE: the file %s in the server's data folder", path, gate.PublicFile)
	case err != nil:
		if bad, ok := errors.AsType[*fs.PathError](err); ok {
			err = bad.Err
		}
		return nil, fmt.Errorf("public key %s: %w; --public-key must name the file %s, which a server writes into its data folder", path, err, gate.PublicFile)
	}
	key, err := rs.ParsePublicKey(text)
	if err != nil {
		return nil, fmt.Errorf("public key %s: %w; use the file %s in the server's data folder", path, err, gate.PublicFile)
	}
	return key, nil
}
