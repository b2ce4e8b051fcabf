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

// Cluster gives access to the cluster of which this server is a node. *cluster.Host implements it.
type Cluster interface {
	// Status returns the state of the cluster as this node sees it.
	Status() cluster.Status
	// Drain makes this node hand over the areas that it leads. It returns when other nodes lead them.
	Drain(context.Context) error
	// Undrain lets this node lead areas again after Drain.
	Undrain() error
	// Move makes the named node lead an area.
	Move(ctx context.Context, a sim.AreaID, node string) error
	// Release ends the effect of Move: load or the default order decides again which node leads the area.
	Release(a sim.AreaID) error
	// Ask sends a question to another node and returns the answer.
	Ask(ctx context.Context, node string, question []byte) ([]byte, error)
	// SetAnswerer sets the function that answers questions of other nodes. If the function is nil, questions are refused.
	SetAnswerer(cluster.Answerer)
}

// drainTimeout is how long POST /cluster/drain waits until other nodes lead the areas of this node. After that the call returns,
// and the node continues to hand over its areas.
const drainTimeout = 5 * time.Second

var errNoCluster = &apiError{http.StatusNotFound, codeNotFound, "this server is not a node of a cluster"}

// clusterBody is the state of a cluster as the answering node sees it. All counts begin at the start of that node.
type clusterBody struct {
	Node      string           `json:"node"`      // name of the answering node
	At        timestamp        `json:"at"`        // time of the answer
	Nodes     []nodeBody       `json:"nodes"`     // all nodes of the cluster
	Areas     []ledAreaBody    `json:"areas"`     // all areas of the world
	Transfers []transferBody   `json:"transfers"` // players who are under way between areas, by pair of areas; empty if there is none
	Paused    string           `json:"paused"`    // why no area can be placed by load now, as a text for people; empty if no reason is known
	Changes   []leadChangeBody `json:"changes"`   // last changes of area leaders that the answering node has seen, newest first
	Fenced    uint64           `json:"fenced"`    // how often the other nodes declared the answering node dead
	Dropped   uint64           `json:"dropped"`   // number of messages of other nodes that were dropped because a queue was full
	Refused   uint64           `json:"refused"`   // number of messages of other nodes that were invalid
	LostTicks uint64           `json:"lostTicks"` // number of ticks that the answering node counted as stored although no node had their records
	Crossings uint64           `json:"crossings"` // number of players that entered areas led by this node from other areas
}

// nodeBody is one node of a cluster.
type nodeBody struct {
	Name        string    `json:"name"`        // name of the node
	Addr        string    `json:"addr"`        // address at which the node accepts connections of other nodes
	Self        bool      `json:"self"`        // the described node is the one that answers
	State       string    `json:"state"`       // "up", "draining", "leaving" or "down"
	Since       timestamp `json:"since"`       // time of the last connect or disconnect; start time for the answering node
	Version     string    `json:"version"`     // version and build of the node's program; empty if the answering node was never connected with it
	Incarnation uint64    `json:"incarnation"` // grows each time that the node starts, or returns after it was declared dead
	NeverLeads  bool      `json:"neverLeads"`  // the node leads no areas, because of its setting cluster-lead = false
	Leads       int       `json:"leads"`       // number of areas that the node leads
	Load        uint64    `json:"load"`        // load of the areas that the node leads, plus DoorLoad
	DoorLoad    uint64    `json:"doorLoad"`    // load of the players who are connected through the node
	Link        *linkBody `json:"link"`        // connection to the node; null for the answering node
}

// linkBody is the connection of the answering node to another node.
type linkBody struct {
	RoundTripUS   int64  `json:"roundTripUs"`   // shortest round-trip time of the last seconds, us
	ClockOffsetMS int64  `json:"clockOffsetMs"` // the other node's clock minus the answering node's clock, ms
	QueuedBytes   int    `json:"queuedBytes"`   // number of bytes that wait to be sent
	Unsent        uint64 `json:"unsent"`        // number of frames that were dropped because the queue was full
	Links         uint64 `json:"links"`         // number of connections to the node since the start of the answering node
	Problem       string `json:"problem"`       // why there is no connection; empty while there is one
}

// ledAreaBody is an area, its leader, and its copies on the nodes.
type ledAreaBody struct {
	ID          sim.AreaID       `json:"id"`          // id of the area
	Name        string           `json:"name"`        // name of the area
	Lead        *string          `json:"lead"`        // node that leads the area; null if none is known
	Since       timestamp        `json:"since"`       // time at which Lead became the leader, or was lost
	Term        uint64           `json:"term"`        // Raft term of the area's log; grows with each election
	Preferred   *string          `json:"preferred"`   // node to which an operator has moved the area; null if none
	PlacedBy    cluster.PlacedBy `json:"placedBy"`    // what decides which node should lead the area: "default", "load" or "operator"
	Load        uint64           `json:"load"`        // intents of players in the area per second, plus the number of players, smoothed
	Tick        sim.Tick         `json:"tick"`        // newest tick of the answering node's copy
	SavedTick   sim.Tick         `json:"savedTick"`   // tick up to which the records of the area are stored
	LogLast     uint64           `json:"logLast"`     // index of the newest entry in the answering node's log
	LogStepped  uint64           `json:"logStepped"`  // index of the newest log entry that the answering node has applied
	Copies      []copyBody       `json:"copies"`      // copy of the area on each node
	UnderWay    int              `json:"underWay"`    // number of players who have left the area and whose arrival in another one is not confirmed
	Settled     uint64           `json:"settled"`     // number of players who have left the area and whose arrival in another one is confirmed, since the areas began
	LeadChanges uint64           `json:"leadChanges"` // number of changes of the leader that the answering node has seen
	LastChange  *leadChangeBody  `json:"lastChange"`  // newest change of the leader; null if there was none
}

// copyBody is the copy of an area on one node.
type copyBody struct {
	Node     string  `json:"node"`     // name of the node
	LagTicks *uint64 `json:"lagTicks"` // number of ticks behind the newest copy; null if not known
}

// transferBody is the players who are under way from one area to another: they have left the first area, and their arrival in the
// second is not confirmed.
type transferBody struct {
	From     sim.AreaID `json:"from"`     // id of the area that the players have left
	FromName string     `json:"fromName"` // name of that area
	To       sim.AreaID `json:"to"`       // id of the area to which the players go
	ToName   string     `json:"toName"`   // name of that area
	UnderWay int        `json:"underWay"` // number of players
	Arrived  int        `json:"arrived"`  // number of these players who have arrived, so only the confirmation is missing
	OldestMS int64      `json:"oldestMs"` // time since the first of these players has left, ms
	Settled  uint64     `json:"settled"`  // number of players who made this trip since the areas began and whose arrival is confirmed
	Why      string     `json:"why"`      // why the first of these players waits, as a text for people; empty if no reason is known
}

// leadChangeBody is a change of the node that leads an area.
type leadChangeBody struct {
	At     timestamp         `json:"at"`     // time of the change
	Area   string            `json:"area"`   // name of the area
	From   string            `json:"from"`   // node that led the area before; empty if none was known
	To     string            `json:"to"`     // node that leads the area now; empty if none is known
	Cause  cluster.LeadCause `json:"cause"`  // why the leader changed: one of cluster.LeadCauses
	Reason string            `json:"reason"` // the cause with the names of the nodes, as a text for people
}

// clusterStatus handles GET /cluster. It returns the nodes and the areas of the cluster as this node sees them.
func (k *call) clusterStatus() (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	s := k.Cluster.Status()
	b := clusterBody{
		Node: s.Node, At: timestamp(k.clock()), Paused: s.Paused, Transfers: make([]transferBody, 0, len(s.Transfers)), Changes: make([]leadChangeBody, 0, len(s.Changes)),
		Fenced: s.Fenced, Dropped: s.Dropped, Refused: s.Refused, LostTicks: s.LostTicks, Crossings: s.Crossed,
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
	for i := range s.Transfers {
		b.Transfers = append(b.Transfers, describeTransfer(&s.Transfers[i], s.Areas))
	}
	for _, c := range s.Changes {
		b.Changes = append(b.Changes, describeChange(c))
	}
	return b, nil
}

func describeNode(n *cluster.NodeStatus) nodeBody {
	b := nodeBody{Name: n.Name, Addr: n.Addr, Self: n.Self, State: "up", Since: timestamp(n.Since), Version: n.Version, Incarnation: n.Incarnation, NeverLeads: n.NeverLeads, Load: n.Load, DoorLoad: n.DoorLoad}
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
		ID: a.ID, Name: a.Name, Lead: orNull(a.Lead, ""), Since: timestamp(a.Since), Term: a.Term, Preferred: orNull(a.Preferred, ""), PlacedBy: a.PlacedBy, Load: a.Load,
		Tick: a.Tick, SavedTick: a.SavedTick, LogLast: a.LastIndex, LogStepped: a.StepIndex, UnderWay: a.UnderWay, Settled: a.Settled, LeadChanges: a.Changes,
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

func describeTransfer(t *cluster.Transfer, areas []cluster.AreaStatus) transferBody {
	return transferBody{
		From: t.From, FromName: areas[t.From].Name, To: t.To, ToName: areas[t.To].Name,
		UnderWay: t.UnderWay, Arrived: t.Arrived, OldestMS: t.Oldest.Milliseconds(), Settled: t.Settled, Why: t.Why,
	}
}

func describeChange(c cluster.LeadChange) leadChangeBody {
	return leadChangeBody{timestamp(c.At), c.Area, c.From, c.To, c.Cause, c.Reason}
}

// onNamedNode runs a call about the node that the request body names. If the body names no node or this one, onNamedNode calls run;
// otherwise it has the named node run the call.
func (k *call) onNamedNode(path string, run func() (any, error)) (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	var body struct {
		Node string `json:"node"` // name of the node; empty for the node that was asked
	}
	if err := readOptionalBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	other, err := k.chooseNode(body.Node, false)
	if err != nil {
		return nil, err
	}
	if other == "" {
		k.entry.Detail = "node " + k.node
		return run()
	}
	k.entry.Detail = "node " + other
	result, _, err := k.runOn(other, forwardedCall{Method: http.MethodPost, Path: path})
	return result, err
}

// drainNode handles POST /cluster/drain. It makes a node hand over the areas that it leads.
func (k *call) drainNode() (any, error) { return k.onNamedNode("/cluster/drain", k.drainThisNode) }

func (k *call) drainThisNode() (any, error) {
	ctx, cancel := context.WithTimeout(k.r.Context(), drainTimeout)
	defer cancel()
	if err := k.Cluster.Drain(ctx); err != nil {
		return nil, &apiError{http.StatusConflict, codeConflict, "the node drains, but " + err.Error() + " yet"}
	}
	return okBody{true}, nil
}

// undrainNode handles POST /cluster/undrain. It lets a node lead areas again after a drain.
func (k *call) undrainNode() (any, error) {
	return k.onNamedNode("/cluster/undrain", func() (any, error) {
		return okBody{true}, k.Cluster.Undrain()
	})
}

// moveArea handles POST /cluster/move. It makes another node lead an area.
func (k *call) moveArea() (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	var body struct {
		Area nameOrID `json:"area"` // name or id of the area
		Node string   `json:"node"` // name of the node that is to lead the area
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	a, err := k.ledArea(body.Area)
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

// releaseArea handles POST /cluster/release. It ends the effect of moveArea: the area may change its leader again.
func (k *call) releaseArea() (any, error) {
	if k.Cluster == nil {
		return nil, errNoCluster
	}
	var body struct {
		Area nameOrID `json:"area"` // name or id of the area
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	a, err := k.ledArea(body.Area)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = k.areaName(a)
	return okBody{true}, k.Cluster.Release(a)
}

// ledArea returns the area with a name or id from a request that concerns the leader of an area.
func (k *call) ledArea(name nameOrID) (sim.AreaID, error) {
	if name == "" {
		return 0, badRequest(`"area" is missing: the name or the number of an area`)
	}
	return k.findArea("area", string(name))
}

// clusterError returns the response for an error of package cluster, or nil for any other error.
func clusterError(err error) *apiError {
	if errors.Is(err, cluster.ErrNoNode) {
		return &apiError{http.StatusNotFound, codeNotFound, err.Error()}
	}
	for _, conflict := range []error{cluster.ErrNeverLeads, cluster.ErrNodeDown, cluster.ErrNotMoved, cluster.ErrNoLead, cluster.ErrUnreachable, cluster.ErrAskRefused} {
		if errors.Is(err, conflict) {
			return &apiError{http.StatusConflict, codeConflict, err.Error()}
		}
	}
	if errors.Is(err, cluster.ErrAnswerLost) {
		return &apiError{http.StatusConflict, codeConflict, err.Error() + ": check whether it was done before you retry"}
	}
	return nil
}
