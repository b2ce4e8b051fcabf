package main

import (
	"fmt"
	"io"
	"net/netip"
	"os"

	"github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// maxRadius is how far, in chunks, the door for Bedrock clients can show the ground.
const maxRadius = 32

// checkBedrock refuses settings of the door for Bedrock clients that cannot be meant.
func (s *serveCmd) checkBedrock(refuse func(bad bool, format string, args ...any)) {
	refuse(s.BedrockMaxPlayers < 1 || s.BedrockMaxPlayers > maxConns, "bedrock-max-players %d: must be 1..%d", s.BedrockMaxPlayers, maxConns)
	refuse(s.BedrockPerAddr < 1 || s.BedrockPerAddr > maxConns, "bedrock-per-addr %d: must be 1..%d", s.BedrockPerAddr, maxConns)
	refuse(s.BedrockRadius < 1 || s.BedrockRadius > maxRadius, "bedrock-radius %d: must be 1..%d", s.BedrockRadius, maxRadius)
	refuse(s.BedrockWorkers < 0 || s.BedrockWorkers > maxWorkers, "bedrock-workers %d: must be 0..%d", s.BedrockWorkers, maxWorkers)
	refuse(s.BedrockJwks != "" && !s.BedrockOnline, "bedrock-jwks is for signed logins: add --bedrock-online, or leave it out")
}

// openBedrock makes the door for Bedrock clients.
func (s *serveCmd) openBedrock(r *running) (*bedrock.Gateway, error) {
	keys, err := s.bedrockKeys()
	if err != nil {
		return nil, err
	}
	var keyLog io.Writer
	if s.BedrockKeylog != "" {
		f, err := os.OpenFile(s.BedrockKeylog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("bedrock-keylog: %w; name a file that can be written to", err)
		}
		r.keyLog, keyLog = f, f
	}
	return bedrock.Listen(r.hub, r.world, bedrock.Options{
		Conn: r.bedrockSocket, Log: r.log, Metrics: r.metrics, Workers: s.BedrockWorkers,
		Name: s.BedrockName, MaxPlayers: s.BedrockMaxPlayers, PerAddr: s.BedrockPerAddr, Radius: s.BedrockRadius,
		NoCookies: !s.BedrockCookies, Online: s.BedrockOnline, Keys: keys, KeyLog: keyLog,
	})
}

// bedrockKeys reads the keys with which logins are signed. Without a file there are none, and nobody gets in.
func (s *serveCmd) bedrockKeys() (*auth.Keys, error) {
	if s.BedrockJwks == "" {
		return nil, nil
	}
	b, err := os.ReadFile(s.BedrockJwks)
	if err != nil {
		return nil, fmt.Errorf("bedrock-jwks: %w; name the file with the service's key set", err)
	}
	service, err := auth.ParseServiceKeys(b)
	if err != nil {
		return nil, fmt.Errorf("bedrock-jwks %s: %w; it must be a JSON Web Key Set with RS256 keys", s.BedrockJwks, err)
	}
	return &auth.Keys{Service: service}, nil
}

// whoMayPlay says whom the door for Bedrock clients lets in.
func (s *serveCmd) whoMayPlay() string {
	switch {
	case !s.BedrockOnline:
		return "logins are not checked: everybody is who he says he is (--bedrock-online checks)"
	case s.BedrockJwks == "":
		return "nobody gets in: there are no keys to check logins with (--bedrock-jwks FILE)"
	}
	return "only players whose login Xbox Live has signed"
}

// tryBedrock sends a swarm to the door at that address.
func (t *table) tryBedrock(at netip.AddrPort) {
	t.try("truestep swarm bedrock --clients 20", elsewhere("--addr", at, bedrock.DefaultPort)...)
}
