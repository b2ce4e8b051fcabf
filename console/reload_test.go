package console

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/internal/netsim"
)

func TestReloadRequiresAdminAndIsAudited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		result, problem := &Reloaded{Applied: []AppliedSetting{}, Kept: []KeptSetting{}}, error(nil)
		change := func(o *Options) { o.Reload = func(context.Context) (*Reloaded, error) { return result, problem } }
		r := startOn(t, netsim.ListenPipe("127.0.0.1:8080"), change, func(*harness) {})
		r.wantError(r.call(Moderator, "POST", "/reload", ""), 403, codeForbidden, "needs the role admin")
		if a := r.call(Admin, "POST", "/reload", ""); a.status != 200 || strings.TrimSpace(a.body) != `{"applied":[],"kept":[]}` {
			t.Errorf("status %d, response %s", a.status, a.body)
		}
		result = &Reloaded{[]AppliedSetting{{"area-chat", "20", "5"}}, []KeptSetting{{"seed", "why not"}}, nil}
		if a := r.call(Admin, "POST", "/reload", "{}"); a.status != 200 || strings.TrimSpace(a.body) != `{"applied":[{"setting":"area-chat","from":"20","to":"5"}],"kept":[{"setting":"seed","why":"why not"}]}` {
			t.Errorf("status %d, response %s", a.status, a.body)
		}
		problem = errors.New("one\ntwo")
		r.wantError(r.call(Admin, "POST", "/reload", ""), 409, codeConflict, "nothing was changed: one; two")
		var details []string
		for _, e := range get[auditList](r, Admin, "/audit").Entries {
			details = append(details, e.Action+": "+e.Detail+": "+e.Result)
		}
		want := "reload: : nothing was changed: one; two|reload: area-chat from 20 to 5; not without a restart: seed: ok|reload: nothing has changed: ok|reload: : this call needs the role admin; yours is moderator"
		if got := strings.Join(details, "|"); got != want {
			t.Errorf("audit %s, want %s", got, want)
		}
	})
}

func TestReloadIsRefusedIfProgramCannotReadSettingsAgain(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.wantError(r.call(Admin, "POST", "/reload", ""), 409, codeConflict, "this program cannot read its settings again while it runs")
	})
}
