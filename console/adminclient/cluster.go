package adminclient

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/duration"
)

// ClusterCommands are the commands "truestep cluster" that ask a running node.
type ClusterCommands struct {
	Status  ClusterStatus  `cmd:"" help:"Show the nodes and areas of a cluster, as a node sees them."`
	Drain   ClusterDrain   `cmd:"" help:"Hand over the areas that a node leads; it leads none until undrain or a restart."`
	Undrain ClusterUndrain `cmd:"" help:"Let a node lead areas again."`
	Move    ClusterMove    `cmd:"" help:"Make a node lead an area, until it is moved again or released."`
	Release ClusterRelease `cmd:"" help:"End the move of an area: load or the default order decides which node leads it."`
}

// ClusterStatus is the command "truestep cluster status", which prints the nodes and areas of a cluster, the players between areas, and the
// newest changes of leaders, as one node sees them.
type ClusterStatus struct{ Access }

// clusterView holds the fields of the response to GET /cluster that the command prints.
type clusterView struct {
	Node      string    // name of the answering node
	At        time.Time // time of the answer
	Paused    string    // why no area can be placed by load now; empty if no reason is known
	Nodes     []clusterNode
	Areas     []clusterArea
	Transfers []clusterTransfer
	Changes   []clusterChange // newest first

	// Counts since the start of the answering node: messages of other nodes that it could not use (Refused), or for which a queue was
	// full (Dropped), how often the others declared it dead (Fenced), and ticks whose records no node had (LostTicks).
	Refused, Dropped, Fenced, LostTicks uint64
}

// clusterNode is a node of the cluster.
type clusterNode struct {
	Name, Addr, State, Version string
	Self, NeverLeads           bool
	Since                      time.Time
	Incarnation                uint64
	Leads                      int
	Load                       uint64
	Link                       *struct {
		RoundTripUs, ClockOffsetMs int64
		Problem                    string
	}
}

// clusterArea is an area of the world.
type clusterArea struct {
	ID                  int
	Name                string
	Lead, Preferred     *string
	PlacedBy            string
	Load                uint64
	Since               time.Time
	Tick, SavedTick     uint64
	LogLast, LogStepped uint64
	Copies              []struct {
		Node     string
		LagTicks *uint64
	}
	LeadChanges uint64
	LastChange  *clusterChange
}

// clusterTransfer describes the players who are under way from one area to another.
type clusterTransfer struct {
	FromName, ToName, Why      string
	UnderWay, Arrived, Settled uint64
	OldestMs                   int64
}

// clusterChange is a change of the node that leads an area.
type clusterChange struct {
	At                            time.Time
	Area, From, To, Cause, Reason string
}

// failOvers are the causes of changes of leaders that are failures.
var failOvers = []string{"no_connection", "no_answer", "no_link", "regained"}

// why returns the reason of a change, marked if it is a failure.
func (l *clusterChange) why() string {
	if slices.Contains(failOvers, l.Cause) {
		return "fail-over: " + l.Reason
	}
	return l.Reason
}

// shownChanges is the maximum number of changes of leaders that the command prints.
const shownChanges = 10

// Run prints tables of the nodes, of the areas, of the players between areas, and of the newest changes of leaders, and a line about
// what has gone wrong. It leaves out the last two tables and the line if they are empty.
func (s *ClusterStatus) Run(to Output) error {
	return list(&s.Access, to, "/cluster", func(c *client, v *clusterView) error {
		parts := []func(*client) error{v.printNodes, v.printAreas}
		if v.Paused != "" {
			parts = append(parts, func(c *client) error { return c.say("no area is placed by load now: %s", v.Paused) })
		}
		if len(v.Transfers) > 0 {
			parts = append(parts, v.printTransfers)
		}
		if len(v.Changes) > 0 {
			parts = append(parts, v.printChanges)
		}
		if trouble := v.trouble(); trouble != "" {
			parts = append(parts, func(c *client) error { return c.say("%s", trouble) })
		}
		for i, part := range parts {
			if i > 0 {
				if err := c.say(""); err != nil {
					return err
				}
			}
			if err := part(c); err != nil {
				return err
			}
		}
		return nil
	})
}

func (v *clusterView) printNodes(c *client) error {
	var rows [][]string
	for _, n := range v.Nodes {
		state := n.State
		if n.NeverLeads {
			state += ", never leads"
		}
		row := []string{n.Name, state, age(v.At, n.Since), strconv.Itoa(n.Leads), strconv.FormatUint(n.Load, 10), "this node", "", n.Addr, n.Version, ""}
		if n.Link != nil {
			row[5], row[6], row[9] = fmt.Sprintf("%.2f ms", float64(n.Link.RoundTripUs)/1000), fmt.Sprintf("%+d ms", n.Link.ClockOffsetMs), n.Link.Problem
		}
		rows = append(rows, row)
	}
	return c.table("NODE STATE SINCE LEADS LOAD TRIP CLOCK ADDRESS VERSION PROBLEM", rows)
}

func (v *clusterView) printAreas(c *client) error {
	var rows [][]string
	for _, a := range v.Areas {
		lead := "none"
		if a.Lead != nil {
			lead = *a.Lead
		}
		var lags []string
		for _, copied := range a.Copies {
			lag := "?"
			if copied.LagTicks != nil {
				lag = strconv.FormatUint(*copied.LagTicks, 10)
			}
			lags = append(lags, copied.Node+" "+lag)
		}
		change := ""
		if a.LastChange != nil {
			change = a.LastChange.At.Local().Format(time.DateTime) + " " + a.LastChange.why()
		}
		placed := a.PlacedBy
		if a.Preferred != nil {
			placed += ", " + *a.Preferred
		}
		rows = append(rows, []string{a.Name, lead, age(v.At, a.Since), placed, strconv.FormatUint(a.Load, 10), strconv.FormatUint(a.Tick, 10), strings.Join(lags, ", "),
			difference(a.LogLast, a.LogStepped), difference(a.Tick, a.SavedTick), strconv.FormatUint(a.LeadChanges, 10), change})
	}
	return c.table("AREA LEADER SINCE PLACED LOAD TICK BEHIND UNSTEPPED UNSAVED CHANGES LAST", rows)
}

// difference returns ahead minus behind as text, or "0" if behind is not the smaller number.
func difference(ahead, behind uint64) string { return strconv.FormatUint(ahead-min(behind, ahead), 10) }

func (v *clusterView) printTransfers(c *client) error {
	var rows [][]string
	for _, t := range v.Transfers {
		rows = append(rows, []string{t.FromName, t.ToName, strconv.FormatUint(t.UnderWay, 10), strconv.FormatUint(t.Arrived, 10), fmt.Sprintf("%.1f s", float64(t.OldestMs)/1000), strconv.FormatUint(t.Settled, 10), t.Why})
	}
	return c.table("FROM TO PLAYERS ARRIVED OLDEST BEFORE WHY", rows)
}

func (v *clusterView) printChanges(c *client) error {
	var rows [][]string
	for _, l := range v.Changes[:min(shownChanges, len(v.Changes))] {
		rows = append(rows, []string{l.At.Local().Format(time.DateTime), l.Area, l.From, l.To, l.why()})
	}
	return c.table("CHANGED AREA FROM TO REASON", rows)
}

// trouble returns what has gone wrong with messages between nodes, and with records, since the start of the answering node, or "" if
// nothing has.
func (v *clusterView) trouble() string {
	var list []string
	for _, x := range []struct {
		n            uint64
		before, word string
		after        string
	}{
		{v.Refused, "refused ", "message", " of other nodes that it could not use"},
		{v.Dropped, "dropped ", "message", " because a queue was full"},
		{v.Fenced, "was taken for dead ", "time", ""},
		{v.LostTicks, "found no records of ", "tick", " on any node, which are lost"},
	} {
		if x.n == 0 {
			continue
		}
		if x.n != 1 {
			x.word += "s"
		}
		list = append(list, fmt.Sprint(x.before, x.n, " ", x.word, x.after))
	}
	if len(list) == 0 {
		return ""
	}
	return "since its start, node " + v.Node + " " + strings.Join(list, "; ")
}

// age returns, as text in whole seconds, how long before now the time at was. If at is later than now, the result is 0 seconds.
func age(now, at time.Time) string { return duration.Format(max(0, now.Sub(at)).Truncate(time.Second)) }

// NamedNode is the argument of commands about a node of the cluster.
type NamedNode struct {
	// Node is the name of the node; "" stands for the node that is asked.
	Node string `arg:"" optional:"" help:"Name of the node; without it, the node that is asked."`
}

// body returns the JSON body of a call about the node.
func (n *NamedNode) body() map[string]any { return map[string]any{"node": n.Node} }

// title returns the name of the node in output.
func (n *NamedNode) title() string {
	if n.Node == "" {
		return "the node"
	}
	return "node " + n.Node
}

// ClusterDrain is the command "truestep cluster drain", which hands over the areas that a node leads.
type ClusterDrain struct {
	NamedNode
	Access
}

// Run makes the node hand over all areas that it leads.
func (d *ClusterDrain) Run(to Output) error {
	return d.do(to, "POST", "/cluster/drain", d.body(), "%s leads no area; truestep cluster undrain lets it lead again", d.title())
}

// ClusterUndrain is the command "truestep cluster undrain", which lets a node lead areas again.
type ClusterUndrain struct {
	NamedNode
	Access
}

// Run lets the node lead areas again after a drain.
func (u *ClusterUndrain) Run(to Output) error {
	return u.do(to, "POST", "/cluster/undrain", u.body(), "%s leads areas again", u.title())
}

// ClusterMove is the command "truestep cluster move", which makes another node lead an area.
type ClusterMove struct {
	Access
	Area string `arg:"" help:"Name or number of the area."`
	// Node is the name of the node that must lead the area.
	Node string `arg:"" help:"Name of the node that leads it from now on."`
}

// Run makes another node lead the area.
func (m *ClusterMove) Run(to Output) error {
	return m.do(to, "POST", "/cluster/move", map[string]string{"area": m.Area, "node": m.Node}, "node %s leads %s", m.Node, m.Area)
}

// ClusterRelease is the command "truestep cluster release". It ends the effect of move: the area may change its leader again.
type ClusterRelease struct {
	Access
	Area string `arg:"" help:"Name or number of the area."`
}

// Run ends the move of the area.
func (r *ClusterRelease) Run(to Output) error {
	return r.do(to, "POST", "/cluster/release", map[string]string{"area": r.Area}, "%s is released: load or the default order decides which node leads it", r.Area)
}
