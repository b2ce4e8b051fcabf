package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	secret       = "correct horse battery"
	sharedSecret = "88e4ddd2402d92d50e1879d6ecd9ffd4" // MD5 of the constant secret; RealmCrafter clients send the MD5 instead of the secret
)

// wantRefused connects a client and checks that the server refuses the client with the given text.
func (r *rig) wantRefused(o webcl.Options, h *netsim.Host, text string) {
	r.t.Helper()
	p, err := r.dial(o, h)
	if err == nil {
		_ = p.stop()
	}
	if err == nil || !strings.Contains(err.Error(), text) {
		r.t.Errorf("error %v, want %q", err, text)
	}
}

// A player with a name and a secret plays, leaves and logs in again: the account still has its character, at the position of
// the logout. A lost connection is resumed without the secret.
func TestAccountWithSecretKeepsItsCharacter(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		o, h := r.options("Ann", ws)
		o.Secret, o.Create = secret, true
		p, err := r.dial(o, h)
		if err != nil {
			t.Fatal(err)
		}
		to := geom.Vec{X: -6, Z: 4}
		p.do(walkTo(to))
		p.until("Ann is at her goal", func(w *webcl.World) bool { return w.Self() != nil && geom.DistXZ(w.Self().Pos(), to) < 0.5 })
		r.network.Impair(p.host, r.host, netsim.Impairment{Loss: 1}, netsim.Impairment{Loss: 1})
		at, h2 := r.options("", ws)
		at.Resume = p.c.ResumeToken()
		again, err := r.dial(at, h2)
		if err != nil {
			t.Fatal(err)
		}
		_ = p.stop() // the network drops all packets of this connection, so its error does not matter
		again.until("Ann is shown herself", func(w *webcl.World) bool { return w.Self() != nil && w.Self().Name == "Ann" })
		if err := again.stop(); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute) // Ann's actor leaves the world
		if n := len(r.hub.Players()); n != 0 {
			t.Fatalf("%d players, want none", n)
		}
		o, h = r.options("ann", ws) // names do not differ by case
		o.Secret = secret
		if p, err = r.dial(o, h); err != nil {
			t.Fatal(err)
		}
		p.until("Ann is where she was", func(w *webcl.World) bool {
			return w.Self() != nil && w.Self().Name == "Ann" && geom.DistXZ(w.Self().Pos(), to) < 0.6
		})
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestWrongSecretsAndTakenNamesAreRefused(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		o, h := r.options("Ann", true)
		o.Secret, o.Create = "short", true
		r.wantRefused(o, h, "a secret must have 8 to 128 characters")
		o.Secret, o.Create = secret, false
		r.wantRefused(o, h, "the name or the secret is wrong")
		o.Create = true
		p, err := r.dial(o, h)
		if err != nil {
			r.t.Fatal(err)
		}
		o, h = r.options("Ann", true)
		o.Secret, o.Create = "another secret", true
		r.wantRefused(o, h, "the name or the secret is wrong")
		o.Name = "web:0123"
		r.wantRefused(o, h, "The name is not allowed")
		if bad := r.metrics.Door("web").Bad.With("ticket_denied").Load(); bad != 2 {
			r.t.Errorf("%d refused logins are counted, want 2", bad)
		}
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
	})
}

func TestChangedSecretReplacesOldSecret(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		const changed = "staple battery horse"
		o, h := r.options("Ann", true)
		o.Secret, o.Create = secret, true
		enter := func() {
			t.Helper()
			p, err := r.dial(o, h)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.stop(); err != nil {
				t.Error(err)
			}
		}
		enter()
		o.Create, o.New = false, "short"
		r.wantRefused(o, h, "a secret must have 8 to 128 characters")
		o.Secret, o.New = "not the secret", changed
		r.wantRefused(o, h, "the name or the secret is wrong")
		o.Secret = secret
		enter()
		o.New = ""
		r.wantRefused(o, h, "the name or the secret is wrong")
		o.Secret = changed
		enter()
	})
}

// A new secret ends the access of players who know the old one: earlier resume tokens and tickets are refused. A ticket for the
// new secret is accepted, even if the client sends an old token with it.
func TestNewSecretEndsResumeTokensAndTicketsOfOldSecret(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		o, h := r.options("Ann", true)
		o.Secret, o.Create = secret, true
		p, err := r.dial(o, h)
		if err != nil {
			r.t.Fatal(err)
		}
		time.Sleep(time.Second) // a new player that has sent no input leaves the world with its connection
		x := r.newRaw()
		_, b := x.post(http.MethodPost, "/play/v1/ticket", `{"name":"Ann","secret":"`+secret+`"}`, "")
		changed, err := r.hub.Keeper().ResetSecret(r.t.Context(), "Ann", "")
		if err != nil {
			r.t.Fatal(err)
		}
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
		x.refused(ticketOf(r.t, b), "The secret of the account has changed")
		resume := p.c.ResumeToken()
		for _, want := range []string{"The secret of the account has changed", "The session is over"} {
			thief := r.newRaw()
			if err := thief.dial(nil); err != nil {
				r.t.Fatal(err)
			}
			thief.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Resume: resume}))
			if !thief.until(func(m proto.Message) bool {
				refused, ok := m.(*proto.Refused)
				return ok && refused.Reason == proto.RefusedTicket && strings.Contains(refused.Text, want)
			}) {
				r.t.Errorf("the token of the old secret was not refused with %q", want)
			}
			thief.close()
		}
		o.Secret, o.Create = changed, false
		if p, err = r.dial(o, h); err != nil {
			r.t.Fatal(err)
		}
		time.Sleep(time.Second)
		o.Resume, o.New = p.c.ResumeToken(), "staple battery horse"
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
		if p, err = r.dial(o, h); err != nil { // this login sets the new secret and also sends the resume token of the previous session
			r.t.Fatal(err)
		}
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
	})
}

// A secret must not cross a network unencrypted, so it needs HTTPS. A guest has no secret and may use HTTP.
func TestSecretSentFromAnotherMachineWithoutHTTPSIsRefused(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		far := r.network.Host("10.0.0.9")
		o := webcl.Options{Name: "Ann", Secret: secret, Create: true, WS: true, Dial: far.Dial}
		r.wantRefused(o, far, "only over HTTPS")
		if _, err := r.store.Account(r.t.Context(), "Ann"); err == nil {
			r.t.Error("the account was created")
		}
		o.Secret = ""
		p, err := r.dial(o, far)
		if err != nil {
			r.t.Fatal(err)
		}
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
	})
}

func TestGuestsAndNewAccountsAreRefusedIfSettingsForbidThem(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{NoGuests: true, NoRegister: true}, netsim.Impairment{}, func(r *rig) {
		o, h := r.options("Ann", true)
		r.wantRefused(o, h, "this server admits no guests")
		o.Secret, o.Create = secret, true
		r.wantRefused(o, h, "this server does not let clients create accounts")
		o.Token = "a.b.c"
		r.wantRefused(o, h, "this server accepts no tokens")
		peer := session.Peer{Door: "web", Conn: 1}
		if err := r.hub.CreateAccount(r.t.Context(), peer, "Ann", sharedSecret, ""); err != nil {
			r.t.Fatal(err)
		}
		o.Token, o.Create = "", false
		p, err := r.dial(o, h)
		if err != nil {
			r.t.Fatal(err)
		}
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
	})
}

// A banned player is refused a new ticket. A ticket that was issued before the ban does not admit the player.
func TestBannedAccountIsRefusedDespiteCorrectSecret(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		ask := `{"name":"Ann","secret":"` + secret + `","create":true}`
		status, b := x.post(http.MethodPost, "/play/v1/ticket", ask, "")
		if status != http.StatusOK {
			r.t.Fatalf("ticket: %d %s", status, b)
		}
		if err := r.hub.Ban(r.t.Context(), "Ann", "test"); err != nil {
			r.t.Fatal(err)
		}
		if status, b := x.post(http.MethodPost, "/play/v1/ticket", ask, ""); status != http.StatusForbidden || !strings.Contains(string(b), "banned") {
			r.t.Errorf("ticket of a banned account: %d %s", status, b)
		}
		x.refused(ticketOf(r.t, b), "banned")
	})
}
