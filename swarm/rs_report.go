package swarm

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// RSGaps is the distribution of the times between two PLAYER_INFO packets of a client, in milliseconds.
type RSGaps struct {
	P1    float64 `json:"p1_ms"`    // first percentile in ms
	P50   float64 `json:"p50_ms"`   // median in ms
	P99   float64 `json:"p99_ms"`   // 99th percentile in ms
	P999  float64 `json:"p99_9_ms"` // 99.9th percentile in ms
	Max   float64 `json:"max_ms"`   // maximum in ms
	Count int64   `json:"count"`    // number of gaps
}

// RSSight is the distribution of the number of players that a client displays, its own included, sampled once a second.
type RSSight struct {
	Min    int `json:"min"`    // smallest sample
	Median int `json:"median"` // median of the samples
	Max    int `json:"max"`    // largest sample
}

// RSMismatch describes a packet that contradicts the client's state. A real client would disconnect because of it.
type RSMismatch struct {
	User   string `json:"user"`   // account name of the client
	Cycle  int    `json:"cycle"`  // cycle of the packet, counted from the login
	Bit    int    `json:"bit"`    // offset in the packet in bits
	Reason string `json:"reason"` // error of the decoder
}

// String returns the mismatch as text for the report.
func (m RSMismatch) String() string {
	return fmt.Sprintf("%s, cycle %d, bit %d: %s", m.User, m.Cycle, m.Bit, m.Reason)
}

// RSReport is the result of a run with RuneScape players. Its counts cover the measurement only. The exceptions are Mismatched,
// Mismatches, OffMap, Unreadable and Ignored, which count from the first login on.
type RSReport struct {
	Common
	FailedByCode map[string]int `json:"failed_by_code"` // failed logins by response code; "none" counts those without a response

	PlayerInfos    uint64  `json:"player_infos"`            // number of PLAYER_INFO packets
	InfosPerSecond float64 `json:"player_infos_per_second"` // PLAYER_INFO packets per second
	Gap            RSGaps  `json:"gap"`                     // times between two PLAYER_INFO packets
	Missed         uint64  `json:"missed_cycles"`           // number of cycles without a PLAYER_INFO packet
	InSight        RSSight `json:"in_sight"`                // players that a client displays

	Blocks         map[string]uint64 `json:"blocks"`                // number of extended-info blocks by kind
	Added          uint64            `json:"players_added"`         // number of players that were added to clients' displays
	Removed        uint64            `json:"players_removed"`       // number of players that were removed from clients' displays
	Walks          uint64            `json:"walks"`                 // number of walking steps of displayed players
	Runs           uint64            `json:"runs"`                  // number of running steps of displayed players
	Teleports      uint64            `json:"teleports"`             // number of teleports of displayed players
	OwnTeleports   uint64            `json:"own_teleports"`         // number of teleports of the clients' own players
	Clicks         uint64            `json:"clicks"`                // number of walks requested
	Attacks        uint64            `json:"attacks"`               // number of attacks requested
	Commands       uint64            `json:"commands"`              // number of commands sent
	Hits           uint64            `json:"hits_seen"`             // hit marks with damage that clients received
	Misses         uint64            `json:"misses_seen"`           // hit marks without damage that clients received
	Damage         uint64            `json:"damage_seen"`           // sum of the damage in the hit marks that clients received, in life points
	DamageTaken    uint64            `json:"damage_taken"`          // damage to the clients' own players, in life points
	LinesSaid      uint64            `json:"chat_lines_said"`       // chat lines that clients sent
	LinesInBox     uint64            `json:"chat_lines_in_box"`     // chat lines that clients received in their chat box
	LinesOverHeads uint64            `json:"chat_lines_over_heads"` // chat lines that clients received for display above a player
	Messages       uint64            `json:"game_messages"`         // number of MESSAGE_GAME packets
	Maps           uint64            `json:"maps_built"`            // number of maps received

	Reconnects uint64  `json:"reconnects"`   // number of sessions that were resumed after a lost connection
	AwayMean   float64 `json:"away_mean_ms"` // mean time in ms between the loss of a connection and the resumed session

	Mismatched   int          `json:"mismatches"`         // number of mismatches
	Mismatches   []RSMismatch `json:"first_mismatches"`   // first mismatches of the run, at most 20
	OffMap       uint64       `json:"cycles_off_the_map"` // number of packets after which the client's own player was outside of its map
	OtherPackets uint64       `json:"other_packets"`      // number of packets other than PLAYER_INFO
}

func (d *rsDriver) report(_ context.Context, c Common, elapsed time.Duration) Report {
	n, gaps := d.total()
	all := d.before
	all.Add(&n)
	r := &RSReport{
		Common: c, FailedByCode: map[string]int{}, Blocks: map[string]uint64{},
		PlayerInfos: n.Infos, InfosPerSecond: perSecond(n.Infos, elapsed), Gap: rsGapsOf(gaps), Missed: n.Missed, InSight: rsSightOf(d.sight[:]),
		Added: n.Added, Removed: n.Removed, Walks: n.Walks, Runs: n.Runs, Teleports: n.Teleports, OwnTeleports: n.Jumps,
		Clicks: n.Clicks, Attacks: n.Attacks, Commands: n.Commands,
		Hits: n.Hits, Misses: n.Misses, Damage: n.Damage, DamageTaken: n.DamageTaken,
		LinesSaid: n.Lines, LinesInBox: n.ChatLines, LinesOverHeads: n.Said, Messages: n.Messages, Maps: n.Maps,
		Reconnects: n.Reconnects, AwayMean: round(float64(n.AwayMillis)/float64(max(1, n.Reconnects)), 10),
		OffMap: all.OffMap, OtherPackets: n.Packets,
	}
	r.Play = d.playText()
	r.BytesInPerClient, r.BytesOutPerClient = c.perClient(n.BytesIn, elapsed), c.perClient(n.BytesOut, elapsed)
	r.Unreadable, r.Ignored = all.Bad, all.Ignored
	for k, count := range n.Blocks {
		if count > 0 {
			r.Blocks[proto.InfoKind(k).String()] = count
		}
	}
	for i, c := range clients[*rsClient](d.roster) {
		if m := c.Mismatch(); m != nil {
			r.Mismatched++
			r.Mismatches = append(r.Mismatches, RSMismatch{d.user(i), m.Cycle, m.Bit, m.Err.Error()})
		}
	}
	r.Mismatches = r.Mismatches[:min(len(r.Mismatches), rsMaxListed)]
	for _, p := range d.players {
		if p.is(failed) {
			r.FailedByCode[codeText(p.err)]++
		}
	}
	return r
}

// codeText returns the response code of a failed login as text.
func codeText(err error) string {
	if code, ok := responseCode(err); ok {
		return fmt.Sprint(code)
	}
	return "none"
}

func rsGapsOf(h *hdrhistogram.Histogram) RSGaps {
	at := func(percentile float64) float64 { return round(quantile(h, percentile).Seconds()*1000, 100) }
	return RSGaps{P1: at(1), P50: at(50), P99: at(99), P999: at(99.9), Max: distributionOf(h).Max, Count: h.TotalCount()}
}

// rsSightOf returns the minimum, median and maximum number of displayed players. The list samples is a histogram:
// samples[n] is the number of samples in which a client displayed n players.
func rsSightOf(samples []int) RSSight {
	total := 0
	for _, n := range samples {
		total += n
	}
	s := RSSight{}
	below := 0
	for locals, n := range samples {
		if n == 0 {
			continue
		}
		if below == 0 {
			s.Min = locals
		}
		if 2*below < total {
			s.Median = locals
		}
		s.Max = locals
		below += n
	}
	return s
}

func (d *rsDriver) playText() string {
	play := []string{d.Activity.String()}
	for _, more := range []struct {
		on   bool
		text string
	}{{d.Running, "run"}, {d.Chat, "chat"}, {d.InSight, "in sight"}, {d.Kill > 0, fmt.Sprintf("%d connections interrupted again and again", d.Kill)}} {
		if more.on {
			play = append(play, more.text)
		}
	}
	return strings.Join(play, ", ")
}

// OK returns true if no packet was a mismatch, every player joined and none was dropped. It ignores whether the network is lossy,
// because TCP loses nothing. It implements Report.
func (r *RSReport) OK(bool) bool { return r.Mismatched == 0 && r.ok(false, 0) }

func (r *RSReport) falseCorrections() uint64 { return 0 }
func (r *RSReport) predicts() bool           { return false }

func (r *RSReport) summary() string {
	return fmt.Sprintf("gap p99 %s; %d cycles missed; %d hits seen; %d mismatches, %d unreadable",
		ms(r.Gap.P99), r.Missed, r.Hits, r.Mismatched, r.Unreadable)
}

// Text returns the report as text for people. It implements Report.
func (r *RSReport) Text() (heading string, _ []Row) {
	var t rows
	t.add("clients", "%d asked, %d joined, %d failed, %d dropped", r.Asked, r.Joined, r.Failed, r.Dropped)
	t.addCounts("%d: %s", r.Reasons)
	t.addCounts("%d tried again: %s", r.Retries)
	if len(r.FailedByCode) > 0 {
		t.add("refused", "%s", byCount(r.FailedByCode, "%s by code %s"))
	}
	if r.Joined == 0 {
		t.add("", noServer, "--addr HOST:PORT")
		return r.heading(), t
	}
	t.add("login", "%v", r.Login)
	t.add("player info", "%s packets, %g/s; %d cycles missed", thousands(r.PlayerInfos), r.InfosPerSecond, r.Missed)
	t.add("gaps", "p1 %s  p50 %s  p99 %s  p99.9 %s  max %s", ms(r.Gap.P1), ms(r.Gap.P50), ms(r.Gap.P99), ms(r.Gap.P999), ms(r.Gap.Max))
	t.add("in sight", "min %d  median %d  max %d, oneself included", r.InSight.Min, r.InSight.Median, r.InSight.Max)
	t.add("traffic", "in %.2f KB/s out %.3f KB/s per client; %s other packets", r.BytesInPerClient/1000, r.BytesOutPerClient/1000, thousands(r.OtherPackets))
	t.add("blocks", "%s", byCount(r.Blocks, "%s %s"))
	t.add("moves", "%s walks, %s runs, %s teleports seen; %s came into sight, %s left; %d maps",
		thousands(r.Walks), thousands(r.Runs), thousands(r.Teleports), thousands(r.Added), thousands(r.Removed), r.Maps)
	t.add("asked", "%s clicks, %s attacks, %s lines, %s commands; %d teleports of their own",
		thousands(r.Clicks), thousands(r.Attacks), thousands(r.LinesSaid), thousands(r.Commands), r.OwnTeleports)
	t.add("fights", "%s hits, %s misses, %s damage seen; %s damage taken", thousands(r.Hits), thousands(r.Misses), thousands(r.Damage), thousands(r.DamageTaken))
	t.add("chat", "%s lines over heads, %s in the box, %s of the game", thousands(r.LinesOverHeads), thousands(r.LinesInBox), thousands(r.Messages))
	t.add("came back", "%d, after %s on average", r.Reconnects, ms(r.AwayMean))
	t.add("mismatches", "%d", r.Mismatched)
	for _, m := range r.Mismatches {
		t.add("", "%v", m)
	}
	t.add("unreadable", "%d packets; %d of types that are not parsed; %d cycles off the map", r.Unreadable, r.Ignored, r.OffMap)
	if r.FirstUnreadable != "" {
		t.add("", "%s", r.FirstUnreadable)
	}
	t.add("swarm", "%g cores", r.SwarmCores)
	return r.heading(), t
}
