package console

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/sim"
)

// Cluster is this server as a node of a cluster. *cluster.Host implements it.
type Cluster interface {
	Status() cluster.Status
	// Drain makes this node hand over the areas that it leads, and returns when others lead them.
	Drain(context.Context) error
	// Undrain ends Drain.
	Undrain()
	// Move makes a node lead an area that this node leads.
	Move(ctx context.Context, a sim.AreaID, node string) error
}

// drainTimeout is how long a drain waits for the other nodes. The node goes on handing over after that.
const drainTimeout = 5 * time.Second

var errNoCluster = &apiError{http.StatusNotFound, codeNotFound, "this server is not a node of a cluster"}

// clusterBody is the state of a cluster as the node that answers sees it. Counts are since the start of that node.
type clusterBody struct {
	Node      string           `json:"node"` // name of the node that answers
	At        timestamp        `json:"at"`
	Nodes     []nodeBody       `json:"nodes"`     // all nodes of the cluster
	Areas     []ledAreaBody    `json:"areas"`     // all areas of the world
	Changes   []leadChangeBody `json:"changes"`   // last changes of leads that the node has seen, newest first
	Fenced    uint64           `json:"fenced"`    // how often the other nodes took the node that answers for dead
	Dropped   uint64           `json:"dropped"`   // number of messages of other nodes for which there was no room
	Refused   uint64           `json:"refused"`   // number of messages of other nodes that could not be used
	Crossings uint64           `json:"crossings"` // number of players that came into areas which this node leads from other areas
}

type nodeBody struct {
	Name        string    `json:"name"`
	Addr        string    `json:"addr"`        // address for links of other nodes
	Self        bool      `json:"self"`        // the node is the one that answers
	State       string    `json:"state"`       // "up", "draining", "leaving" or "down"
	Since       timestamp `json:"since"`       // time at which it was connected or disconnected
	Incarnation uint64    `json:"incarnation"` // grows each time that the node starts, or returns after the others took it for dead
	Leads       int       `json:"leads"`       // number of areas that it leads
	Link        *linkBody `json:"link"`        // connection of the node that answers to this one; null for the node that answers
}

// linkBody is the connection of the node that answers to another node.
type linkBody struct {
	RoundTripUS   int64  `json:"roundTripUs"`   // shortest round-trip time of the last seconds, us
	ClockOffsetMS int64  `json:"clockOffsetMs"` // the other node's clock minus the clock of the node that answers, ms
	QueuedBytes   int    `json:"queuedBytes"`   // bytes that wait to be sent
	Unsent        uint64 `json:"unsent"`        // number of frames that were not sent because the queue was full
	Links         uint64 `json:"links"`         // how often there was a connection
	Problem       string `json:"problem"`       // why there is no connection; empty if there is one
}

// ledAreaBody is an area and its copies on the nodes.
type ledAreaBody struct {
	ID          sim.AreaID      `json:"id"`
	Name        string          `json:"name"`
	Lead        *string         `json:"lead"`       // node that leads the area; null if none is known
	Since       timestamp       `json:"since"`      // time at which it became the lead
	Term        uint64          `json:"term"`       // term of the area's log; grows with each election
	Preferred   *string         `json:"preferred"`  // node to which an operator has moved the area; null if none did
	Tick        sim.Tick        `json:"tick"`       // newest tick of the copy of the node that answers
	SavedTick   sim.Tick        `json:"savedTick"`  // tick up to which the records of the area are stored
	LogLast     uint64          `json:"logLast"`    // index of the newest entry in the log of the node that answers
	LogStepped  uint64          `json:"logStepped"` // index of the newest entry that it has stepped
	Copies      []copyBody      `json:"copies"`
	LeadChanges uint64          `json:"leadChanges"` // number of changes of the lead that the node has seen
	LastChange  *leadChangeBody `json:"lastChange"`  // newest of them; null if there was none
}

type copyBody struct {
	Node     string  `json:"node"`     // node that has the copy
	LagTicks *uint64 `json:"lagTicks"` // ticks by which the copy is behind the newest one; null if not known
}

type leadChangeBody struct {
	At     timestamp `json:"at"`
	Area   string    `json:"area"`
	From   string    `json:"from"`   // node that led the area before; may be empty
	To     string    `json:"to"`     // node that leads it now; may be empty
	Reason string    `json:"reason"` // a text for people
}

// clusterStatus handles GET /cluster.
func (k *call) clusterStatus() (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	s := k.Cluster.Status()
	b := clusterBody{
		Node: s.Node, At: timestamp(k.clock()), Changes: make([]leadChangeBody, 0, len(s.Changes)),
		Fenced: s.Fenced, Dropped: s.Dropped, Refused: s.Refused, Crossings: s.Crossed,
	}
	leads := map[string]int{}
	for i := range s.Areas {
		leads[s.Areas[i].Lead]++
		b.Areas = append(b.Areas, describeLedArea(&s.Areas[i]))
	}
	for i := range s.Nodes {
		n := describeNode(&s.Nodes[i])
		n.Leads = leads[n.Name]
		b.Nodes = append(b.Nodes, n)
	}
	for _, c := range s.Changes {
		b.Changes = append(b.Changes, describeChange(c))
	}
	return b, nil
}

func describeNode(n *cluster.NodeStatus) nodeBody {
	b := nodeBody{Name: n.Name, Addr: n.Addr, Self: n.Self, State: "up", Since: timestamp(n.Since), Incarnation: n.Incarnation}
	switch {
	case !n.Up:
		b.State = "down"
	case n.Leaving:
		b.State = "leaving"
	case n.Draining:
		b.State = "draining"
	}
	if !n.Self {
		b.Link = describeLink(&n.Link)
	}
	return b
}

func describeLink(l *link.PeerStatus) *linkBody {
	return &linkBody{l.RoundTrip.Microseconds(), l.OffsetMS, l.Queued, l.Unsent, l.Links, l.Problem}
}

func describeLedArea(a *cluster.AreaStatus) ledAreaBody {
	b := ledAreaBody{
		ID: a.ID, Name: a.Name, Lead: orNull(a.Lead, ""), Since: timestamp(a.Since), Term: a.Term, Preferred: orNull(a.Preferred, ""),
		Tick: a.Tick, SavedTick: a.SavedTick, LogLast: a.LastIndex, LogStepped: a.StepIndex, LeadChanges: a.Changes,
	}
	for _, c := range a.Copies {
		one := copyBody{Node: c.Node}
		if c.Known {
			one.LagTicks = &c.Lag
		}
		b.Copies = append(b.Copies, one)
	}
	if a.Last != nil {
		last := describeChange(*a.Last)
		b.LastChange = &last
	}
	return b
}

func describeChange(c cluster.LeadChange) leadChangeBody {
	return leadChangeBody{timestamp(c.At), c.Area, c.From, c.To, c.Reason}
}

// drainNode handles POST /cluster/drain.
func (k *call) drainNode() (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	k.entry.Detail = "node " + k.Cluster.Status().Node
	ctx, cancel := context.WithTimeout(k.r.Context(), drainTimeout)
	defer cancel()
	if err := k.Cluster.Drain(ctx); err != nil {
		return nil, &apiError{http.StatusConflict, codeConflict, "the node drains, but " + err.Error() + " yet"}
	}
	return okBody{true}, nil
}

// undrainNode handles POST /cluster/undrain.
func (k *call) undrainNode() (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	k.entry.Detail = "node " + k.Cluster.Status().Node
	k.Cluster.Undrain()
	return okBody{true}, nil
}

// moveArea handles POST /cluster/move.
func (k *call) moveArea() (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	var body struct {
		Area nameOrID `json:"area"`
		Node string   `json:"node"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	if body.Area == "" {
		return nil, badRequest(`"area" is missing: the name or the number of an area`)
	}
	a, err := k.findArea("area", string(body.Area))
	if err != nil {
		return nil, err
	}
	node := strings.TrimSpace(body.Node)
	if node == "" {
		return nil, badRequest(`"node" is missing: the name of a node of the cluster`)
	}
	k.entry.Detail = k.areaName(a) + " to " + node
	return okBody{true}, k.Cluster.Move(k.r.Context(), a, node)
}

// clusterError returns the response for an error of package cluster, nil if it is another one.
func clusterError(err error) *apiError {
	if errors.Is(err, cluster.ErrNoNode) {
		return &apiError{http.StatusNotFound, codeNotFound, err.Error()}
	}
	for _, conflict := range []error{cluster.ErrNotLead, cluster.ErrNodeDown, cluster.ErrNotMoved, cluster.ErrNoLead} {
		if errors.Is(err, conflict) {
			return &apiError{http.StatusConflict, codeConflict, err.Error()}
		}
	}
	return nil
}
