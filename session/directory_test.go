package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/store"
)

// claimStore records the holder of the newest claim.
type claimStore struct {
	store.Sessions
	by store.SessionHolder
}

func (s *claimStore) ClaimSession(_ context.Context, _ store.AccountID, by store.SessionHolder, _ func(store.SessionHolder) bool) error {
	s.by = by
	return nil
}

func TestClaimWaitsForIncarnationThatAreasKnow(t *testing.T) {
	for _, c := range []struct {
		after time.Duration // from then on the process has an incarnation
		want  error
		waits time.Duration
	}{{0, nil, 0}, {300 * time.Millisecond, nil, 300 * time.Millisecond}, {time.Minute, ErrNoLead, claimWait}} {
		synctest.Test(t, func(t *testing.T) {
			began, st := time.Now(), &claimStore{}
			self := func() store.SessionHolder {
				if time.Since(began) < c.after {
					return store.SessionHolder{Node: "a"}
				}
				return store.SessionHolder{Node: "a", Incarnation: 7}
			}
			err := NewDirectory(st, self, nil).Claim(t.Context(), 1)
			if waited := time.Since(began); !errors.Is(err, c.want) || waited < c.waits || waited > c.waits+claimPoll {
				t.Errorf("an incarnation after %v: %v after %v, want %v after %v", c.after, err, waited, c.want, c.waits)
			}
			if want := (store.SessionHolder{Node: "a", Incarnation: 7}); err == nil && st.by != want {
				t.Errorf("the account is claimed by %+v", st.by)
			}
		})
	}
}
