package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// taken tells who was put somewhere in this area. Clients are told not to draw a way there that nobody went.
func (s *scene) taken(e sim.EntityID) {
	n := s.face(e)
	if n == nil {
		return
	}
	p := movementOf(n)
	p.Flags |= proto.MoveTeleported
	for _, c := range s.members {
		if wire := s.knows(c, e); wire != 0 && wire != c.id {
			send(c, p)
		}
	}
}
