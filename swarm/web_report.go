package swarm

import (
	"context"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/client/web"
)

// WebReport is the result of a run with players of the web door. Its counts cover the measurement only. The exception is Unreadable,
// which counts from the first login on; it is the number of connections that ended because of an unreadable message.
type WebReport struct {
	Common
	Transport string  `json:"transport"`            // "WebTransport" or "WebSocket"
	SightMean float64 `json:"actors_in_sight_mean"` // mean number of actors that a client displays

	Inputs          uint64  `json:"inputs"`            // number of inputs sent
	InputsPerSecond float64 `json:"inputs_per_second"` // inputs sent by all clients per second

	Snapshots  float64 `json:"snapshots_per_client_second"` // snapshots received per client and second
	Overtaken  uint64  `json:"snapshots_overtaken"`         // number of snapshots that arrived after a newer one
	Told       float64 `json:"states_per_client_second"`    // actor states in snapshots per client and second
	ActorBytes float64 `json:"bytes_per_actor_and_tick"`    // bytes received per displayed actor and 50 ms, with control messages, without transport headers

	Corrections uint64  `json:"corrections"`               // number of corrections received
	False       uint64  `json:"corrections_false"`         // number of corrections that moved a player: false ones, because all players are honest
	Visible     uint64  `json:"own_states_visible"`        // number of states from the server, such as knockbacks, that moved the client's player
	Farthest    float64 `json:"own_state_farthest_blocks"` // largest distance in blocks by which a state from the server moved a player, without teleports
	Teleports   uint64  `json:"teleports"`                 // number of teleports of the clients' own players
	Knockbacks  uint64  `json:"knockbacks"`                // number of knockbacks of the clients' own players
	Struck      uint64  `json:"blows_seen"`                // number of hits that clients were told about
	Deaths      uint64  `json:"deaths"`                    // number of deaths of the clients' own players
}

func (d *webDriver) report(_ context.Context, c Common, elapsed time.Duration) Report {
	n := d.total()
	r := &WebReport{
		Common: c, Transport: "WebTransport", Inputs: n.Inputs, InputsPerSecond: perSecond(n.Inputs, elapsed),
		Snapshots: c.perClient(n.Snapshots, elapsed), Overtaken: n.Dropped, Told: c.perClient(n.Told, elapsed),
		Corrections: n.Corrections, False: n.False, Visible: n.Visible, Farthest: round(float64(n.MaxOff), 10_000),
		Teleports: n.Teleports, Knockbacks: n.Knockbacks, Struck: n.Struck, Deaths: n.Deaths,
	}
	if d.WebSocket {
		r.Transport = "WebSocket"
	}
	r.Play, r.Line = playText(d.Activity, d.InSight), d.Network.String()
	r.BytesInPerClient, r.BytesOutPerClient = c.perClient(n.BytesIn, elapsed), c.perClient(n.BytesOut, elapsed)
	seen, viewers := 0, 0
	for _, c := range clients[*webClient](d.roster) {
		c.Inspect(func(w *web.World) { seen += len(w.Actors) })
		viewers++
		if c.bad.Load() != nil {
			r.Unreadable++
		}
	}
	r.SightMean = round(float64(seen)/float64(max(1, viewers)), 10)
	if r.SightMean > 0 {
		r.ActorBytes = round(r.BytesInPerClient/20/r.SightMean, 100)
	}
	return r
}

// OK returns true if no correction moved a player, every player joined and none was dropped. It implements Report.
func (r *WebReport) OK(lossy bool) bool { return r.False == 0 && r.ok(lossy, 0) }

func (r *WebReport) falseCorrections() uint64 { return r.False }
func (r *WebReport) predicts() bool           { return true }

func (r *WebReport) summary() string {
	return fmt.Sprintf("%g snapshots/s, %g bytes per actor and tick; %d corrections, %d false; %d blows seen, %d deaths; %d unreadable",
		r.Snapshots, r.ActorBytes, r.Corrections, r.False, r.Struck, r.Deaths, r.Unreadable)
}

// Text returns the report as text for people. It implements Report.
func (r *WebReport) Text() (heading string, _ []Row) {
	var t rows
	t.add("clients", "%d asked, %d joined, %d failed, %d dropped; %s", r.Asked, r.Joined, r.Failed, r.Dropped, r.Transport)
	t.addCounts("%d: %s", r.Reasons)
	t.addCounts("%d tried again: %s", r.Retries)
	if r.Joined == 0 {
		t.add("", noServer, "--addr HOST:PORT")
		return r.heading(), t
	}
	t.add("login", "%v", r.Login)
	t.add("in sight", "%g actors per client", r.SightMean)
	t.add("inputs", "%s, %g/s", thousands(r.Inputs), r.InputsPerSecond)
	t.add("snapshots", "%g/s per client with %g states of actors; %s overtaken", r.Snapshots, r.Told, thousands(r.Overtaken))
	t.add("corrections", "%s: %s false; states of the server moved players %s times, by at most %g blocks", thousands(r.Corrections), thousands(r.False), thousands(r.Visible), r.Farthest)
	t.add("moved by it", "%s teleports, %s knockbacks", thousands(r.Teleports), thousands(r.Knockbacks))
	t.add("fights", "%s blows seen, %d deaths", thousands(r.Struck), r.Deaths)
	t.add("traffic", "in %.2f KB/s out %.2f KB/s per client, %g bytes per actor and tick, without the transport's headers", r.BytesInPerClient/1000, r.BytesOutPerClient/1000, r.ActorBytes)
	t.add("unreadable", "%d connections", r.Unreadable)
	if r.FirstUnreadable != "" {
		t.add("", "%s", r.FirstUnreadable)
	}
	t.add("swarm", "%g cores", r.SwarmCores)
	return r.heading(), t
}
