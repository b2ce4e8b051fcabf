package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/session"
)

// entersAs connects a client and returns the name of its character, or "" if it is refused.
func (r *rig) entersAs(o webcl.Options, h *netsim.Host) (name string) {
	r.t.Helper()
	p, err := r.dial(o, h)
	if err != nil {
		r.t.Errorf("name %q, token %.20q: %v", o.Name, o.Token, err)
		return ""
	}
	p.until("the player is shown itself", func(w *webcl.World) bool { return w.Self() != nil })
	p.look(func(w *webcl.World) { name = w.Self().Name })
	if err := p.stop(); err != nil {
		r.t.Error(err)
	}
	return name
}

// madeUp matches the names that the server makes up.
var madeUp = regexp.MustCompile(`^[A-Z][a-z]+ [0-9]{3}$`)

// A token may name the player by a text that no character may have as its name. The character then gets a name that the server
// makes up.
func TestTokenWithInvalidCharacterNameGivesPlayerGeneratedName(t *testing.T) {
	t.Parallel()
	all := newBackends(t)
	withServer(t, web.Options{BackendKeys: keyFile(t, all)}, netsim.Impairment{}, func(r *rig) {
		for _, c := range []struct{ subject, name string }{
			{"3f2b8c1e-5a77-4d0e-9b6a-1c2d3e4f5a6b", ""}, {"u-1", "José"}, {"u-2", strings.Repeat("é", 40)}, {"u-3", "<b>"}, {strings.Repeat("ü", 45), ""},
		} {
			o, h := r.options("", true)
			o.Token = all["Ed25519"].token(r.t, claimsOf(map[string]any{"sub": c.subject, "name": c.name}))
			if got := r.entersAs(o, h); !madeUp.MatchString(got) {
				r.t.Errorf("subject %q, name %q: the character is %q", c.subject, c.name, got)
			}
		}
	})
}

// The first character of an account has the account's name. An account whose name no character may have is not created, so that
// its player can choose another one. Such accounts of other doors are admitted.
func TestAccountWithInvalidCharacterNameIsNotCreated(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		for _, name := range []string{"Jürgen", strings.Repeat("n", 33), "Ann "} {
			status, b := x.post(http.MethodPost, "/play/v1/ticket", `{"name":"`+name+`","secret":"`+secret+`","create":true}`, "")
			if status != http.StatusForbidden || !strings.Contains(string(b), "1 to 32 characters") || !strings.Contains(string(b), `"code":"name"`) {
				r.t.Errorf("name %q: %d %s", name, status, b)
			}
			if _, err := r.store.Account(r.t.Context(), name); err == nil {
				r.t.Errorf("the account %q was created", name)
			}
		}
		if err := r.hub.CreateAccount(r.t.Context(), session.Peer{Door: "rcce", Conn: 1}, "Jürgen", sharedSecret, ""); err != nil {
			r.t.Fatal(err)
		}
		o, h := r.options("Jürgen", true)
		o.Secret = secret
		if got := r.entersAs(o, h); !madeUp.MatchString(got) {
			r.t.Errorf("the character of the account of another door is %q", got)
		}
	})
}

// A number is added to a name that is taken, even if the name must be shortened for it.
func TestTakenLongNameIsShortenedAndNumbered(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		long := strings.Repeat("n", 29) + " xy"
		for _, want := range []string{long, strings.Repeat("n", 29) + " 2", strings.Repeat("n", 29) + " 3"} {
			o, h := r.options(long, true)
			if got := r.entersAs(o, h); got != want {
				r.t.Errorf("the character is %q, want %q", got, want)
			}
		}
	})
}
