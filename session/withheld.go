package session

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// WithheldChat is a line of chat that a player sent and that no player received.
type WithheldChat struct {
	Entity                   sim.EntityID   // actor of the speaker
	Account, Character, Door string         // account, character and door of the speaker
	Area                     sim.AreaID     // area in which the line was said
	Text                     string         // what was said
	Reason                   WithheldReason // why no player received the line
}

// WithheldReason is the reason why no player received a line of chat.
type WithheldReason string

// Values of WithheldReason.
const (
	WithheldMuted     WithheldReason = "muted"      // the account is muted
	WithheldRateLimit WithheldReason = "rate_limit" // the player sent lines faster than a player may
	WithheldAreaLimit WithheldReason = "area_limit" // the players of the area together sent more lines than allowed
	WithheldBusy      WithheldReason = "busy"       // the area was closed, too many of the player's intents were waiting, or the player left or took too long while it changed areas
)

// noticeMS is the minimum time in ms between two notices to a player that a text is withheld.
const noticeMS = 3000

// withheldNotices are the texts that tell a player why a line is withheld. A muted player is told so by isMuted.
var withheldNotices = map[WithheldReason]string{
	WithheldRateLimit: "You are talking too fast: your line was not sent.",
	WithheldAreaLimit: "Too many players are talking here: your line was not sent.",
	WithheldBusy:      "The server is busy: your line was not sent.",
}

// requestNotice tells a player that a command line or a request about a party is withheld because of WithheldBusy.
const requestNotice = "The server is busy: your request was not carried out."

// withhold tells the player that a line of chat is withheld, and passes the line to Options.OnWithheld. If the server is too busy for
// another text (isText), it only tells the player. It does nothing for other intents. A muted player is told that it is muted, also if it
// is not the reason.
func (s *Session) withhold(in *sim.Intent, to sim.AreaID, why WithheldReason) {
	text, isChat := withheldNotices[why], in.Kind == sim.IntentChat
	if !isChat {
		if why != WithheldBusy || !isText(in) {
			return
		}
		text = requestNotice
	}
	nowMS := s.hub.world.NowMS()
	if muted := isChat && s.isMuted(nowMS); text != "" && !muted && s.noticeDue(nowMS) {
		s.notify(text)
	}
	if isChat && s.hub.opt.OnWithheld != nil {
		s.hub.opt.OnWithheld(WithheldChat{Entity: s.Entity, Account: s.Login.Name, Character: s.Character.Name, Door: s.Login.Door, Area: to, Text: in.Text, Reason: why})
	}
}

// noticeWait is how long a notice waits for its answer. An area without a leader answers once it has a new one. If the answer was in a frame
// that the hub has missed, it never comes.
const noticeWait = time.Minute

// notify sends a notice about a withheld text to the player, unless an earlier one waits for its answer. While an area has no leader, it
// takes no intents, and notices would pile up.
func (s *Session) notify(text string) {
	h := s.hub
	h.mu.Lock()
	v := h.presences[s.Entity]
	if v == nil || v.leaving() {
		h.mu.Unlock()
		return
	}
	v.dropOverdue(time.Now())
	if slices.Contains(v.orders, v.notice) {
		h.mu.Unlock()
		return
	}
	v.notice = h.addOrder(v, sim.Intent{Kind: sim.IntentMessage, Text: text, Amount: sim.ToneWarning})
	v.notice.until = time.Now().Add(noticeWait)
	h.unlockAndSubmit(v, v.notice)
}

// noticeDue reports whether the last notice about a withheld text is noticeMS old, and if so counts one as sent now.
func (s *Session) noticeDue(nowMS int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noticeAt != 0 && nowMS-s.noticeAt < noticeMS {
		return false
	}
	s.noticeAt = max(nowMS, 1)
	return true
}
