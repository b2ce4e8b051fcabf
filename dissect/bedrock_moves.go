package dissect

import (
	"fmt"
	"math"
	"time"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// recentInputs is the number of ticks for which the inputs of a client are kept, to compare them with corrections. No server
// corrects an older input.
const recentInputs = 512

// movement records the inputs of a client and the corrections that it has received.
type movement struct {
	self   uint64                     // runtime id of the player; 0 if unknown
	recent map[uint64]claimedPosition // positions of recent inputs by tick
	newest uint64                     // tick of the newest input

	inputs, repeated int
	skipped          uint64 // number of ticks without an input
	corrections      []moveCorrection
	corrected        int // number of all corrections; the slice corrections contains only the first keptCorrections
	teleports        int
}

// claimedPosition is the position of the player that an input claims, and the time of the input.
type claimedPosition struct {
	at       time.Time
	position bedrock.Vec3
}

// moveCorrection is one correction of the client's position.
type moveCorrection struct {
	tick  uint64  // tick of the corrected input
	off   float64 // distance between the claimed and the corrected position, in blocks
	known bool    // the capture contains the input of that tick
}

const keptCorrections = 1000 // maximum number of corrections that are kept for the summary

// addInput records the input p, which was sent at the time now, and counts skipped and repeated ticks.
func (m *movement) addInput(now time.Time, p *bedrock.PlayerAuthInput) {
	switch {
	case m.inputs == 0:
	case p.Tick <= m.newest:
		m.repeated++
	default:
		m.skipped += p.Tick - m.newest - 1
	}
	m.inputs++
	m.newest = max(m.newest, p.Tick)
	if m.recent == nil || len(m.recent) > 2*recentInputs {
		m.recent = keepRecent(m.recent, p.Tick)
	}
	m.recent[p.Tick] = claimedPosition{now, p.Position}
}

// keepRecent returns a copy of old with the inputs of the last recentInputs ticks before tick.
func keepRecent(old map[uint64]claimedPosition, tick uint64) map[uint64]claimedPosition {
	kept := map[uint64]claimedPosition{}
	for t, c := range old {
		if t < tick && tick-t <= recentInputs {
			kept[t] = c
		}
	}
	return kept
}

// addCorrection records a correction. It returns a remark with the distance between the claimed and the corrected position.
func (m *movement) addCorrection(now time.Time, p *bedrock.CorrectPlayerMovePrediction) string {
	m.corrected++
	claim, known := m.recent[p.Tick]
	c := moveCorrection{tick: p.Tick, known: known}
	remark := " (the input of that tick is not in the capture)"
	if known {
		var d [3]float64
		for i := range d {
			d[i] = float64(p.Position[i]) - float64(claim.position[i])
		}
		c.off = math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
		remark = fmt.Sprintf(" (the client claimed %v: off by %.4f blocks; %d ticks and %d ms behind its input)",
			vecText(claim.position), c.off, m.newest-p.Tick, now.Sub(claim.at).Milliseconds())
	}
	if len(m.corrections) < keptCorrections {
		m.corrections = append(m.corrections, c)
	}
	return remark
}

// addMove counts p if it is a teleport of the client's own player.
func (m *movement) addMove(p *bedrock.MovePlayer) {
	if p.Runtime == m.self && p.Mode == bedrock.MoveTeleport {
		m.teleports++
	}
}

func vecText(v bedrock.Vec3) string { return fmt.Sprintf("%v,%v,%v", v[0], v[1], v[2]) }

const shownCorrections = 8 // maximum number of corrections whose ticks are printed in the summary

// summary returns the lines of the summary about a client's movement.
func (m *movement) summary() (lines []string) {
	if m.inputs > 0 {
		text := fmt.Sprintf("inputs       %d, newest tick %d", m.inputs, m.newest)
		if m.skipped+uint64(m.repeated) > 0 {
			text += fmt.Sprintf("; ticks skipped %d, repeated or late %d", m.skipped, m.repeated)
		}
		lines = append(lines, text)
	}
	text := fmt.Sprintf("corrections  %d", m.corrected)
	worst := -1
	for i, c := range m.corrections {
		switch {
		case i == 0:
			text += fmt.Sprintf(": tick %d", c.tick)
		case i < shownCorrections:
			text += fmt.Sprintf(", %d", c.tick)
		case i == shownCorrections:
			text += ", ..."
		}
		if c.known && (worst < 0 || c.off > m.corrections[worst].off) {
			worst = i
		}
	}
	if worst >= 0 {
		text += fmt.Sprintf("; the largest by %.4f blocks at tick %d", m.corrections[worst].off, m.corrections[worst].tick)
	}
	lines = append(lines, text)
	if m.teleports > 0 {
		lines = append(lines, fmt.Sprintf("teleports    %d", m.teleports))
	}
	return lines
}
