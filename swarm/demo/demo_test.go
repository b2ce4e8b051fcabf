package demo

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

// runBot runs a bot with f in place of its sessions until n sessions have ended, and returns the account names that it used
// and the log.
func runBot(t *testing.T, n int, f func(session int) error) (names []string, log string, at []time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		p := &protocol{name: "fake", accountPrefix: "x:", names: []string{"Ann"}, roles: []role{hunter}}
		p.play = func(_ context.Context, b *bot) error {
			names, at = append(names, b.account), append(at, time.Since(began))
			if len(names) == n {
				cancel()
			}
			return f(len(names))
		}
		all := &Bots{Config: Config{World: content.DefaultWorld().World, Log: slog.New(slog.NewTextHandler(&out, nil)), Accounts: new(Accounts)}}
		b := newBot(all, p, Endpoint{}, 0)
		if !all.Accounts.has("X:ann_bot") {
			t.Error("the account is not registered")
		}
		b.run(ctx, 0)
		log = out.String()
	})
	return names, log, at
}

func TestBotWhoseNameIsTakenTriesNextName(t *testing.T) {
	names, _, _ := runBot(t, 3, func(session int) error {
		if session < 3 {
			return errNameTaken
		}
		return nil
	})
	if len(slices.Compact(slices.Clone(names))) != 3 || names[0] != "Ann_Bot" || !isBotName(names[2]) {
		t.Errorf("names %v", names)
	}
}

func TestBotReconnectDelayGrowsAndOnlyFirstFailureIsLogged(t *testing.T) {
	names, log, at := runBot(t, 5, func(int) error { return errors.New("connection lost") })
	if want := []time.Duration{0, 2 * time.Second, 6 * time.Second, 14 * time.Second, 30 * time.Second}; !slices.Equal(at, want) {
		t.Errorf("sessions at %v, want %v", at, want)
	}
	if strings.Count(log, "reconnects") != 1 || names[4] != names[0] {
		t.Errorf("names %v, log:\n%s", names, log)
	}
}

func TestPlayerIsGreetedByAtMostTwoBotsInTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := &Bots{greeted: map[string]int{}}
		count := func() (n int) {
			for range 5 {
				if all.allowGreeting("Ann") {
					n++
				}
			}
			return n
		}
		if n := count(); n != maxGreetings {
			t.Errorf("%d greetings, want %d", n, maxGreetings)
		}
		time.Sleep(greetingPeriod + time.Second)
		if n := count(); n != maxGreetings {
			t.Errorf("%d greetings in the next period, want %d", n, maxGreetings)
		}
	})
}

func TestBotKnowsNewAreaOnlyWhenItsClientHasLoadedIt(t *testing.T) {
	all := &Bots{Config: Config{World: content.DefaultWorld().World, Accounts: new(Accounts)}}
	b := newBot(all, protocolNamed("bedrock"), Endpoint{}, 0)
	set := func(id sim.AreaID) { all.areas.Store(&map[string]sim.AreaID{"bedrock:ivy_bot": id}) }
	var a areaTracker
	now := time.Unix(1000, 0)
	if a.update(now, b) {
		t.Error("an area is known before the bot is in one")
	}
	for _, id := range []sim.AreaID{0, 1} {
		set(id)
		if a.update(now, b) {
			t.Errorf("area %d is known at once", id)
		}
		now = now.Add(areaChangeTime)
		if !a.update(now, b) || a.id != id {
			t.Errorf("area %d after the change, want %d", a.id, id)
		}
	}
}
