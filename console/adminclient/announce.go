package adminclient

import (
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/duration"
)

// Announce is the command "truestep admin announce", which shows a text to players.
type Announce struct {
	Text []string `arg:"" help:"The text."`
	Area string   `help:"Only to the players of this area." placeholder:"NAME"`
}

// Run shows the text to the players and prints their number.
func (n *Announce) Run(a *Access, to Output) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	body := map[string]any{"text": strings.Join(n.Text, " "), "area": n.Area}
	return askAndShow(c, "POST", "/announce", body, func(answer *struct {
		Told    int
		Missing []string
	}) error {
		text := fmt.Sprintf("announced to %d players", answer.Told)
		if answer.Told == 1 {
			text = "announced to 1 player"
		}
		if len(answer.Missing) > 0 {
			text += "; not to those of node " + strings.Join(answer.Missing, ", ") + ", which has not answered"
		}
		return c.say("%s", text)
	})
}

// Countdown holds the flags of a planned restart or stop: the delay, and the reason that players are shown.
type Countdown struct {
	// In is the time from the command to the stop or restart.
	In time.Duration `help:"After how long, such as 5m; the players see the countdown. 0: at once." default:"1m" placeholder:"TIME"`
	// Reason is a text that the players are shown with the countdown; "" gives no reason.
	Reason string `help:"Why; the players are shown it." placeholder:"TEXT"`
}

// body returns the JSON body of POST /stop and POST /restart: the delay and the reason.
func (d *Countdown) body() map[string]any {
	return map[string]any{"in": duration.Format(d.In), "reason": d.Reason}
}

// Restart is the command "truestep admin restart", which makes the server announce a restart and carry it out after a countdown.
type Restart struct{ Countdown }

// Run asks the server to restart after the countdown.
func (r *Restart) Run(a *Access, to Output) error {
	return a.do(to, "POST", "/restart", r.body(), "the server restarts in %s; truestep admin cancel keeps it running", duration.Format(r.In))
}

// Stop is the command "truestep admin stop", which makes the server announce a stop and carry it out after a countdown.
type Stop struct{ Countdown }

// Run asks the server to stop after the countdown.
func (s *Stop) Run(a *Access, to Output) error {
	return a.do(to, "POST", "/stop", s.body(), "the server stops in %s; truestep admin cancel keeps it running", duration.Format(s.In))
}

// Cancel is the command "truestep admin cancel", which cancels a planned restart or stop.
type Cancel struct{}

// Run cancels the planned restart or stop.
func (*Cancel) Run(a *Access, to Output) error {
	return a.do(to, "DELETE", "/stop", nil, "the server keeps running")
}
