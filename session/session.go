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
	Character *sim.Character // record with which the player entered; read-only
	Login     *Login

	hub      *Hub
	presence *presence
	link     Link

	resumedIn sim.AreaID // area in which the session took over a lingering actor, at tick resumedAt
	resumedAt sim.Tick   // 0 if the session took over no lingering actor

	mu      sync.Mutex
	area    sim.AreaID // area of the player according to the frames that its gateway has read
	left    bool
	buckets [rateClasses]bucket
	speaker speaker

	muteNoticeAt int64 // world time in ms of the last notice to a muted player, 0 for none
}

// Submit sends an intent to the player's area. It sets Who and AtMS of the intent, so call it as soon as the packet arrives. It
// never blocks. Errors: ErrBudget if the rate limit of the intent's class or that of the area's chat is exceeded, ErrLeft,
// ErrInvalid for intents of the server itself, and those of area.World.Submit. If the area refuses the intent later, a frame
// has an event about it, and Submit returns nil. Chat of a muted player is dropped, and the player is told so.
func (s *Session) Submit(in sim.Intent) error {
	if in.Kind.IsOfServer() {
		return ErrInvalid
	}
	kind := rateClassOf(in.Kind)
	in.Who = s.Entity
	s.mu.Lock()
	in.AtMS = s.hub.world.NowMS() // read under the lock, so that the times given to a token bucket never decrease
	to, left := s.area, s.left
	granted := !left && s.buckets[kind].takeToken(budgets[kind], in.AtMS)
	if granted && in.Kind == sim.IntentChat && !s.grantChat(to, in.AtMS) {
		kind, granted = classAreaChat, false
	}
	s.mu.Unlock()
	switch {
	case left:
		return ErrLeft
	case !granted:
		s.hub.reject(kind)
		if kind == classAreaChat {
			s.withhold(&in, to, WithheldAreaLimit)
		} else {
			s.withhold(&in, to, WithheldRateLimit)
		}
		return ErrBudget
	case in.Kind == sim.IntentChat && s.isMuted(to, in.AtMS):
		s.withhold(&in, to, WithheldMuted)
		return nil
	}
	err := s.hub.world.Submit(to, in)
	if err != nil {
		s.withhold(&in, to, WithheldBusy)
	}
	return err
}

// Area returns the player's area according to the frames that its gateway has read.
func (s *Session) Area() sim.AreaID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.area
}

// SetArea records that the player goes to another area, to which later intents are submitted. The gateway calls it when it
// reads the EventDeparted of the player's Entity.
func (s *Session) SetArea(to sim.AreaID) {
	s.mu.Lock()
	s.area = to
	s.mu.Unlock()
}

// Leave removes the player from the world. The account may log in and enter again immediately; the hub stores the last
// record. Leave never blocks. Further calls do nothing.
func (s *Session) Leave() {
	if s.end() {
		s.hub.removePlayer(s)
	}
}

// removePlayer removes the player of a session from the world. s must be the last session of its presence.
func (h *Hub) removePlayer(s *Session) {
	v := s.presence
	h.mu.Lock()
	here := h.presences[v.entity] == v && !v.leaving()
	if here {
		h.startLeaving(v)
	} else if h.online[v.account] == v {
		delete(h.online, v.account)
	}
	from := v.area
	h.mu.Unlock()
	h.log.Info("player left", telemetry.FieldAccount, s.Login.Name, telemetry.FieldCharacter, s.Character.Name,
		telemetry.FieldActor, s.Entity, telemetry.FieldArea, h.areaName(from))
	if here {
		h.sendLeave(v, from)
	}
}

// startLeaving marks a presence as leaving, so that its account may log in again. The caller holds Hub.mu.
func (h *Hub) startLeaving(v *presence) {
	if h.online[v.account] == v {
		delete(h.online, v.account)
	}
	v.leftAt = time.Now()
	if v.account != 0 { // 0: the character of a restored player was deleted
		h.leavingByAccount[v.account] = v
	}
}

// Link returns the measurements of the player's connection, which the gateway writes.
func (s *Session) Link() *Link { return &s.link }

// KickMessage returns the text for the client of a player that an operator kicked or banned, "" for any other player.
func (s *Session) KickMessage() string {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.presence.kickMessage
}

// Ended returns a channel that is closed when the presence of the player has ended. After the player has left the world, for any reason,
// that is when the hub has the player's last record and the tick of leaving is durable, or when the hub has given up waiting for the
// record (Options.RecordTimeout). It also ends when an area refuses the player because it is full, and when the world stops.
func (s *Session) Ended() <-chan struct{} { return s.presence.ended }
