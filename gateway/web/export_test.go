package web

import (
	"time"

	"github.com/truestep-io/truestep/sim"
)

// StallWorkers makes each worker of the door do nothing for a while, as if other programs used the processors.
func (g *Gateway) StallWorkers(d time.Duration) {
	for _, w := range g.workers {
		w.enqueue(func() { time.Sleep(d) })
	}
}

// ArriveAgain makes the client of a player leave the scene of its area, and arrive with the next frame.
func (g *Gateway) ArriveAgain(who sim.EntityID) {
	for _, w := range g.workers {
		w.enqueue(func() {
			if p := w.players[who]; p != nil && p.scene != nil {
				s := p.scene
				p.leaveScene()
				s.Sweep()
				w.scenes.Expect(p, s.id)
			}
		})
	}
}
