package web_test

import (
	"strings"
	"testing"
	"testing/synctest"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim"
)

// loudGame is a game in which each command announces a text that is much longer than the maximum length of a message.
type loudGame struct{ *testGame }

// longLine consists of characters of 4, 3 and 1 bytes in turn. Byte 4,080 is inside a character of 3 bytes.
var longLine = "ab" + strings.Repeat("😀€x", 5000)

func (g *loudGame) Command(h *sim.Hand, _ sim.EntityID, c *sim.Command) {
	h.Announce(longLine)
	h.Announce("after " + c.Text)
}

// A line that is too long for a message is cut between two characters. The client is sent its first part, and then the next lines.
func TestGameTextTooLongForMessageIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for name, ws := range map[string]bool{"WebTransport": false, "WebSocket": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := loadGameWorld(t)
			w.World.Game = &loudGame{newTestGame(&w.World.Schema)}
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				r := open(t, w, dir, web.Options{}, netsim.Impairment{})
				defer r.start()()
				ann := r.join("Ann", ws)
				if a := ann.command("shout", "it"); a.Reason != 0 {
					t.Errorf("the command is refused: %+v", a)
				}
				ann.until("the line after the long one has arrived", func(w *webcl.World) bool {
					return len(w.Lines) > 0 && w.Lines[len(w.Lines)-1] == "\tafter it"
				})
				ann.look(func(w *webcl.World) {
					if got := strings.TrimPrefix(w.Lines[len(w.Lines)-2], "\t"); len(got) != 4078 || !strings.HasPrefix(longLine, got) {
						t.Errorf("the line has %d bytes and ends with %q, want the first 4,078", len(got), got[len(got)-8:])
					}
				})
				if err := ann.stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
