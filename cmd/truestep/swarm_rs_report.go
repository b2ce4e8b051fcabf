package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// rsGaps describes the times between two PLAYER_INFO packets, in milliseconds.
type rsGaps struct {
	P1    float64 `json:"p1_ms"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	P999  float64 `json:"p99_9_ms"`
	Max   float64 `json:"max_ms"`
	Count int64   `json:"count"`
}

// rsSight is how many players one had in sight, itself included, looked at once a second.
type rsSight struct {
	Min    int `json:"min"`
	Median int `json:"median"`
	Max    int `json:"max"`
}

// rsMismatch is a packet on which the game's client would give up.
type rsMismatch struct {
	User   string `json:"user"`
	Cycle  int    `json:"cycle"`
	Bit    int    `json:"bit"`
	Reason string `json:"reason"`
}

func (m rsMismatch) String() string {
	return fmt.Sprintf("%s, cycle %d, bit %d: %s", m.User, m.Cycle, m.Bit, m.Reason)
}

// swarmRsReport is the result of a run. Rates, gaps and what was seen are those of the measured time; mismatches and
// packets that could not be read count from the beginning.
type swarmRsReport struct {
	Server          string  `json:"server"`
	Play            string  `json:"play"`
	RampSeconds     float64 `json:"ramp_seconds"`
	MeasuredSeconds float64 `json:"measured_seconds"`

	Asked        int            `json:"clients_asked"`
	Joined       int            `json:"clients_joined"`
	Failed       int            `json:"clients_failed"`
	Dropped      int            `json:"clients_dropped"`
	FailedByCode map[string]int `json:"failed_by_code"` // "none": not by an answer of the server
	Reasons      map[string]int `json:"reasons"`
	Retries      map[string]int `json:"join_retries"`
	Login        spread         `json:"login"`

	Infos             uint64  `json:"player_infos"`
	InfosPerSecond    float64 `json:"player_infos_per_second"`
	Gap               rsGaps  `json:"gap"`
	Missed            uint64  `json:"missed_cycles"`
	BytesInPerClient  float64 `json:"bytes_in_per_client_second"`
	BytesOutPerClient float64 `json:"bytes_out_per_client_second"`
	InSight           rsSight `json:"in_sight"`

	Blocks      map[string]uint64 `json:"blocks"`
	Added       uint64            `json:"players_added"`
	Removed     uint64            `json:"players_removed"`
	Walks       uint64            `json:"walks"`
	Runs        uint64            `json:"runs"`
	Teleports   uint64            `json:"teleports"`
	OwnJumps    uint64            `json:"own_teleports"`
	Clicks      uint64            `json:"clicks"`
	Attacks     uint64            `json:"attacks"`
	Commands    uint64            `json:"commands"`
	Hits        uint64            `json:"hits_seen"`
	Misses      uint64            `json:"misses_seen"`
	Damage      uint64            `json:"damage_seen"`
	DamageTaken uint64            `json:"damage_taken"`
	Spoken      uint64            `json:"chat_lines_said"`
	ChatLines   uint64            `json:"chat_lines_in_box"`
	OverHeads   uint64            `json:"chat_lines_over_heads"`
	Messages    uint64            `json:"game_messages"`
	Maps        uint64            `json:"maps_built"`

	Reconnects uint64  `json:"reconnects"`
	AwayMean   float64 `json:"away_mean_ms"`

	Mismatched   int          `json:"mismatches"`
	Mismatches   []rsMismatch `json:"first_mismatches"`
	Bad          uint64       `json:"packets_unreadable"`
	FirstBad     string       `json:"first_unreadable,omitempty"`
	Ignored      uint64       `json:"packets_ignored"`
	OffMap       uint64       `json:"cycles_off_the_map"`
	SwarmCores   float64      `json:"swarm_cpu_cores"`
	OtherPackets uint64       `json:"other_packets"`
}

// report looks at everybody while they are still in the world.
func (w *rsSwarm) report(ramp time.Duration) *swarmRsReport {
	elapsed := time.Since(w.began)
	n := w.total()
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.before
	all.Add(&n.Counts)
	r := &swarmRsReport{
		Server: w.cmd.Addr, Play: w.cmd.plays(),
		RampSeconds: round(ramp.Seconds(), 100), MeasuredSeconds: round(elapsed.Seconds(), 100),
		Asked: len(w.bots), FailedByCode: map[string]int{}, Reasons: map[string]int{}, Retries: maps.Clone(w.retries),
		Infos: n.Infos, Gap: rsGapsOf(n.gaps), Missed: n.Missed, InSight: rsSightOf(w.sight[:]), Blocks: map[string]uint64{},
		Added: n.Added, Removed: n.Removed, Walks: n.Walks, Runs: n.Runs, Teleports: n.Teleports, OwnJumps: n.Jumps,
		Clicks: n.Clicks, Attacks: n.Attacks, Commands: n.Commands,
		Hits: n.Hits, Misses: n.Misses, Damage: n.Damage, DamageTaken: n.DamageTaken,
		Spoken: n.Lines, ChatLines: n.ChatLines, OverHeads: n.Said, Messages: n.Messages, Maps: n.Maps,
		Reconnects: n.Reconnects, AwayMean: round(float64(n.AwayMillis)/float64(max(1, n.Reconnects)), 10),
		Bad: all.Bad, Ignored: all.Ignored, OffMap: all.OffMap, OtherPackets: n.Packets,
		SwarmCores: round((processCPU()-w.cpu).Seconds()/elapsed.Seconds(), 100),
	}
	for k, count := range n.Blocks {
		if count > 0 {
			r.Blocks[proto.Kind(k).String()] = count
		}
	}
	w.people(r)
	clients := float64(max(1, r.Joined))
	r.InfosPerSecond = round(float64(n.Infos)/elapsed.Seconds(), 10)
	r.BytesInPerClient = round(float64(n.BytesIn)/elapsed.Seconds()/clients, 10)
	r.BytesOutPerClient = round(float64(n.BytesOut)/elapsed.Seconds()/clients, 10)
	return r
}

// people counts who is in and who is not, and why.
func (w *rsSwarm) people(r *swarmRsReport) {
	login := rs.NewHistogram()
	for i, b := range w.bots {
		if c := b.client.Load(); c != nil {
			if err := c.FirstParseError(); err != nil && r.FirstBad == "" {
				r.FirstBad = err.Error()
			}
			if m := c.Mismatch(); m != nil {
				r.Mismatched++
				r.Mismatches = append(r.Mismatches, rsMismatch{w.cmd.user(i), m.Cycle, m.Bit, m.Err.Error()})
			}
		}
		switch botState(b.state.Load()) {
		case botFailed:
			r.Failed++
			r.Reasons[b.err.Error()]++
			r.FailedByCode[codeText(b.err)]++
			continue
		case botDropped:
			r.Dropped++
			r.Reasons[b.err.Error()]++
		case botWaiting:
			continue
		}
		r.Joined++
		_ = login.RecordValue(int64(b.login / rs.HistogramUnit)) // below joinWithin, so in range
	}
	r.Mismatches = r.Mismatches[:min(len(r.Mismatches), rsMostListed)]
	r.Login = spreadOf(login)
}

func codeText(err error) string {
	if code, ok := rsCode(err); ok {
		return fmt.Sprint(code)
	}
	return "none"
}

func rsGapsOf(h *hdrhistogram.Histogram) rsGaps {
	at := func(percentile float64) float64 { return round(quantile(h, percentile).Seconds()*1000, 100) }
	return rsGaps{P1: at(1), P50: at(50), P99: at(99), P999: at(99.9), Max: spreadOf(h).Max, Count: h.TotalCount()}
}

// rsSightOf is the least, the middle and the most of looks, which are counted by what they found.
func rsSightOf(looks []int) rsSight {
	total := 0
	for _, n := range looks {
		total += n
	}
	s := rsSight{}
	seen := 0
	for locals, n := range looks {
		if n == 0 {
			continue
		}
		if seen == 0 {
			s.Min = locals
		}
		if 2*seen < total {
			s.Median = locals
		}
		s.Max = locals
		seen += n
	}
	return s
}

// bad tells whether the run deserves exit status 1.
func (r *swarmRsReport) bad() bool {
	return r.Mismatched > 0 || r.Bad > 0 || r.Failed > 0 || r.Dropped > 0 || r.Joined == 0
}

func (s *swarmRsCmd) plays() string {
	play := []string{"mixed"}
	switch {
	case s.Walk:
		play[0] = "walk"
	case s.Fight:
		play[0] = "fight"
	}
	for _, more := range []struct {
		on   bool
		what string
	}{{s.Running, "run"}, {s.Chat, "chat"}, {s.InSight, "in sight"}, {s.Kill > 0, fmt.Sprintf("%d killed again and again", s.Kill)}} {
		if more.on {
			play = append(play, more.what)
		}
	}
	return strings.Join(play, ", ")
}

func (r *swarmRsReport) print(out io.Writer) error {
	var t sheet
	row := t.row
	head := fmt.Sprintf("swarm at %s: %s; measured for %gs after %gs", r.Server, r.Play, r.MeasuredSeconds, r.RampSeconds)
	row("clients", "%d asked, %d joined, %d failed, %d dropped", r.Asked, r.Joined, r.Failed, r.Dropped)
	for _, reason := range slices.Sorted(maps.Keys(r.Reasons)) {
		row("", "%d: %s", r.Reasons[reason], reason)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Retries)) {
		row("", "%d tried again: %s", r.Retries[reason], reason)
	}
	if len(r.FailedByCode) > 0 {
		row("refused", "%s", byCount(r.FailedByCode, "%s by code %s"))
	}
	if r.Joined == 0 {
		row("", noServer, "--addr HOST:PORT")
		return t.print(out, head)
	}
	row("login", "p50 %s  p99 %s  max %s", ms(r.Login.P50), ms(r.Login.P99), ms(r.Login.Max))
	row("player info", "%s packets, %g/s; %d cycles missed", thousands(r.Infos), r.InfosPerSecond, r.Missed)
	row("gaps", "p1 %s  p50 %s  p99 %s  p99.9 %s  max %s", ms(r.Gap.P1), ms(r.Gap.P50), ms(r.Gap.P99), ms(r.Gap.P999), ms(r.Gap.Max))
	row("in sight", "min %d  median %d  max %d, oneself included", r.InSight.Min, r.InSight.Median, r.InSight.Max)
	row("traffic", "in %.2f KB/s out %.3f KB/s per client; %s other packets", r.BytesInPerClient/1000, r.BytesOutPerClient/1000, thousands(r.OtherPackets))
	row("blocks", "%s", byCount(r.Blocks, "%s %s"))
	row("moves", "%s walks, %s runs, %s teleports seen; %s came into sight, %s left; %d maps",
		thousands(r.Walks), thousands(r.Runs), thousands(r.Teleports), thousands(r.Added), thousands(r.Removed), r.Maps)
	row("asked", "%s clicks, %s attacks, %s lines, %s commands; %d teleports of their own",
		thousands(r.Clicks), thousands(r.Attacks), thousands(r.Spoken), thousands(r.Commands), r.OwnJumps)
	row("fights", "%s hits, %s misses, %s damage seen; %s damage taken", thousands(r.Hits), thousands(r.Misses), thousands(r.Damage), thousands(r.DamageTaken))
	row("chat", "%s lines over heads, %s in the box, %s of the game", thousands(r.OverHeads), thousands(r.ChatLines), thousands(r.Messages))
	row("came back", "%d, after %s on average", r.Reconnects, ms(r.AwayMean))
	row("mismatches", "%d", r.Mismatched)
	for _, m := range r.Mismatches {
		row("", "%v", m)
	}
	row("unreadable", "%d packets; %d of types that are not parsed; %d cycles off the map", r.Bad, r.Ignored, r.OffMap)
	if r.FirstBad != "" {
		row("", "%s", r.FirstBad)
	}
	row("swarm", "%g cores", r.SwarmCores)
	return t.print(out, head)
}

// byCount lists the counts of a map, the greatest first. format has places for the count and the name, in that order
// if it begins with the count.
func byCount[N int | uint64](counts map[string]N, format string) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			if counts[a] > counts[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, fmt.Sprintf(format, thousands(uint64(counts[name])), name))
	}
	return strings.Join(list, ", ")
}
