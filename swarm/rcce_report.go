package swarm

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
)

// RCCEReport is the result of a run with RealmCrafter players. Its counts cover the measurement only. The exceptions are LateAnswers,
// Corrections, Snaps, Unreadable, Ignored and UnknownActors, which count from the first login on.
type RCCEReport struct {
	Common
	LateAnswers uint64         `json:"late_answers"` // number of account packets answered after more than 1.2 s, when known clients no longer wait
	Areas       map[string]int `json:"areas"`        // number of players by area

	SightMean        float64      `json:"in_sight_mean"`             // mean number of actors near a client's player, within 500 units
	SightLeast       int          `json:"in_sight_least"`            // smallest number of actors near a client's player, within 500 units
	UpdatesPerSecond float64      `json:"updates_per_second"`        // updates of actors received by all clients per second
	UpdatesPerClient float64      `json:"updates_per_client_second"` // updates of actors per client and second
	Gap              Distribution `json:"gap"`                       // time between two updates of a nearby actor, in ms
	RoundTrip        Distribution `json:"round_trip"`                // round-trip time of the connections, in ms
	Corrections      uint64       `json:"corrections"`               // number of times that the server refused a claim and moved the client's player back
	Snaps            uint64       `json:"snaps"`                     // number of times that a client was over 60 units away from the server's position and moved there at once
	ClaimsPerSecond  float64      `json:"claims_per_second"`         // positions claimed by all clients per second
	DatagramsIn      float64      `json:"datagrams_in_per_second"`   // datagrams received by all clients per second
	DatagramsOut     float64      `json:"datagrams_out_per_second"`  // datagrams sent by all clients per second
	Resent           uint64       `json:"commands_resent"`           // number of reliable commands that clients have retransmitted
	Overtaken        uint64       `json:"updates_overtaken"`         // number of updates that arrived after a newer one
	Overflows        uint64       `json:"datagrams_lost_by_swarm"`   // number of datagrams that the kernel dropped because the swarm was too slow

	Swings        uint64 `json:"swings"`                    // number of attacks that clients have requested
	Hits          uint64 `json:"hits"`                      // number of hits by the clients' own players
	DamageDealt   uint64 `json:"damage_dealt"`              // damage by the clients' own players, in points
	DamageTaken   uint64 `json:"damage_taken"`              // damage to the clients' own players, in points
	Kills         uint64 `json:"kills"`                     // number of actors killed by the clients' own players
	Deaths        uint64 `json:"deaths"`                    // number of deaths of the clients' own players
	ChatLines     uint64 `json:"chat_lines"`                // number of chat lines received
	UnknownActors uint64 `json:"updates_of_unknown_actors"` // number of updates of actors that the client does not know
}

func (d *rcceDriver) report(_ context.Context, c Common, elapsed time.Duration) Report {
	n := d.total()
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.before
	all.Add(&n.Counts)
	r := &RCCEReport{
		Common: c, Areas: map[string]int{}, Gap: distributionOf(n.gaps), RoundTrip: distributionOf(n.trips),
		LateAnswers: all.Late, Corrections: all.Corrections, Snaps: all.Snaps, Resent: n.Resent, Overtaken: n.Stale, Overflows: n.Overflows,
		Swings: n.Swings, Hits: n.Hits, DamageDealt: n.DamageDealt, DamageTaken: n.DamageTaken,
		Kills: n.Kills, Deaths: n.Deaths, ChatLines: n.ChatLines, UnknownActors: all.UnknownActors,
		UpdatesPerSecond: perSecond(n.Updates, elapsed), UpdatesPerClient: c.perClient(n.Updates, elapsed),
		ClaimsPerSecond: perSecond(n.Claims, elapsed), DatagramsIn: perSecond(n.DatagramsIn, elapsed), DatagramsOut: perSecond(n.DatagramsOut, elapsed),
	}
	r.Play, r.Line = playText(d.Activity, d.InSight), d.Network.String()
	r.BytesInPerClient, r.BytesOutPerClient = c.perClient(n.BytesIn, elapsed), c.perClient(n.BytesOut, elapsed)
	r.Unreadable, r.Ignored = all.Bad, all.Ignored
	if r.FirstUnreadable == "" && d.firstBad != nil {
		r.FirstUnreadable = d.firstBad.Error()
	}
	d.addSight(r)
	return r
}

// playText describes the activity of the players as text for the report.
func playText(a Activity, inSight bool) string {
	if inSight {
		return a.String() + ", in sight"
	}
	return a.String()
}

// addSight adds two things to the report: the number of players by area, and how many actors the clients know near their
// own players.
func (d *rcceDriver) addSight(r *RCCEReport) {
	seen, viewers := 0, 0
	for _, c := range clients[*rcceClient](d.roster) {
		c.Inspect(func(w *rcce.World) {
			r.Areas[w.Area]++
			n := w.CountWithin(rcceCloseRange)
			if viewers == 0 || n < r.SightLeast {
				r.SightLeast = n
			}
			seen += n
			viewers++
		})
	}
	r.SightMean = round(float64(seen)/float64(max(1, viewers)), 10)
}

// OK returns true if every player joined and none was dropped. It implements Report.
func (r *RCCEReport) OK(lossy bool) bool { return r.ok(lossy, 0) }

func (r *RCCEReport) falseCorrections() uint64 { return r.Corrections + r.Snaps }
func (r *RCCEReport) predicts() bool           { return false }

func (r *RCCEReport) summary() string {
	return fmt.Sprintf("gap p99 %s; %d corrections, %d snaps; %d hits, %d kills, %d deaths; %d unreadable",
		ms(r.Gap.P99), r.Corrections, r.Snaps, r.Hits, r.Kills, r.Deaths, r.Unreadable)
}

// Text returns the report as text for people. It implements Report.
func (r *RCCEReport) Text() (heading string, _ []Row) {
	var t rows
	t.add("clients", "%d asked, %d joined, %d failed, %d dropped", r.Asked, r.Joined, r.Failed, r.Dropped)
	t.addCounts("%d: %s", r.Reasons)
	t.addCounts("%d tried again: %s", r.Retries)
	if r.Joined == 0 {
		t.add("", noServer, "--server HOST:PORT")
		return r.heading(), t
	}
	t.add("areas", "%s", r.areasText())
	t.add("login", "%v; %d answers later than clients wait", r.Login, r.LateAnswers)
	t.add("in sight", "%g actors per client, %d at least", r.SightMean, r.SightLeast)
	t.add("updates", "%s/s, %g/s per client; %s more were overtaken on the way", thousands(uint64(r.UpdatesPerSecond)), r.UpdatesPerClient, thousands(r.Overtaken))
	t.add("gaps", "%v; %s counted", r.Gap, thousands(uint64(r.Gap.Count)))
	t.add("round trip", "%v", r.RoundTrip)
	t.add("held", "%d corrections, %d snaps; %g claims/s", r.Corrections, r.Snaps, r.ClaimsPerSecond)
	t.add("fights", "%d swings, %d hits, damage dealt %d taken %d, %d kills, %d deaths", r.Swings, r.Hits, r.DamageDealt, r.DamageTaken, r.Kills, r.Deaths)
	t.add("chat", "%d lines", r.ChatLines)
	t.add("traffic", "in %.1f KB/s out %.2f KB/s per client; in %s out %s datagrams/s; %d commands resent",
		r.BytesInPerClient/1000, r.BytesOutPerClient/1000, thousands(uint64(r.DatagramsIn)), thousands(uint64(r.DatagramsOut)), r.Resent)
	t.add("unreadable", "%d packets, %d of types that are not parsed, %d updates of unknown actors", r.Unreadable, r.Ignored, r.UnknownActors)
	if r.FirstUnreadable != "" {
		t.add("", "%s", r.FirstUnreadable)
	}
	t.add("swarm", "%g cores; %d datagrams lost because it read too late", r.SwarmCores, r.Overflows)
	return r.heading(), t
}

// areasText lists the areas with their numbers of players; the area with the most players comes first.
func (r *RCCEReport) areasText() string {
	names := slices.SortedFunc(maps.Keys(r.Areas), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Areas[b], r.Areas[a]), cmp.Compare(a, b))
	})
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", name, r.Areas[name])
	}
	return text
}
