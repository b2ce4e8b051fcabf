package chatlog

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/truestep-io/truestep/sim/geom"
)

// Channel says how a line of chat was sent: by a player to its area, or by an operator.
type Channel string

// Values of Channel.
const (
	Area         Channel = "area"         // chat of a player to all players in the area
	Announcement Channel = "announcement" // text of an operator to all players in an area or in the world
	Message      Channel = "message"      // text of an operator to one player
)

// Channels returns all channels.
func Channels() []Channel { return []Channel{Area, Announcement, Message} }

// Withheld says why no player received a line. The value Shown means that players received it.
type Withheld string

// Values of Withheld.
const (
	Shown     Withheld = ""           // the line was not withheld
	Muted     Withheld = "muted"      // the account of the speaker is muted
	RateLimit Withheld = "rate_limit" // the speaker sent lines faster than a player may
	AreaLimit Withheld = "area_limit" // the players of the area together sent more lines than the limit of an area allows
	Busy      Withheld = "busy"       // the server could not accept the line: the speaker's inbox was full, or the area was stopping
)

// Line is one line of chat: the text, when and where it was said, by which player or operator, and whether players received it.
type Line struct {
	ID      int64     // greater than 0, ascending, never reused; set by the log
	At      time.Time // time of the line in whole milliseconds, UTC; Add replaces a zero time by the current time
	Channel Channel   // how the line was sent
	Area    string    // name of the area; "" for an announcement to all areas
	Pos     geom.Vec  // position of the speaker in world units; valid if HasPos
	HasPos  bool      // Pos is known

	Account, Player, Door string // account, character and door of the speaker; "" for an operator
	Operator              string // operator who sent an announcement or message
	ToAccount, ToPlayer   string // account and character of the recipient of a message
	Told                  int    // number of players to which the announcement was sent

	Text     string   // what was said, UTF-8, at most 1000 bytes
	Withheld Withheld // why no player received the line; Shown if players received it
}

// maxText is the maximum length of each text of a line in bytes. No line of chat that a door accepts is longer.
const maxText = 1000

// clean makes the texts of the line valid UTF-8 and truncates them to maxText bytes. It rounds the time down to
// milliseconds and replaces coordinates that are not finite by 0.
func (l *Line) clean(now time.Time) {
	if l.At.IsZero() {
		l.At = now
	}
	l.At = time.UnixMilli(l.At.UnixMilli()).UTC()
	for _, s := range []*string{&l.Area, &l.Account, &l.Player, &l.Door, &l.Operator, &l.ToAccount, &l.ToPlayer, &l.Text} {
		if len(*s) > maxText {
			*s = (*s)[:maxText]
		}
		*s = strings.ToValidUTF8(*s, "")
	}
	for _, v := range []*float32{&l.Pos.X, &l.Pos.Y, &l.Pos.Z} {
		if *v-*v != 0 { // not finite
			*v = 0
		}
	}
}

// MarshalJSON encodes the line as docs/console-api.md describes it.
func (l Line) MarshalJSON() ([]byte, error) {
	var pos *[3]float32
	if l.HasPos {
		pos = &[3]float32{l.Pos.X, l.Pos.Y, l.Pos.Z}
	}
	return json.Marshal(struct {
		ID        int64       `json:"id"`
		At        string      `json:"at"`
		Channel   Channel     `json:"channel"`
		Area      string      `json:"area"`
		Pos       *[3]float32 `json:"pos"`
		Account   string      `json:"account"`
		Player    string      `json:"player"`
		Door      string      `json:"door"`
		Operator  string      `json:"operator"`
		ToAccount string      `json:"toAccount"`
		ToPlayer  string      `json:"toPlayer"`
		Told      int         `json:"told"`
		Text      string      `json:"text"`
		Withheld  Withheld    `json:"withheld"`
	}{l.ID, l.At.UTC().Format("2006-01-02T15:04:05.000Z"), l.Channel, l.Area, pos, l.Account, l.Player, l.Door, l.Operator,
		l.ToAccount, l.ToPlayer, l.Told, l.Text, l.Withheld})
}
