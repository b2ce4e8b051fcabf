package session

import (
	"sync"

	"github.com/truestep-io/truestep/sim"
)

// areaChat limits the chat lines of one area, because each line is sent to every player in it. While few lines are
// sent, a speaker is limited only by the rate limit of its session. Once half of the area's budget is used up, the
// sessions that spoke in the last seconds share the budget equally, so that lines of a player who seldom chats get
// through while another player floods the chat. areaChat is safe for concurrent use.
type areaChat struct {
	mu       sync.Mutex
	bucket   bucket
	window   int64 // number of the current window, each speakerWindowMS long; 0 before the first line
	speakers int   // sessions that tried to speak in the current window
	before   int   // sessions that tried to speak in the previous window
}

// speakerWindowMS is the length in ms of the windows in which the sessions that speak are counted. A session that has spoken counts
// as a speaker until the next window ends.
const speakerWindowMS = 5000

// speaker is the chat state of one session in its area.
type speaker struct {
	window int64 // number of the areaChat window in which the session was last counted
	lastMS int64 // world time in ms of the last line that was allowed
}

// chatBurst is how many seconds of its chat limit an area may use at once: with the default limit of 20 lines per second, 60
// lines.
const chatBurst = 3

// grant reports whether a session may send a line to the area now. The parameter sp is the chat state of the session,
// perSecond the chat limit of the whole area in lines per second, and nowMS the world time in ms.
func (c *areaChat) grant(sp *speaker, perSecond, nowMS int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := budget{perSecond: perSecond, burst: chatBurst * perSecond}
	window := nowMS/speakerWindowMS + 1
	switch {
	case c.window == 0:
		c.bucket = bucket{milli: of.burst * 1000, atMS: nowMS}
		c.window = window
	case window == c.window+1:
		c.window, c.before, c.speakers = window, c.speakers, 0
	case window > c.window:
		c.window, c.before, c.speakers = window, 0, 0
	}
	if sp.window != c.window {
		sp.window = c.window
		c.speakers++
	}
	nowMS = max(nowMS, c.bucket.atMS)                           // a session with a later time may have locked c.mu first
	wait := int64(max(c.speakers, c.before)) * 1000 / perSecond // ms between two lines of one speaker if all share the budget equally
	switch left := c.bucket.milli + (nowMS-c.bucket.atMS)*perSecond; {
	case left >= of.burst*1000/2:
		wait = 0
	case left < of.burst*1000/4:
		wait += wait / 2 // leave the last quarter of the budget to speakers that use less than their share
	}
	if nowMS-sp.lastMS < wait || !c.bucket.takeToken(of, nowMS) {
		return false
	}
	sp.lastMS = nowMS
	return true
}

// grantChat reports whether the session may send a line to the area now without exceeding the chat limit of that area. The
// caller holds s.mu.
func (s *Session) grantChat(to sim.AreaID, nowMS int64) bool {
	if to < 0 || int(to) >= len(s.hub.areaChats) {
		return true // the area does not exist: the world will refuse the intent
	}
	return s.hub.areaChats[to].grant(&s.speaker, int64(s.hub.limits.Load().AreaChat), nowMS)
}
