package swarm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fake is a Protocol without a network. A player joins after joinErrs failed logins and is dropped after the time lifetime.
type fake struct {
	Config
	policy   retryPolicy
	joinErrs int           // number of failing logins of each player before the first successful one
	lifetime time.Duration // time after which a player is dropped; 0 for never

	mu     sync.Mutex
	joins  []int           // number of logins by player
	calls  []string        // calls of the other methods of the driver, without repetitions
	joined []time.Duration // time of each login since began
	began  time.Time
}

func (f *fake) config() *Config                                { return &f.Config }
func (f *fake) inMixed(*MixedConfig, *check, float64) Protocol { return f }

func (f *fake) start(uint64) (driver, error) {
	f.joins, f.began = make([]int, f.Clients), time.Now()
	return f, nil
}

func (f *fake) called(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.calls) == 0 || f.calls[len(f.calls)-1] != name {
		f.calls = append(f.calls, name)
	}
}

func (f *fake) name() string              { return "fake" }
func (f *fake) retry(error) retryPolicy   { return f.policy }
func (f *fake) settleTime() time.Duration { return time.Second }
func (f *fake) reset(context.Context)     { f.called("reset") }
func (f *fake) disturb(context.Context)   {}
func (f *fake) sample()                   {}
func (f *fake) setRoster(*roster)         {}
func (f *fake) close()                    { f.called("close") }

func (f *fake) progress(time.Duration) string { return "1 of everything" }

func (f *fake) report(_ context.Context, c Common, _ time.Duration) Report {
	f.called("report")
	return &RCCEReport{Common: c}
}

func (f *fake) join(_ context.Context, i int) (client, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.joins[i]++; f.joins[i] <= f.joinErrs {
		return nil, errors.New("server busy")
	}
	f.joined = append(f.joined, time.Since(f.began))
	return fakeClient{f}, nil
}

type fakeClient struct{ f *fake }

func (c fakeClient) close()          {}
func (c fakeClient) firstBad() error { return nil }

func (c fakeClient) play(ctx context.Context) error {
	if c.f.lifetime == 0 {
		<-ctx.Done()
		return nil
	}
	if sleep(ctx, c.f.lifetime) {
		return errors.New("connection lost")
	}
	return nil
}

func TestSwarmRunInterruptedDuringLoginsMeasuresLogins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		r, err := Run(ctx, &fake{Config: Config{Clients: 3, Ramp: 2}, joinErrs: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if c := r.common(); c.Asked != 3 || c.Joined != 0 || c.MeasuredSeconds != 0.05 {
			t.Errorf("%+v", c)
		}
	})
}

func TestSwarmRunLogsPlayersInAtConfiguredRateAndReturnsReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var progress strings.Builder
		f := &fake{Config: Config{Clients: 3, Ramp: 2, Duration: 5 * time.Second, Progress: &progress}}
		r, err := Run(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		c := r.common()
		if c.Joined != 3 || c.Dropped != 0 || c.Failed != 0 || !r.OK(false) || c.RampSeconds < 2 || c.RampSeconds > 2.2 || c.MeasuredSeconds < 5 || c.MeasuredSeconds > 5.2 {
			t.Errorf("%+v", c)
		}
		if want := []time.Duration{0, 500 * time.Millisecond, time.Second}; !slices.Equal(f.joined, want) {
			t.Errorf("logins after %v, want %v", f.joined, want)
		}
		if want := []string{"reset", "report", "close"}; !slices.Equal(f.calls, want) {
			t.Errorf("calls %v, want %v", f.calls, want)
		}
		if want := "measuring  3 of 3 in  0 failed  0 dropped  1 of everything\n"; !strings.Contains(progress.String(), want) {
			t.Errorf("progress:\n%s", &progress)
		}
	})
}

func TestSwarmRunEndsWhenServerHasDisconnectedAllPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), &fake{Config: Config{Clients: 2, Ramp: 100}, lifetime: 3 * time.Second}) // no Duration: Run ends when no player is left
		if err != nil {
			t.Fatal(err)
		}
		if c := r.common(); c.Joined != 2 || c.Dropped != 2 || c.Reasons["connection lost"] != 2 || r.OK(false) || !r.OK(true) {
			t.Errorf("%+v", c)
		}
	})
}

func TestFailedSwarmLoginIsRetriedAsOftenAsItsRetryPolicyAllows(t *testing.T) {
	for _, c := range []struct {
		name     string
		policy   retryPolicy
		joinErrs int
		joins    int // expected number of logins of the player
		joined   int
	}{
		{"never", retryNever, 1, 1, 0},
		{"few, recovers", retryFew, 2, 3, 1},
		{"few, gives up", retryFew, 99, maxJoinTries, 0},
		{"always, recovers", retryAlways, 6, 7, 1},
		{"always, until the timeout", retryAlways, 99, 8, 0}, // tries after 0, 2, 6, 12, 20, 28, 36 and 44 s; the timeout is 45 s
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{Config: Config{Clients: 1, Ramp: 1, Duration: time.Second}, policy: c.policy, joinErrs: c.joinErrs}
				r, err := Run(t.Context(), f)
				if err != nil {
					t.Fatal(err)
				}
				got := r.common()
				if f.joins[0] != c.joins || got.Joined != c.joined || got.Failed != 1-c.joined || got.Retries["server busy"] != c.joins-1 {
					t.Errorf("%d logins, want %d: %+v", f.joins[0], c.joins, got)
				}
			})
		})
	}
}

func TestMixedRunReportsTotalsAndProtocolsWithPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := &fake{Config: Config{Clients: 2, Ramp: 9}}, &fake{Config: Config{Clients: 1, Ramp: 9}, policy: retryNever, joinErrs: 1}
		none := &fake{}
		r, err := RunMixed(t.Context(), MixedConfig{Protocols: []Protocol{a, none, b}, Duration: time.Second, Ramp: 9})
		if err != nil {
			t.Fatal(err)
		}
		if r.Asked != 3 || r.Joined != 2 || r.Failed != 1 || len(r.Protocols) != 2 || r.OK(false) {
			t.Errorf("%+v", r)
		}
		heading, rows := r.Text()
		if !strings.HasPrefix(heading, "mixed swarm: direct; ") || rows[0].Text != "3 asked, 2 joined, 1 failed, 0 dropped" {
			t.Errorf("%s: %+v", heading, rows)
		}
	})
}
