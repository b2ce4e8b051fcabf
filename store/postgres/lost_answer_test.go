package postgres

import (
	"errors"
	"testing"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

// The edit is stored, and neither the answer to its commit nor the status of the commit reaches the store, which repeats the edit.
func TestCharacterEditSucceedsAlthoughAnswerToItsCommitIsLost(t *testing.T) {
	line := pgtest.NewLine(t, pgtest.Shared(t))
	url := line.URL(t, pgtest.Database(t))
	for name, opts := range map[string][]Option{"Ada": nil, "Bea": {Shared()}} {
		s := open(t, url, append(opts, WithLog(quiet))...)
		_, c := character(t, s, name)
		c.Version, c.Gold = c.Version+1, 7
		line.LoseOneAnswer()
		if err := s.EditCharacter(t.Context(), store.SessionHolder{}, c); err != nil {
			t.Errorf("%s: the edit is reported as failed: %v", name, err)
		}
		if got, err := s.Character(t.Context(), c.ID); err != nil || got.Gold != 7 || got.Version != c.Version {
			t.Errorf("%s: stored is %+v, %v", name, got, err)
		}
		other := *c
		other.Gold = 8
		if err := s.EditCharacter(t.Context(), store.SessionHolder{}, &other); !errors.Is(err, store.ErrOutdated) {
			t.Errorf("%s: another edit to the same version: %v", name, err)
		}
		closeStore(t, s)
	}
	if n := line.Lost(); n != 2 {
		t.Errorf("%d answers were lost", n)
	}
}
