package session

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Session is the stay of one player in the world through one connection. Its methods are safe for concurrent use.
type Session struct {
	Entity    sim.EntityID   // actor of the player
	Character *sim.Character // record with which the player entered; read-only
	Login     *Login         // login with which the player entered

	hub      *Hub
	presence *presence
	link     Link

	resumedIn sim.AreaID // area in which the session took over a lingering actor
	resumedAt sim.Tick   // tick in which the session took over a lingering actor; 0 if it did not

	mu      sync.Mutex
	area    sim.AreaID          // area of the player in the newest frame that the gateway has read
	left    bool                // the session has ended
	buckets [rateClasses]bucket // rate limits by class of intents
	speaker speaker             // state for the chat limit of the area

	noticeAt int64 // world time in ms of the last notice that a text is withheld, 0 for none
}

// Submit sends an intent to the player's area. It sets Who and AtMS of the intent, so gateways must call it as soon as
// the packet arrives. It never blocks. Errors: ErrBudget if the rate limit of the intent's class or of the area's chat
// is exceeded, ErrLeft, ErrInvalid for intents that only the server may send, and those of area.World.Submit. If the
// area refuses the intent later, Submit has returned nil and a frame has an event about the refusal. Chat of a muted
// player is dropped. A player whose chat is dropped gets a notice, at most one per noticeMS. A command line or a
// request about a party can also be dropped later, see withhold; the player then gets a notice, too.
func (s *Session) Submit(in sim.Intent) error {
	if in.Kind.IsOfServer() {
		return ErrInvalid
	}
	kind := rateClassOf(in.Kind)
	in.Who = s.Entity
	s.mu.Lock()
	in.AtMS = s.hub.world.NowMS() // read while s.mu is locked, so that the times passed to a token bucket never decrease
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
	case in.Kind == sim.IntentChat && s.isMuted(in.AtMS):
		s.withhold(&in, to, WithheldMuted)
		return nil
	}
	var kept bool
	var err error
	if isText(&in) {
		to, kept, err = s.hub.routeText(s, &in, to)
	}
	if kept {
		s.hub.resubmitUndelivered(s.presence)
	} else {
		err = s.hub.world.Submit(to, in)
	}
	if err != nil {
		s.withhold(&in, to, WithheldBusy)
	}
	return err
}

// Area returns the player's area according to the frames that the gateway has read.
func (s *Session) Area() sim.AreaID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.area
}

// SetArea records that the player is going to another area, to which later intents are submitted. The gateway calls it
// when it reads the EventDeparted of the player.
func (s *Session) SetArea(to sim.AreaID) {
	s.mu.Lock()
	s.area = to
	s.mu.Unlock()
}

// Leave removes the player from the world. The account may log in and enter again immediately; the hub stores the
// player's last record. Leave never blocks. Further calls do nothing.
func (s *Session) Leave() {
	if s.end() {
		s.hub.removePlayer(s)
	}
}

// removePlayer removes the player of a session from the world. The parameter s must be the newest session of its presence.
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
		h.dropUndelivered(v)
		h.sendLeave(v, from)
	}
}

// startLeaving marks a presence as leaving. From then on its account may log in again. The caller holds Hub.mu.
func (h *Hub) startLeaving(v *presence) {
	if h.online[v.account] == v {
		delete(h.online, v.account)
	}
	v.leftAt = time.Now()
	if v.account != 0 { // 0 if the character of a restored player was deleted
		h.leavingByAccount[v.account] = v
	}
}

// Link returns the measurements of the player's connection. The gateway writes them.
func (s *Session) Link() *Link { return &s.link }

// KickMessage returns the text for the client of a player who was kicked or banned, or whose session Hub.EndAll has
// ended. It is "" for all others.
func (s *Session) KickMessage() string {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.presence.kickMessage
}

// Ended returns a channel that is closed when the hub has finished with the player. Usually that is after the player
// has left the world, when (1) the hub has received the player's last record and (2) the tick of leaving is durable.
// The channel is also closed when the hub stops waiting for the record (Options.RecordTimeout), when a full area
// refuses the player, and when the world stops.
func (s *Session) Ended() <-chan struct{} { return s.presence.ended }
