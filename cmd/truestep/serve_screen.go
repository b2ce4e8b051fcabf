package main

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/telemetry"
)

// showStatus prints a new status line every second until ctx ends or the world stops.
func showStatus(ctx context.Context, out *terminal.Screen, srv *server.Server) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	was, at := srv.Metrics().Totals(), time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-srv.World().Done():
			return
		case <-ticker.C:
		}
		is, now := srv.Metrics().Totals(), time.Now()
		var line telemetry.Status
		for _, a := range srv.World().Stats() {
			line.Players += a.Players
			line.Actors += a.Actors
			line.TickP50 = max(line.TickP50, a.TickP50)
			line.TickP99 = max(line.TickP99, a.TickP99)
		}
		if s := srv.Hub().SaveStatus(); s.Err != nil {
			line.Unsaved, line.SaveFailing = s.Unsaved, max(now.Sub(s.Since), 1)
		}
		line.Failures, line.Now = srv.Failures(), now
		line.SetRates(was, is, now.Sub(at))
		out.Status(line.String())
		was, at = is, now
	}
}
