package adminclient

import (
	"fmt"
	"net/url"
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
		return c.say("%s%s", text, missingText(answer.Missing))
	})
}

// Countdown holds the flags of a planned restart or stop: the delay, and the reason that players are shown.
type Countdown struct {
	// In is the time from the command to the stop or restart.
	In time.Duration `help:"After how long, such as 5m; the players see the countdown. 0: at once." default:"1m" placeholder:"TIME"`
	// Reason is a text that the players are shown with the countdown; "" gives no reason.
	Reason string `help:"Why; the players are shown it." placeholder:"TEXT"`
	StopNodes
}

// StopNodes holds the flags that select the nodes of a cluster that must stop. Without them only the node that is asked stops.
type StopNodes struct {
	// Node is the name of the node; "" stands for the node that is asked.
	Node string `name:"on-node" help:"In a cluster: the node of this name, in place of the one that is asked." placeholder:"NAME"`
	// AllNodes is true to select all nodes.
	AllNodes bool `help:"In a cluster: all nodes."`
}

// cancel returns the end of a sentence that names the command to cancel the stop, and the effect of that command.
func (n *StopNodes) cancel() string {
	switch {
	case n.AllNodes:
		return "truestep admin cancel --all-nodes keeps them running"
	case n.Node != "":
		return "truestep admin cancel --on-node " + n.Node + " keeps it running"
	}
	return "truestep admin cancel keeps it running"
}

// title returns the name of the server or of the nodes in output, and the ending of a verb that follows the name.
func (n *StopNodes) title() (name, verbEnding string) {
	switch {
	case n.AllNodes:
		return "all nodes", ""
	case n.Node != "":
		return "node " + n.Node, "s"
	}
	return "the server", "s"
}

// plan plans a stop or restart.
func (d *Countdown) plan(a *Access, to Output, path, verb string) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	body := map[string]any{"in": duration.Format(d.In), "reason": d.Reason}
	if d.Node != "" {
		body["node"] = d.Node
	}
	if d.AllNodes {
		body["allNodes"] = true
	}
	return askAndShow(c, "POST", path, body, func(answer *struct{ Missing []string }) error {
		name, ending := d.title()
		return c.say("%s %s%s in %s%s; %s", name, verb, ending, duration.Format(d.In), missingText(answer.Missing), d.cancel())
	})
}

// missingText returns the end of a line: the names of nodes that have not answered. It is "" if all nodes have answered.
func missingText(nodes []string) string {
	if len(nodes) == 0 {
		return ""
	}
	return " (no answer from node " + strings.Join(nodes, ", ") + ")"
}

// Restart is the command "truestep admin restart", which makes the server announce a restart and carry it out after a countdown.
type Restart struct{ Countdown }

// Run asks the server to restart after the countdown.
func (r *Restart) Run(a *Access, to Output) error {
	return r.plan(a, to, "/restart", "restart")
}

// Stop is the command "truestep admin stop", which makes the server announce a stop and carry it out after a countdown.
type Stop struct{ Countdown }

// Run asks the server to stop after the countdown.
func (s *Stop) Run(a *Access, to Output) error {
	return s.plan(a, to, "/stop", "stop")
}

// Cancel is the command "truestep admin cancel", which cancels a planned restart or stop.
type Cancel struct{ StopNodes }

// Run cancels the planned restart or stop.
func (x *Cancel) Run(a *Access, to Output) error {
	query := url.Values{}
	if x.Node != "" {
		query.Set("node", x.Node)
	}
	if x.AllNodes {
		query.Set("allNodes", "true")
	}
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	return askAndShow(c, "DELETE", strings.TrimSuffix("/stop?"+query.Encode(), "?"), nil, func(answer *struct{ Missing []string }) error {
		name, ending := x.title()
		return c.say("%s keep%s running%s", name, ending, missingText(answer.Missing))
	})
}
