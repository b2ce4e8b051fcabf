package cluster

import (
	"errors"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// accountClaim is what a process knows about its claim on the account of a character: see the type claim of package session.
type accountClaim struct {
	holder mark
	state  claimState
	known  bool // the process knows the newest record of the character, and has a session for its body if it has one
	kept   bool // the claim is not released, because the last intents of a session may not be applied yet
}

type claimState uint8

const (
	notHeld   claimState = iota
	maybeHeld            // a request has had no answer, or will have none
	held
)

// claimErrors are errors of all processes, which the simulation must find.
type claimErrors struct {
	trustsRelease bool // a process counts as the holder of an account until it has the answer to its release
	forgetsClaim  bool // a process forgets a claim to which it has got no answer
}

// claimAccount claims the account of a character for a session through the process, as claims.acquire of package session does. It
// returns nil if that fails.
func (p *process) claimAccount(c sim.CharacterID, holder mark) *accountClaim {
	s := p.n.s
	have := p.claims[c]
	if have == nil || have.holder != holder {
		have = &accountClaim{holder: holder}
		p.claims[c] = have
	}
	have.kept = false
	if have.state == held {
		return have
	}
	have.state, have.known = maybeHeld, false
	err := s.db.claim(c, holder, func(other mark) (gone bool) {
		s.within(p, func() { gone = p.host.IsGone(s.nodes[other.node].name, other.incarnation) })
		return gone
	})
	switch {
	case err == nil:
		have.state = held
		return have
	case errors.Is(err, store.ErrSessionHeld), s.wrong.forgetsClaim:
		delete(p.claims, c)
	}
	return nil
}

// releaseClaims gives up the accounts that no session of the process uses, as claims.releaseUnused of package session does.
func (p *process) releaseClaims() {
	s := p.n.s
	var list []sim.CharacterID
	var holder mark
	for _, c := range s.clients {
		have := p.claims[c.id]
		if have == nil || have.kept || p.sessions[c.id] != nil {
			continue
		}
		if !s.wrong.trustsRelease {
			have.state, have.known = maybeHeld, false
		}
		list, holder = append(list, c.id), have.holder
	}
	if len(list) == 0 || s.db.release(list, holder) != nil {
		return
	}
	for _, c := range list {
		delete(p.claims, c)
	}
}

// checkClaims checks that each process that holds an account knows that it may hold it, so that it releases the account sometime.
func (s *simulation) checkClaims() {
	for _, c := range s.clients {
		by, ok := s.db.holders[c.id]
		if !ok {
			continue
		}
		if p := s.nodes[by.node].p; p != nil && p.host.Serving() == by.incarnation && p.claims[c.id] == nil {
			s.fail("node %d holds the account of character %d and does not know that", by.node, c.id)
		}
	}
}

// planLostAnswers lets answers of the database be lost after every third fault.
func (s *simulation) planLostAnswers() {
	f := &s.faults
	for i := len(f.kinds); i > 0; i -= 3 {
		f.kinds = slices.Insert(f.kinds, i, s.loseAnswers)
	}
}

// The simulation finds what goes wrong if processes do not take into account that a request without an answer may have taken effect. The
// same run without that error breaks no promise.
func TestSimulationFindsClaimsThatIgnoreLostAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		wrong claimErrors
		first uint64 // first seed that is played: one that finds the error, so that the test is short
	}{
		"a process counts as the holder until its release has an answer": {claimErrors{trustsRelease: true}, 10},
		"a process forgets a claim that has no answer":                   {claimErrors{forgetsClaim: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			play := func(seed uint64, wrong claimErrors) error {
				_, err := simulate(t, seed, simDuration, func(s *simulation) {
					s.planLostAnswers()
					s.wrong = wrong
				})
				return err
			}
			const most = 20
			for seed := c.first; seed < c.first+most; seed++ {
				found := play(seed, c.wrong)
				if found == nil {
					continue
				}
				if err := play(seed, claimErrors{}); err != nil {
					t.Errorf("seed %d fails without the error, too: %v", seed, err)
				}
				t.Logf("seed %d: %v", seed, found)
				return
			}
			t.Errorf("not found in %d seeds", most)
		})
	}
}
