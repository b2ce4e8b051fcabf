package web

import "time"

// StallWorkers makes each worker of the door do nothing for a while, as if other programs used the processors.
func (g *Gateway) StallWorkers(d time.Duration) {
	for _, w := range g.workers {
		w.enqueue(func() { time.Sleep(d) })
	}
}
