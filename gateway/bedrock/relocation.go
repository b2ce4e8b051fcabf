package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// sendRelocation sends the new position of an actor that was moved within its area, for example by an operator. Clients
// display the actor there at once, without interpolation.
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
