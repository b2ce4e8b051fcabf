package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// taken tells who was put somewhere in this area. Clients are told not to draw a way there that nobody went.
func (s *scene) sendRelocation(e sim.EntityID) {
	av := s.find(e)
	if av == nil {
		return
	}
	p := movePacket(av)
	p.Flags |= proto.MoveTeleported
	for _, c := range s.clients {
		if wire := s.runtimeIDFor(c, e); wire != 0 && wire != c.runtimeID {
			send(c, p)
		}
	}
}
