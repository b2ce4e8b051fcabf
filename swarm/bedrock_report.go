package swarm

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
)

// BedrockReport is the result of a run with Bedrock players. Its counts cover the measurement only. The exceptions are Unreadable,
// Ignored, Trailing and UnknownActors, which count from the first login on.
type BedrockReport struct {
	Common
	CheatsDropped int     `json:"cheats_dropped"`       // number of cheating players among the dropped players
	SightMean     float64 `json:"actors_in_sight_mean"` // mean number of actors that a client displays

	Inputs          uint64  `json:"inputs"`            // number of inputs sent
	InputsPerSecond float64 `json:"inputs_per_second"` // inputs sent by all clients per second

	Corrections   uint64            `json:"corrections"`                            // number of corrections that clients have received
	False         uint64            `json:"corrections_false"`                      // number of corrections that moved an honest client without a known reason
	Deserved      uint64            `json:"corrections_deserved"`                   // number of corrections of inputs that a cheat had altered
	AfterTeleport uint64            `json:"corrections_after_teleports"`            // number of corrections that were the first one after a teleport
	NoEffect      uint64            `json:"corrections_known"`                      // number of corrections to the position at which the client already was
	FarthestFalse float64           `json:"false_correction_farthest_blocks"`       // largest distance in blocks by which a false correction moved a player
	ByReason      map[string]uint64 `json:"server_corrections_by_reason,omitempty"` // number of the server's corrections by reason

	Rewinds          uint64       `json:"rewinds"`                      // number of times that a client went back to an earlier tick and replayed its inputs
	Replayed         uint64       `json:"ticks_replayed"`               // number of ticks that clients have replayed after rewinds
	RewindsUnchanged uint64       `json:"rewinds_that_changed_nothing"` // number of rewinds after which the client's state was the same as before
	Depth            Depths       `json:"rewind_depth"`                 // distribution of the number of ticks replayed per rewind
	PacketsByTick    uint64       `json:"packets_filed_by_tick"`        // number of packets that a client applied at the tick that they name
	PacketsTooLate   uint64       `json:"packets_too_late_to_file"`     // number of packets whose tick was no longer in the client's history
	Gap              Distribution `json:"gap"`                          // time between two updates of a nearby actor, in ms
	RoundTrip        Distribution `json:"round_trip"`                   // round-trip time of the connections, in ms
	Updates          float64      `json:"updates_per_client_second"`    // updates of actors per client and second

	Teleports   uint64  `json:"teleports"`    // number of teleports of the clients' own players
	Knockbacks  uint64  `json:"knockbacks"`   // number of knockbacks of the clients' own players
	Attacks     uint64  `json:"attacks"`      // number of attacks sent
	HurtsSeen   uint64  `json:"hurts_seen"`   // number of hits on other actors that clients were told about
	DamageTaken float64 `json:"damage_taken"` // health lost by the clients' own players, in points of the client (20 is full health)
	Deaths      uint64  `json:"deaths"`       // number of deaths of the clients' own players
	Respawns    uint64  `json:"respawns"`     // number of respawns of the clients' own players
	ChatLines   uint64  `json:"chat_lines"`   // number of chat lines received

	Resent        uint64 `json:"messages_resent"`             // number of datagrams that clients have retransmitted
	Trailing      uint64 `json:"packets_with_trailing_bytes"` // number of packets with bytes after the last field
	UnknownActors uint64 `json:"packets_of_unknown_actors"`   // number of packets about actors that the client does not display
}

// Depths is the distribution of the number of ticks that a client replays in one rewind.
type Depths struct {
	P50 int64 `json:"p50"` // median number of ticks
	P99 int64 `json:"p99"` // 99th percentile of the number of ticks
	Max int64 `json:"max"` // maximum number of ticks
}

func (d *bedrockDriver) report(ctx context.Context, c Common, elapsed time.Duration) Report {
	n, h := d.total()
	all := d.before
	all.Add(&n)
	m := &n.Move
	r := &BedrockReport{
		Common: c, Inputs: n.Inputs, InputsPerSecond: perSecond(n.Inputs, elapsed),
		Corrections: m.Corrections, False: m.Unexpected, Deserved: m.Tampered, AfterTeleport: m.AfterTeleport, NoEffect: m.NoEffect,
		FarthestFalse: round(float64(m.MaxUnexpected), 10_000), ByReason: d.readCorrections(ctx).since(d.server),
		Rewinds: n.Rewind.Rewinds, Replayed: n.Rewind.Replayed, RewindsUnchanged: n.Rewind.Unchanged, PacketsByTick: n.Rewind.Queued, PacketsTooLate: n.Rewind.Late,
		Gap: distributionOf(h.UpdateIntervals), RoundTrip: distributionOf(h.RoundTrips), Updates: c.perClient(n.Updates, elapsed),
		Teleports: m.Teleports, Knockbacks: m.Motions, Attacks: n.Attacks, HurtsSeen: n.Hurts,
		DamageTaken: round(float64(n.DamageTaken), 10), Deaths: n.Deaths, Respawns: n.Respawns, ChatLines: n.ChatLines,
		Resent: n.Resent, Trailing: all.Trailing, UnknownActors: all.UnknownActors,
	}
	if n.Rewind.Rewinds > 0 {
		r.Depth = Depths{h.ReplayDepths.ValueAtPercentile(50) - 1, h.ReplayDepths.ValueAtPercentile(99) - 1, h.ReplayDepths.Max() - 1}
	}
	r.Play, r.Line = d.playText(), d.Network.String()
	r.BytesInPerClient, r.BytesOutPerClient = c.perClient(n.BytesIn, elapsed), c.perClient(n.BytesOut, elapsed)
	r.Unreadable, r.Ignored = all.ParseErrors, all.Ignored
	seen, viewers := 0, 0
	for _, c := range clients[*bedrockClient](d.roster) {
		c.Inspect(func(s *bedrock.Session) { seen += s.World().ActorCount() })
		viewers++
	}
	r.SightMean = round(float64(seen)/float64(max(1, viewers)), 10)
	for i, p := range d.players {
		if p.is(dropped) && d.cheatOf(i) != "" {
			r.CheatsDropped++
		}
	}
	return r
}

func (d *bedrockDriver) playText() string {
	play := playText(d.Activity, d.InSight)
	if len(d.Cheat) > 0 {
		play += fmt.Sprintf(", %d cheat: %s", d.Clients-d.Honest, strings.Join(d.Cheat, ", "))
	}
	return play
}

// OK returns true if no honest player was falsely corrected, every player joined, and none was dropped. Dropped players that cheat
// do not count. It implements Report.
func (r *BedrockReport) OK(lossy bool) bool { return r.False == 0 && r.ok(lossy, r.CheatsDropped) }

func (r *BedrockReport) falseCorrections() uint64 { return r.False }
func (r *BedrockReport) predicts() bool           { return true }

func (r *BedrockReport) summary() string {
	return fmt.Sprintf("gap p99 %s; %d corrections, %d false; %d hurts seen, %d deaths; %d unreadable",
		ms(r.Gap.P99), r.Corrections, r.False, r.HurtsSeen, r.Deaths, r.Unreadable)
}

// Text returns the report as text for people. It implements Report.
func (r *BedrockReport) Text() (heading string, _ []Row) {
	var t rows
	t.add("clients", "%d asked, %d joined, %d failed, %d dropped, of whom %d cheated", r.Asked, r.Joined, r.Failed, r.Dropped, r.CheatsDropped)
	t.addCounts("%d: %s", r.Reasons)
	t.addCounts("%d tried again: %s", r.Retries)
	if r.Joined == 0 {
		t.add("", noServer, "--addr HOST:PORT")
		return r.heading(), t
	}
	t.add("login", "%v", r.Login)
	t.add("in sight", "%g actors per client; %g updates/s of them per client", r.SightMean, r.Updates)
	t.add("inputs", "%s, %g/s", thousands(r.Inputs), r.InputsPerSecond)
	t.add("corrections", "%s: %s false, %s deserved, %s after teleports, %s told nothing new",
		thousands(r.Corrections), thousands(r.False), thousands(r.Deserved), thousands(r.AfterTeleport), thousands(r.NoEffect))
	if r.False > 0 {
		t.add("", "the farthest false one moved its player %g blocks", r.FarthestFalse)
	}
	switch {
	case r.ByReason == nil:
		t.add("by reason", "not known: the server's metrics did not answer; --metrics HOST:PORT says where they are")
	case len(r.ByReason) == 0:
		t.add("by reason", "none in the server's metrics")
	default:
		t.add("by reason", "%s", byCount(r.ByReason, "%s %s"))
	}
	t.add("rewinds", "%s, depth p50 %d  p99 %d  max %d; %s ticks replayed; %s changed nothing",
		thousands(r.Rewinds), r.Depth.P50, r.Depth.P99, r.Depth.Max, thousands(r.Replayed), thousands(r.RewindsUnchanged))
	t.add("filed", "%s packets by their tick, %s too late for it", thousands(r.PacketsByTick), thousands(r.PacketsTooLate))
	t.add("gaps", "%v; %s counted", r.Gap, thousands(uint64(r.Gap.Count)))
	t.add("round trip", "%v", r.RoundTrip)
	t.add("moved by it", "%s teleports, %s knockbacks", thousands(r.Teleports), thousands(r.Knockbacks))
	t.add("fights", "%s attacks, %s hurts seen, damage taken %g, %d deaths, %d respawns", thousands(r.Attacks), thousands(r.HurtsSeen), r.DamageTaken, r.Deaths, r.Respawns)
	t.add("chat", "%d lines", r.ChatLines)
	t.add("traffic", "in %.2f KB/s out %.2f KB/s per client; %s messages resent", r.BytesInPerClient/1000, r.BytesOutPerClient/1000, thousands(r.Resent))
	t.add("unreadable", "%d packets; %d with trailing bytes, %d of types that are not looked at, %d of unknown actors", r.Unreadable, r.Trailing, r.Ignored, r.UnknownActors)
	if r.FirstUnreadable != "" {
		t.add("", "%s", r.FirstUnreadable)
	}
	t.add("swarm", "%g cores", r.SwarmCores)
	return r.heading(), t
}

// correctionCounts is the number of corrections that the server has counted, by reason. It is nil if the server's metrics
// could not be read.
type correctionCounts map[string]uint64

// correctionsMetric is the beginning of a line of the server's metrics that contains the number of corrections for one
// reason.
const correctionsMetric = `truestep_corrections_total{reason="`

// readCorrections reads the numbers of corrections from the server's metrics. If no address of the metrics is configured, it
// reads them from this machine if the server runs on it. Otherwise it returns nil.
func (d *bedrockDriver) readCorrections(ctx context.Context) correctionCounts {
	at := d.Metrics
	if at == "" {
		host, _, err := net.SplitHostPort(d.Server)
		if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil
		}
		at = "127.0.0.1:9180"
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at+"/metrics", nil)
	if err != nil {
		return nil
	}
	client := http.DefaultClient
	if d.Dial != nil {
		client = &http.Client{Transport: &http.Transport{DialContext: d.Dial, DisableKeepAlives: true}}
	}
	resp, err := client.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil
	}
	defer resp.Body.Close()
	counts := correctionCounts{}
	for lines := bufio.NewScanner(io.LimitReader(resp.Body, 1<<20)); lines.Scan(); {
		rest, ok := strings.CutPrefix(lines.Text(), correctionsMetric)
		if !ok {
			continue
		}
		reason, value, _ := strings.Cut(rest, `"} `)
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			counts[reason] = uint64(n)
		}
	}
	return counts
}

// since returns, by reason, how many corrections the server has counted since the reading in the parameter earlier. It
// returns nil if one of the two readings failed.
func (c correctionCounts) since(earlier correctionCounts) map[string]uint64 {
	if c == nil || earlier == nil {
		return nil
	}
	grown := map[string]uint64{}
	for reason, n := range c {
		if n > earlier[reason] {
			grown[reason] = n - earlier[reason]
		}
	}
	return grown
}
