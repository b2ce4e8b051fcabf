package session

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Session is one player in the world. Its methods are safe for any goroutine.
type Session struct {
	Entity    sim.EntityID
	Character *sim.Character // as it entered; read-only
	Login     *Login

	hub   *Hub
	visit *visit
	link  Link

	mu      sync.Mutex
	area    sim.AreaID // where the gateway has seen the player last
	left    bool
	buckets [wishes]bucket
}

// Submit asks for something. It fills Who and AtMS, so the call should come as soon as the packet has. It never waits.
// Errors: ErrBudget if the player asks for more of its kind than anybody may, ErrLeft, ErrInvalid for joins and
// leaves and what is an operator's, and those of area.World.Submit. A wish that the area refuses is no error here but an event in a frame.
func (s *Session) Submit(in sim.Intent) error {
	if in.Kind == sim.IntentJoin || in.Kind == sim.IntentLeave || in.Kind.IsOperatorOrder() {
		return ErrInvalid
	}
	kind := wishOf(in.Kind)
	in.Who = s.Entity
	s.mu.Lock()
	in.AtMS = s.hub.world.NowMS() // under the lock: a bucket's clock never goes back
	to, left := s.area, s.left
	granted := !left && s.buckets[kind].take(budgets[kind], in.AtMS)
	s.mu.Unlock()
	switch {
	case left:
		return ErrLeft
	case !granted:
		s.hub.turned[kind].Add(1)
		return ErrBudget
	}
	return s.hub.world.Submit(to, in)
}

// Area is where the player is as far as his gateway has read.
func (s *Session) Area() sim.AreaID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.area
}

// Arrive notes that the player goes to another area. The gateway calls it when it reads the EventDeparted of Entity;
// what he asks for from then on goes there.
func (s *Session) SetArea(to sim.AreaID) {
	s.mu.Lock()
	s.area = to
	s.mu.Unlock()
}

// Leave takes the player out of the world. The account may log in and enter again at once; the hub takes care of the
// record. It never waits; calling it again does nothing.
func (s *Session) Leave() {
	s.mu.Lock()
	again := s.left
	s.left = true
	s.mu.Unlock()
	if again {
		return
	}
	h, v := s.hub, s.visit
	h.mu.Lock()
	if h.online[v.account] == v {
		delete(h.online, v.account)
	}
	here := h.visits[v.entity] == v
	if here {
		v.left = time.Now()
		h.leavers[v.account] = v
	}
	from := v.area
	h.mu.Unlock()
	h.log.Info("player left", telemetry.FieldAccount, s.Login.Name, telemetry.FieldCharacter, s.Character.Name,
		telemetry.FieldActor, s.Entity, telemetry.FieldArea, h.areaName(from))
	if here {
		h.sendLeave(v, from)
	}
}

// Link is what the gateway measures of the player's connection.
func (s *Session) Link() *Link { return &s.link }

// Farewell is why an operator has taken the player out of the world, as his client is to be told; "" if none has.
func (s *Session) KickMessage() string {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.visit.farewell
}

// Over is closed when the player is out of the world and his last record is with the hub, whoever ended the visit.
func (s *Session) Ended() <-chan struct{} { return s.visit.over }
