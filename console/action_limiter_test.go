package console

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/session"
)

func TestConsoleActionsAreRateLimitedPerOperator(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.clock.freeze()
		for range actionBurst {
			r.wantError(r.call(Moderator, "POST", "/players/99/kick", `{}`), 404, codeNotFound, "")
		}
		r.wantError(r.call(Moderator, "POST", "/players/99/kick", `{}`), 429, codeThrottled, "too many actions")
		r.wantError(r.call(Admin, "POST", "/players/99/kick", `{}`), 404, codeNotFound, "")
		if n := len(get[auditList](r, Admin, "/audit").Entries); n != actionBurst+1 {
			t.Errorf("%d entries", n)
		}
		r.clock.advance(time.Second)
		for range int(actionsPerSecond) {
			r.wantError(r.call(Moderator, "POST", "/players/99/kick", `{}`), 404, codeNotFound, "")
		}
		r.wantError(r.call(Moderator, "POST", "/players/99/kick", `{}`), 429, codeThrottled, "too many actions")
	})
}

// Throttled actions are written to the audit log as one entry per operator and minute. Entries that are not yet written are
// written when the server stops.
func TestThrottledActionsAreAuditedOncePerMinute(t *testing.T) {
	t.Parallel()
	var p actionLimiter
	ann, bo := &caller{name: "ann", role: Moderator}, &caller{name: "bo", role: Viewer}
	now := anyTime
	for range actionBurst + 50 {
		p.allow(ann, "kick", now)
	}
	p.allow(ann, "ban", now)
	for range actionBurst + 1 {
		p.allow(bo, "message", now)
	}
	if list := p.takeDueEntries(now.Add(throttledInterval-time.Millisecond), false); len(list) != 0 {
		t.Errorf("within the minute: %+v", list)
	}
	list := p.takeDueEntries(now.Add(throttledInterval), false)
	if len(list) != 2 || list[0].Operator != "ann" || list[0].Role != "moderator" || list[0].Action != "throttled" ||
		list[0].Result != "throttled 51" || list[0].Detail != "ban 1, kick 50" || list[1].Operator != "bo" || list[1].Result != "throttled 1" {
		t.Errorf("the entries for the audit are %+v", list)
	}
	if list := p.takeDueEntries(now.Add(2*throttledInterval), true); len(list) != 0 {
		t.Errorf("a second time: %+v", list)
	}
	for range actionBurst + 1 {
		p.allow(bo, "message", now)
	}
	if list := p.takeDueEntries(now, true); len(list) != 1 {
		t.Errorf("when the server stops: %+v", list)
	}
}

func TestActionLimiterForgetsIdleOperatorsButKeepsRefusedActionsForAudit(t *testing.T) {
	t.Parallel()
	var p actionLimiter
	now := anyTime
	flood := &caller{name: "flood", role: Viewer}
	for range actionBurst + 7 {
		p.allow(flood, "kick", now)
	}
	for i := range 5 * maxOperators {
		now = now.Add(time.Second)
		p.allow(&caller{name: fmt.Sprint("n", i)}, "kick", now)
	}
	if len(p.budgets) > maxOperators+actionBurst+5 {
		t.Errorf("%d names are kept", len(p.budgets))
	}
	if list := p.takeDueEntries(now, true); len(list) != 1 || list[0].Result != "throttled 7" {
		t.Errorf("the entries for the audit are %+v", list)
	}
	again := &caller{name: "back", role: Viewer}
	p.allow(again, "kick", now)
	p.allow(again, "kick", now.Add(-time.Hour)) // the clock was set back by an hour
	if c := p.budgets["back"].tokens; c != actionBurst-2 {
		t.Errorf("%v are left", c)
	}
}

func TestServerStopWritesThrottledActionsToAudit(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.clock.freeze()
		for range actionBurst + 3 {
			r.call(Moderator, "POST", "/players/99/kick", `{}`)
		}
		r.clock.advance(throttledInterval)
		r.eventually("it is noted", func() bool {
			e := get[auditList](r, Admin, "/audit?limit=1").Entries[0]
			return e.Action == "throttled" && e.Result == "throttled 3" && e.Operator == "moderator (api)" && e.Detail == "kick 3"
		})
		r.clock.advance(-time.Hour)
		for range actionBurst + 3 {
			r.call(Viewer, "POST", "/players/99/kick", `{}`)
		}
		ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
		defer cancel()
		if err := r.Close(ctx); err != nil {
			t.Fatal(err)
		}
		list, err := r.Journal.OperatorActions(ctx, 0, 1)
		if err != nil || len(list) != 1 || list[0].Action != "throttled" || list[0].Operator != "viewer (api)" {
			t.Errorf("when it stops: %+v, %v", list, err)
		}
	})
}

// An action is recorded in the audit log even if its handler panics, and in the server's log even if the audit log cannot be written.
func TestActionIsAuditedDespitePanicOrDiskError(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		k := &call{Console: r.Console, r: r.request(NoRole, "POST", pathOf(s, "/kick"), `{}`), caller: caller{name: "eve", role: Admin}}
		func() {
			defer func() { _ = recover() }()
			k.runAction(&route{"POST", "/players/{entity}/kick", Moderator, "kick", func(*call) (any, error) { panic("broken") }})
		}()
		e := get[auditList](r, Admin, "/audit?limit=1").Entries[0]
		if e.Operator != "eve" || e.Action != "kick" || e.Result != errInternal.message {
			t.Errorf("the audit entry is %+v", e)
		}
		ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
		defer cancel()
		for _, err := range []error{r.world.Stop(ctx), r.Journal.Close(ctx)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		k = &call{Console: r.Console, r: r.request(NoRole, "POST", pathOf(s, "/kick"), `{}`), caller: caller{name: "eve", role: Admin}}
		if _, err := k.runAction(&route{"POST", "/x", Moderator, "kick", func(k *call) (any, error) { return okBody{true}, session.ErrNotInWorld }}); err == nil {
			t.Error("runAction returned no error")
		}
		if log := r.log.String(); !strings.Contains(log, "operator's action could not be written to the audit log") || !strings.Contains(log, "operator=eve") {
			t.Errorf("the action is not logged:\n%s", log)
		}
	})
}
