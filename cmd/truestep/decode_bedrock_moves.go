package main

import (
	"fmt"
	"math"
	"time"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// recentInputs is how many ticks of a client are kept, to compare corrections with: more than a server goes back.
const recentInputs = 512

// bedrockMoves is what a client claimed of its movement, and where the server disagreed.
type bedrockMoves struct {
	self   uint64 // runtime id of the player, 0 if not known
	recent map[uint64]claimedMove
	newest uint64

	inputs, repeated int
	skipped          uint64 // ticks
	corrections      []correctedMove
	corrected        int // of which the last are in corrections
	teleports        int
}

// claimedMove is what one input said.
type claimedMove struct {
	at       time.Time
	position bedrock.Vec3
}

// correctedMove is one correction.
type correctedMove struct {
	tick  uint64
	off   float64 // blocks
	known bool    // the input is in the capture
}

const keptCorrections = 1000 // for the summary

// input notes an input.
func (m *bedrockMoves) input(now time.Time, p *bedrock.PlayerAuthInput) {
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
		m.recent = newer(m.recent, p.Tick)
	}
	m.recent[p.Tick] = claimedMove{now, p.Position}
}

// newer keeps the inputs of the last ticks.
func newer(old map[uint64]claimedMove, tick uint64) map[uint64]claimedMove {
	kept := map[uint64]claimedMove{}
	for t, c := range old {
		if t < tick && tick-t <= recentInputs {
			kept[t] = c
		}
	}
	return kept
}

// correction notes a correction and says how far the client was off.
func (m *bedrockMoves) correction(now time.Time, p *bedrock.CorrectPlayerMovePrediction) string {
	m.corrected++
	claim, known := m.recent[p.Tick]
	c := correctedMove{tick: p.Tick, known: known}
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

// moved notes a teleport of the player.
func (m *bedrockMoves) moved(p *bedrock.MovePlayer) {
	if p.Runtime == m.self && p.Mode == bedrock.MoveTeleport {
		m.teleports++
	}
}

func vecText(v bedrock.Vec3) string { return fmt.Sprintf("%v,%v,%v", v[0], v[1], v[2]) }

const shownCorrections = 8 // in the summary

// text is the summary of a client's movement.
func (m *bedrockMoves) text() (lines []string) {
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
