package console

import (
	"context"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/sim"
)

// rosterOf reads messages of a live map until one has the roster entry of an actor.
func (r *harness) rosterOf(ctx context.Context, c *websocket.Conn, id sim.EntityID) rosterActor {
	r.t.Helper()
	for {
		m, _ := r.readMessage(ctx, c)
		if m == nil {
			continue
		}
		for _, a := range m.Add {
			if a.ID == id {
				return a
			}
		}
	}
}

func TestDisconnectedPlayerIsListedAsLingeringUntilItReconnects(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		ctx, c := r.openLive(Viewer, "area=0&rate=20")
		row := func() playerBody { return get[playersBody](r, Viewer, "/players").Players[0] }
		if a, p := r.rosterOf(ctx, c, s.Entity), row(); a.LingersUntil != nil || p.Lingering || p.LingersUntil != nil {
			t.Errorf("with a connection: %+v, %+v", a, p)
		}
		s.Disconnect()
		want := r.clock.now().Add(time.Duration(r.def.Rules.Linger.MS) * time.Millisecond)
		wrong := func(at *timestamp) bool {
			return at == nil || time.Time(*at).Sub(want).Abs() > 2*time.Second/time.Duration(r.def.TicksPerSecond)
		}
		if a := r.rosterOf(ctx, c, s.Entity); wrong(a.LingersUntil) {
			t.Errorf("the live map says %v, want %v", a.LingersUntil, want)
		}
		time.Sleep(5 * time.Second)
		if p := row(); !p.Lingering || wrong(p.LingersUntil) {
			t.Errorf("the list says %v until %v, want %v", p.Lingering, p.LingersUntil, want)
		}
		laterCtx, later := r.openLive(Viewer, "area=0&rate=20")
		if a := r.rosterOf(laterCtx, later, s.Entity); wrong(a.LingersUntil) {
			t.Errorf("a live map that is opened later says %v, want %v", a.LingersUntil, want)
		}
		if _, err := r.Hub.Resume(ctx, s.Login); err != nil {
			t.Fatal(err)
		}
		if a, p := r.rosterOf(ctx, c, s.Entity), row(); a.LingersUntil != nil || p.Lingering || p.LingersUntil != nil {
			t.Errorf("after the reconnect: %+v, %+v", a, p)
		}
	})
}
