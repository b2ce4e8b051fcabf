package bedrock

import (
	"fmt"
	"strings"
	"unicode/utf8"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// motd returns this server's entry for the server list of clients. Source: docs/wire/bedrock.md, RakNet, unconnected
// pong.
func (g *Gateway) motd() []byte {
	v := proto.V2169
	port := DefaultPort
	if g.sock != nil {
		port = int(g.Addr().Port())
	}
	return fmt.Appendf(nil, "MCPE;%s;%d;%s;%d;%d;%d;%s;Survival;1;%d;%d;0;",
		motdField(g.opt.Name), v, v.GameVersion(), g.players.Load(), g.opt.MaxPlayers, g.guid, motdField(g.world.Def().Name), port, port)
}

// maxMOTDName is the maximum length in bytes of each name in the server list entry. All fields of the entry must fit into
// the 512 bytes of a pong.
const maxMOTDName = 100

// motdField makes a name fit into a field of the server list entry. It removes characters that the entry cannot contain,
// such as the semicolons between its fields, and truncates the name to maxMOTDName.
func motdField(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == ';' || r == '\\' || r < ' ' || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	return truncate(name, maxMOTDName)
}
