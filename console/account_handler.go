package console

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
)

// AccountHandlerOptions configures NewAccountHandler, which works on the accounts of a stopped server.
type AccountHandlerOptions struct {
	Keeper   *session.Keeper  // reads and changes the stored accounts
	Journal  *journal.Journal // journal in which the operator's actions are recorded
	Chat     *chatlog.Log     // chat log of the server; nil if there is none
	Log      *slog.Logger     // receives errors and the performed actions; must not be nil
	Operator string           // name of the operator in the audit log
}

// NewAccountHandler returns a handler of those API calls that read and change stored accounts. A program on the server's machine
// uses it while the server does not run. There is no login, because a user who can write the data folder is an administrator
// anyway.
func NewAccountHandler(o AccountHandlerOptions) http.Handler {
	c := &Console{Options: Options{Journal: o.Journal, Chat: o.Chat}, log: o.Log, now: time.Now, stopped: o.Keeper}
	mux := http.NewServeMux()
	for i := range accountRoutes {
		to := &accountRoutes[i]
		mux.HandleFunc(to.method+" "+apiBase+to.path, func(w http.ResponseWriter, r *http.Request) {
			k := &call{Console: c, w: w, r: r, caller: caller{name: o.Operator, role: Admin}}
			k.respond(to, func() (any, error) { return k.perform(to) })
		})
	}
	return mux
}
