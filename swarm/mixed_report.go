package swarm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/internal/oracle"
)

// MixedReport is the result of a mixed run, in which players of several protocols share one world. Its comparisons cover the
// time of the measurement, not that of the logins. In JSON, the report of each protocol is stored under the protocol's name.
type MixedReport struct {
	Console         string  `json:"console,omitempty"` // HOST:PORT of the console; "" if nothing was compared
	Line            string  `json:"line"`              // impairment of the network between players and server, as text
	RampSeconds     float64 `json:"ramp_seconds"`      // time in seconds between the first login and the measurement
	MeasuredSeconds float64 `json:"measured_seconds"`  // duration of the measurement in seconds

	Asked   int `json:"clients_asked"`   // number of players that the run tried to log in
	Joined  int `json:"clients_joined"`  // number of players that joined
	Failed  int `json:"clients_failed"`  // number of players that could not join
	Dropped int `json:"clients_dropped"` // number of players that lost their connections

	TickP50   float64 `json:"tick_p50_ms"`         // median tick time in ms; the maximum over all areas and periods of ten seconds
	TickP99   float64 `json:"tick_p99_ms"`         // 99th percentile of the tick time in ms; the maximum over all areas and periods of ten seconds
	TickMax   float64 `json:"tick_p99_allowed_ms"` // maximum allowed TickP99 in ms
	Frames    uint64  `json:"frames_of_truth"`     // number of frames received from the server's live map, with which the clients are compared
	Lost      uint64  `json:"frames_left_out"`     // number of ticks of which the live map sent no frame
	Stall     float64 `json:"longest_stall_ms"`    // longest pause of the server's ticks or of this process, in ms
	Allowance float64 `json:"way_allowed_ms"`      // additional delay that is allowed for the network, in ms
	Compared  uint64  `json:"places_compared"`     // number of positions compared

	Doors      []DoorReport `json:"doors"`            // comparison by door
	Mismatches uint64       `json:"mismatches"`       // number of wrong, late and missing actors, and of displayed actors that had left
	First      []Mismatch   `json:"first_mismatches"` // first mismatches of each protocol

	Corrections   []Correction `json:"corrections"`              // corrections of the run's players in the server's journal
	False         uint64       `json:"corrections_false"`        // number of false corrections: corrections of honest players without a known reason
	ConsoleErrors []string     `json:"console_errors,omitempty"` // failed requests to the console
	SwarmCores    float64      `json:"swarm_cpu_cores"`          // mean number of CPU cores that this process used

	// Protocols contains the reports of those protocols that had players in the run.
	Protocols []ProtocolReport `json:"-"`
}

// ProtocolReport is the report about the players of one protocol in a run of several protocols.
type ProtocolReport struct {
	Name string // name of the protocol, such as "rcce"
	Report
}

// DoorReport is the result of comparing the positions that the clients of one door display with those of the server.
type DoorReport struct {
	Door         string  `json:"door"`                                  // name of the door, such as "rcce"
	Rounding     string  `json:"rounding"`                              // how the protocol rounds positions
	Delay        string  `json:"delay_by_design"`                       // delays that the door's update intervals cause, as text
	Observations uint64  `json:"looks"`                                 // number of observations of clients
	Newcomers    uint64  `json:"looks_of_newcomers"`                    // number of observations not compared, because the client had just entered the world
	ShownMean    float64 `json:"actors_seen_mean"`                      // mean number of actors displayed per observation
	Compared     uint64  `json:"places_compared"`                       // number of positions compared
	Fresh        uint64  `json:"actors_that_had_just_come"`             // number of positions of actors that had just come into view
	Beyond       uint64  `json:"places_too_far_to_be_told"`             // number of positions of actors outside of the range in which the door sends updates
	Stalled      uint64  `json:"looks_after_stalls"`                    // number of observations after a stall, for which a larger delay is allowed
	Blurred      uint64  `json:"places_in_frames_left_out"`             // number of positions not compared, because the server's frame of that time was missing
	Expected     uint64  `json:"actors_that_had_to_be_there"`           // number of actors that the clients had to display
	Crowded      uint64  `json:"looks_in_crowds_beyond_the_most_shown"` // number of observations in crowds larger than the door's maximum of displayed actors
	WorstError   float64 `json:"worst_error_units"`                     // largest deviation in world units of a position that was accepted as correct
	AgeP50       float64 `json:"age_p50_ms"`                            // median age of a displayed position in ms
	AgeP99       float64 `json:"age_p99_ms"`                            // 99th percentile of the age of a displayed position in ms
	AgeMax       float64 `json:"age_max_ms"`                            // maximum age of a displayed position in ms
	Wrong        uint64  `json:"places_wrong"`                          // number of displayed positions at which the actor never was
	Late         uint64  `json:"places_late"`                           // number of displayed positions that were older than allowed
	Missing      uint64  `json:"actors_missing"`                        // number of actors that a client had to display and did not
	Ghosts       uint64  `json:"actors_that_had_left"`                  // number of displayed actors that had already left the area or the world
}

// Mismatch is a difference between what a client displayed and the state of the server.
type Mismatch struct {
	Second float64 `json:"second"` // time since the beginning of the measurement in seconds
	Door   string  `json:"door"`   // name of the door, such as "rcce"
	Viewer string  `json:"viewer"` // name of the client's player
	Actor  string  `json:"actor"`  // name of the displayed or missing actor
	Kind   string  `json:"kind"`   // kind of mismatch: "wrong", "late", "missing" or "left"
	Text   string  `json:"text"`   // description of the mismatch
}

// Correction counts the server's journal entries about players of this run that have the same door, verdict and reason.
type Correction struct {
	Door    string `json:"door"`    // name of the door, such as "rcce"
	Verdict string `json:"verdict"` // verdict of the entries: "held", "corrected" or "refused"
	Reason  string `json:"reason"`  // reason of the entries, such as "warping"
	Times   uint64 `json:"times"`   // number of entries
	False   bool   `json:"false"`   // the corrections are false: honest players are not corrected for this reason
}

// MarshalJSON encodes the report, with the report of each protocol under the protocol's name.
func (r *MixedReport) MarshalJSON() ([]byte, error) {
	type fields MixedReport
	b, err := json.Marshal((*fields)(r))
	for _, p := range r.Protocols {
		if err != nil {
			return nil, err
		}
		var one []byte
		one, err = json.Marshal(p.Report)
		b = append(fmt.Appendf(b[:len(b)-1], ",%q:", p.Name), append(one, '}')...)
	}
	return b, err
}

// newMixedReport returns the report of a run: the results of all protocols, and of the comparison with the server.
func newMixedReport(ctx context.Context, m *MixedConfig, r *run) *MixedReport {
	first := r.groups[0].result.common()
	x := &MixedReport{
		Line: m.Network.String(), RampSeconds: first.RampSeconds, MeasuredSeconds: first.MeasuredSeconds, SwarmCores: first.SwarmCores,
		TickMax: m.TickMax.Seconds() * 1000, Allowance: m.Allowance.Seconds() * 1000, First: []Mismatch{}, Corrections: []Correction{},
	}
	for _, g := range r.groups {
		c := g.result.common()
		x.Asked += c.Asked
		x.Joined += c.Joined
		x.Failed += c.Failed
		x.Dropped += c.Dropped
		x.Protocols = append(x.Protocols, ProtocolReport{g.driver.name(), g.result})
	}
	if r.check != nil {
		r.check.addTo(ctx, x)
	}
	return x
}

// addTo adds the results of the comparison between clients and server to the report.
func (c *check) addTo(ctx context.Context, r *MixedReport) {
	r.Console = c.console.base.Host
	entries, err := c.console.corrections(ctx, c.began)
	if err != nil {
		c.fail(err)
	}
	r.addCorrections(slices.DeleteFunc(entries, func(e journalEntry) bool { return !c.config.isOurs(e.Player) }))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, err := range c.errs {
		r.ConsoleErrors = append(r.ConsoleErrors, err.Error())
	}
	r.TickP50, r.TickP99 = round(float64(c.ticks.p50)/1000, 100), round(float64(c.ticks.p99)/1000, 100)
	r.Frames, r.Lost = c.truth.Counts()
	r.Stall = round(c.truth.WorstStall().Seconds()*1000, 10)
	for _, f := range c.oracle.Findings {
		r.First = append(r.First, Mismatch{
			Second: round(max(0, f.At.Sub(c.began).Seconds()), 100), Door: f.Protocol, Viewer: f.Viewer, Actor: f.Actor,
			Kind: string(f.Verdict), Text: f.Reason,
		})
	}
	for _, p := range oracle.Protocols() {
		d := c.doorReport(p.Name)
		if d.Observations == 0 {
			continue
		}
		r.Doors = append(r.Doors, d)
		r.Compared += d.Compared
		r.Mismatches += d.Wrong + d.Late + d.Missing + d.Ghosts
	}
}

func (c *check) doorReport(name string) DoorReport {
	v, p := c.oracle.Result(name), c.oracle.Protocol(name)
	d := DoorReport{
		Door: name, Rounding: p.Rounding, Delay: delayText(p),
		Observations: v.Observations, Newcomers: v.Newcomers, ShownMean: round(float64(v.Shown)/float64(max(1, v.Observations-v.Newcomers)), 10),
		Compared: v.Compared, Fresh: v.Fresh, Beyond: v.Beyond, Stalled: v.Stalled, Blurred: v.Blurred, Expected: v.Expected, Crowded: v.Crowded,
		WorstError: round(float64(v.WorstError), 10_000), Wrong: v.Wrong, Late: v.Late, Missing: v.Missing, Ghosts: v.Ghosts,
	}
	if h := c.ages[name]; h != nil {
		ages := distributionOf(h)
		d.AgeP50, d.AgeP99, d.AgeMax = ages.P50, ages.P99, ages.Max
	}
	return d
}

// delayText describes the update intervals of a protocol, by distance, as text for the report. What clients display is late by
// these intervals.
func delayText(p *oracle.Protocol) string {
	var list []string
	for i := range p.Bands {
		list = append(list, fmt.Sprintf("%d ms up to %g units", p.Bands[i].EveryMS, p.Bands[i].Radius))
	}
	return strings.Join(list, ", ")
}

// addCorrections adds the server's journal entries to the report, counted by door, verdict and reason. It marks those that are
// false corrections. Refusals are never false, because players may request anything. Clients that predict their players count
// false corrections themselves: those that moved a player although the server had sent no reason.
func (r *MixedReport) addCorrections(list []journalEntry) {
	counts := map[Correction]uint64{}
	for i := range list {
		e := &list[i]
		counts[Correction{Door: e.Door, Verdict: e.Verdict, Reason: e.Reason, False: !r.predictedAt(e.Door) && isFalseEntry(e)}] += uint64(max(e.Times, 1))
	}
	for key, n := range counts {
		key.Times = n
		r.Corrections = append(r.Corrections, key)
		if key.False {
			r.False += n
		}
	}
	slices.SortFunc(r.Corrections, func(a, b Correction) int {
		return cmp.Or(cmp.Compare(a.Door, b.Door), cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(b.Times, a.Times), cmp.Compare(a.Reason, b.Reason))
	})
	for _, p := range r.Protocols {
		r.False += p.falseCorrections()
	}
}

// expectedReasons contains the reasons for which honest players are corrected. These are (1) claims and clicks that were on
// their way when the player died, was teleported or was frozen, (2) clicks on unreachable places by clients that do not know
// the ground.
var expectedReasons = map[string]bool{"warping": true, "dead": true, "no_path": true, "off_map": true, "frozen": true}

func isFalseEntry(e *journalEntry) bool {
	return e.Verdict != "refused" && !expectedReasons[e.Reason]
}

// predictedAt reports whether the clients of a door predict their own players (see Report).
func (r *MixedReport) predictedAt(door string) bool {
	return slices.ContainsFunc(r.Protocols, func(p ProtocolReport) bool { return p.Name == door && p.predicts() })
}

// OK reports whether all protocols are OK and the clients displayed what the server's live map contained (see Report).
func (r *MixedReport) OK(lossy bool) bool {
	for _, p := range r.Protocols {
		if !p.OK(lossy) {
			return false
		}
	}
	if r.Console == "" {
		return true
	}
	if r.TickP99 >= r.TickMax || len(r.ConsoleErrors) > 0 || r.Compared == 0 && r.Joined > 1 {
		return false
	}
	return lossy || r.Mismatches == 0 && r.False == 0
}

// Text returns the report as text for people (see Report).
func (r *MixedReport) Text() (heading string, _ []Row) {
	var t rows
	t.add("clients", "%d asked, %d joined, %d failed, %d dropped", r.Asked, r.Joined, r.Failed, r.Dropped)
	for _, p := range r.Protocols {
		c := p.common()
		t.add(p.Name, "%d in; in %.2f KB/s out %.3f KB/s per client; %s", c.Joined, c.BytesInPerClient/1000, c.BytesOutPerClient/1000, p.summary())
		if len(c.Reasons) > 0 {
			t.add("", "%s", byCount(c.Reasons, "%s: %s"))
		}
		if c.FirstUnreadable != "" {
			t.add("", "%s", c.FirstUnreadable)
		}
	}
	if r.Joined == 0 {
		t.add("", noServer, "--rcce-addr, --rs-addr, --bedrock-addr and --web-addr")
	}
	if r.Console == "" {
		t.add("compared", "nothing: --no-check")
	} else {
		r.addChecks(&t)
	}
	t.add("swarm", "%g cores", r.SwarmCores)
	return fmt.Sprintf("mixed swarm: %s; measured for %gs after %gs", r.Line, r.MeasuredSeconds, r.RampSeconds), t
}

// addChecks adds the rows about the comparison of the clients with the server.
func (r *MixedReport) addChecks(t *rows) {
	t.add("ticks", "p50 %s  p99 %s in the worst ten seconds of the worst area; below %s is allowed", ms(r.TickP50), ms(r.TickP99), ms(r.TickMax))
	t.add("reference", "%s frames from the console at %s; %s were left out; the machine stood still for %s at most", thousands(r.Frames), r.Console, thousands(r.Lost), ms(r.Stall))
	for i := range r.Doors {
		d := &r.Doors[i]
		t.add("seen by "+d.Door, "%s places compared in %s looks, %g actors each; left out: %s looks of newcomers, %s actors that had just come, %s too far away, %s in lost frames",
			thousands(d.Compared), thousands(d.Observations), d.ShownMean, thousands(d.Newcomers), thousands(d.Fresh), thousands(d.Beyond), thousands(d.Blurred))
		t.add("", "rounding: %s; worst error %g units", d.Rounding, d.WorstError)
		t.add("", "delay: %s, and %s for the way; found p50 %s  p99 %s  max %s; %s looks after stalls", d.Delay, ms(r.Allowance), ms(d.AgeP50), ms(d.AgeP99), ms(d.AgeMax), thousands(d.Stalled))
		t.add("", "%s had to be there; %d looks in greater crowds than are shown", thousands(d.Expected), d.Crowded)
		t.add("", "mismatches: %d wrong, %d late, %d missing, %d had left", d.Wrong, d.Late, d.Missing, d.Ghosts)
	}
	for _, m := range r.First {
		t.add("", "at %gs %s by %s (%s): %s: %s", m.Second, m.Actor, m.Viewer, m.Door, m.Kind, m.Text)
	}
	t.add("corrections", "%d false", r.False)
	for _, c := range r.Corrections {
		note := "provoked"
		switch {
		case c.False:
			note = "FALSE"
		case c.Verdict == "refused":
			note = "a wish"
		case r.predictedAt(c.Door):
			note = "see above which were false"
		}
		t.add("", "%s: %s %s, %s times: %s", c.Door, c.Verdict, c.Reason, thousands(c.Times), note)
	}
	for _, e := range r.ConsoleErrors {
		t.add("console", "%s", e)
	}
}
