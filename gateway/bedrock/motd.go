package bedrock

import (
	"fmt"
	"strings"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// motd is what the server says of itself in the list of clients. Source: docs/wire/bedrock.md, RakNet, unconnected pong.
func (g *Gateway) motd() []byte {
	v := proto.V2169
	port := DefaultPort
	if g.conn != nil {
		port = int(g.Addr().Port())
	}
	return fmt.Appendf(nil, "MCPE;%s;%d;%s;%d;%d;%d;%s;Survival;1;%d;%d;0;",
		listed(g.opt.Name), v, v.Game(), g.players.Load(), g.opt.MaxPlayers, g.guid, listed(g.world.Def().Name), port, port)
}

// listed makes a name fit for a line whose fields end with semicolons.
func listed(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ';' || r == '\\' || r < ' ' {
			return -1
		}
		return r
	}, name)
}
