package session

import (
	"crypto/sha256"
	"testing"
)

// A login that one node has verified is valid at another one, until the secret is replaced or the account is banned.
func TestLoginVerifiedByOneNodeIsAcceptedByAnotherUntilSecretChanges(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		l, other := c.nodes[0].player("Ada"), c.nodes[1]
		with := func(l *Login) func([sha256.Size]byte) bool {
			return func(mark [sha256.Size]byte) bool { return mark == l.SecretMark() }
		}
		got, err := other.LoginVerified(c.ctx, other.peer(), "ada", with(l))
		other.must(err)
		if got.Account != l.Account || got.Name != "Ada" || got.SecretMark() != l.SecretMark() {
			t.Errorf("logged in as %+v", got)
		}
		other.must(other.CheckSecret(c.ctx, got))
		bob := c.nodes[0].player("Bob")
		_, err = other.LoginVerified(c.ctx, other.peer(), "Ada", with(bob))
		other.mustBe(err, ErrDenied)
		_, err = other.LoginVerified(c.ctx, other.peer(), "Nobody", with(l))
		other.mustBe(err, ErrDenied)
		s := other.enters(got)
		_, err = other.LoginVerified(c.ctx, other.peer(), "Ada", with(l))
		other.mustBe(err, ErrOnline)
		s.Leave()
		ticks(20)
		before := *l
		other.must(other.ChangeSecret(c.ctx, l, "new secret"))
		_, err = other.LoginVerified(c.ctx, other.peer(), "Ada", with(&before))
		other.mustBe(err, ErrDenied)
		_, err = other.LoginVerified(c.ctx, other.peer(), "Ada", with(l))
		other.must(err)
		other.must(other.Ban(c.ctx, "Ada", ""))
		_, err = other.LoginVerified(c.ctx, other.peer(), "Ada", with(l))
		other.mustBe(err, ErrBanned)
	})
}
