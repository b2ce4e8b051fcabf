package console

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
)

// StoppedOptions configures NewAccountHandler.
type StoppedOptions struct {
	Keeper   *session.Keeper
	Journal  *journal.Journal // receives the audit
	Chat     *chatlog.Log     // chat log of the server; nil if there is none
	Log      *slog.Logger
	Operator string // name of the operator in the audit
}

// NewAccountHandler serves the calls about accounts of a server that does not run, for a program on its machine. There is no
// login, because a user who can write the data folder is an administrator anyway.
func NewAccountHandler(o StoppedOptions) http.Handler {
	c := &Console{Options: Options{Journal: o.Journal, Chat: o.Chat}, log: o.Log, now: time.Now, stopped: o.Keeper}
	mux := http.NewServeMux()
	for i := range accountRoutes {
		to := &accountRoutes[i]
		mux.HandleFunc(to.method+" "+apiBase+to.path, func(w http.ResponseWriter, r *http.Request) {
			k := &call{Console: c, w: w, r: r, caller: caller{name: o.Operator, role: Admin}}
			k.respond(to, func() (any, error) {
				if to.action != "" {
					return k.runAction(to)
				}
				return to.run(k)
			})
		})
	}
	return mux
}
