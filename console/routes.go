package console

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/telemetry"
)

// apiBase is the path prefix of every call of the API.
const apiBase = "/api/v1"

// route describes one call of the API: its method and path, the role that it requires, its name in the audit log, and its
// handler.
type route struct {
	method, path string // path below apiBase, a pattern of http.ServeMux
	role         Role   // lowest role that may use the call; NoRole if it needs no login
	action       string // name of the action in the audit log; "" for calls that only read
	run          func(*call) (any, error)
}

// routes lists every API call. docs/console-api.md describes each; a test compares the list with the document.
var routes = slices.Concat(baseRoutes, accountRoutes)

var baseRoutes = []route{
	{"GET", "/session", Viewer, "", (*call).session},
	{"POST", "/session", NoRole, "", (*call).logIn},
	{"DELETE", "/session", NoRole, "", (*call).logOut},
	{"GET", "/world", Viewer, "", (*call).world},
	{"GET", "/ground", Viewer, "", (*call).groundTile},
	{"GET", "/overview", Viewer, "", (*call).overview},
	{"GET", "/players", Viewer, "", (*call).players},
	{"GET", "/players/{entity}", Viewer, "", (*call).player},
	{"GET", "/series", Viewer, "", (*call).seriesSince},
	{"GET", "/history", Viewer, "", (*call).showHistory},
	{"GET", "/corrections", Viewer, "", (*call).corrections},
	{"GET", "/corrections/groups", Viewer, "", (*call).correctionGroups},
	{"GET", "/corrections/{id}", Viewer, "", (*call).correction},
	{"POST", "/players/{entity}/message", Moderator, "message", (*call).message},
	{"POST", "/players/{entity}/teleport", Moderator, "teleport", (*call).teleport},
	{"POST", "/players/{entity}/freeze", Moderator, "freeze", (*call).freeze},
	{"POST", "/players/{entity}/kick", Moderator, "kick", (*call).kick},
	{"POST", "/players/{entity}/give", Admin, "give", (*call).give},
	{"POST", "/players/{entity}/take", Admin, "take", (*call).take},
	{"POST", "/players/{entity}/attribute", Admin, "attribute", (*call).setAttribute},
	{"GET", "/npcs", Viewer, "", (*call).npcs},
	{"POST", "/npcs", Admin, "spawn", (*call).spawn},
	{"DELETE", "/npcs/{entity}", Admin, "remove", (*call).removeNPC},
	{"GET", "/bans", Moderator, "", (*call).bans},
	{"POST", "/bans", Admin, "ban", (*call).ban},
	{"DELETE", "/bans/{account}", Admin, "pardon", (*call).pardon},
	{"GET", "/mutes", Moderator, "", (*call).mutes},
	{"POST", "/mutes", Moderator, "mute", (*call).mute},
	{"DELETE", "/mutes/{account}", Moderator, "unmute", (*call).unmute},
	{"GET", "/whitelist", Moderator, "", (*call).whitelist},
	{"POST", "/whitelist", Admin, "whitelist", (*call).switchWhitelist},
	{"POST", "/whitelist/accounts", Moderator, "whitelist_add", (*call).admitAccount},
	{"DELETE", "/whitelist/accounts/{account}", Moderator, "whitelist_remove", (*call).excludeAccount},
	{"POST", "/announce", Moderator, "announce", (*call).announce},
	{"GET", "/stop", Viewer, "", (*call).plannedStop},
	{"POST", "/stop", Admin, "stop", (*call).stop},
	{"POST", "/restart", Admin, "restart", (*call).restart},
	{"DELETE", "/stop", Admin, "stop_cancel", (*call).cancelStop},
	{"GET", "/cluster", Viewer, "", (*call).clusterStatus},
	{"POST", "/cluster/drain", Admin, "cluster_drain", (*call).drainNode},
	{"POST", "/cluster/undrain", Admin, "cluster_undrain", (*call).undrainNode},
	{"POST", "/cluster/move", Admin, "cluster_move", (*call).moveArea},
	{"POST", "/cluster/release", Admin, "cluster_release", (*call).releaseArea},
	{"POST", "/reload", Admin, "reload", (*call).reload},
	{"GET", "/audit", Moderator, "", (*call).audit},
	{"GET", "/chat", Moderator, "search_chat", (*call).searchChat},
	{"GET", "/held-back", Viewer, "", (*call).heldBackEntries},
	{"GET", "/live", Viewer, "", (*call).live},
	{"GET", "/deaths", Viewer, "", (*call).deathsSince},
	{"GET", "/tape", Viewer, "", (*call).tape},
	{"GET", "/past", Viewer, "", (*call).showPast},
}

// call is one request to the API.
type call struct {
	*Console
	w      http.ResponseWriter
	r      *http.Request
	caller caller
	entry  journal.OperatorAction // audit entry of an action
	from   string                 // node of the cluster that has forwarded the call; "" for a request of an operator
}

// answerWritten is the result of a handler that has written the response itself.
type answerWritten struct{}

// noContent is the result of a handler whose response has no body.
type noContent struct{}

// mux routes API calls and the files of the page. Its patterns have no method, so that a wrong method gets a JSON error body.
func (c *Console) mux() *http.ServeMux {
	mux := http.NewServeMux()
	byPath := map[string][]route{}
	for _, r := range routes {
		byPath[r.path] = append(byPath[r.path], r)
	}
	for path, list := range byPath {
		mux.HandleFunc(apiBase+path, func(w http.ResponseWriter, r *http.Request) { c.dispatch(w, r, list) })
	}
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, notFound("there is no such call; docs/console-api.md lists them").(*apiError))
	})
	mux.HandleFunc("/", c.servePage)
	return mux
}

// dispatch selects the API call by the method of the request, and serves it. The parameter list has all API calls with the path
// of the request.
func (c *Console) dispatch(w http.ResponseWriter, r *http.Request, list []route) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	i := slices.IndexFunc(list, func(r route) bool { return r.method == method })
	if i < 0 {
		var allowed []string
		for _, r := range list {
			allowed = append(allowed, r.method)
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		writeError(w, &apiError{http.StatusMethodNotAllowed, codeBadRequest, "the method must be " + strings.Join(allowed, " or ")})
		return
	}
	c.serve(w, r, &list[i])
}

// serve runs one API call and writes its response.
func (c *Console) serve(w http.ResponseWriter, r *http.Request, to *route) {
	k := &call{Console: c, w: w, r: r}
	k.respond(to, func() (any, error) { return k.answer(to) })
}

// respond runs a call and writes its result or error as the response.
func (k *call) respond(to *route, run func() (any, error)) {
	w := k.w
	result, err := run()
	if err != nil {
		e := toAPIError(err)
		if e == errInternal && k.r.Context().Err() == nil {
			k.log.Error("console: an API call returned an internal error", "call", to.method+" "+to.path, telemetry.FieldErr, err)
		}
		writeError(w, e)
		return
	}
	switch result.(type) {
	case answerWritten:
	case noContent:
		w.WriteHeader(http.StatusNoContent)
	default:
		writeJSON(w, http.StatusOK, result)
	}
}

// answer identifies the operator that sent the request, checks the operator's role, and runs the call.
func (k *call) answer(to *route) (any, error) {
	if to.role > NoRole {
		var err error
		if k.caller, err = k.auth.authenticate(k.r); err != nil {
			if err == errWrongToken { // throttled callers and expired logins are frequent, so they are not logged
				k.logRefusedLogin(k.caller.addr, err)
			}
			return nil, err
		}
		k.keepConn()
	}
	if to.action != "" && k.NoLiveWorld {
		return nil, errNoLiveWorld
	}
	return k.perform(to)
}

// checkRole returns an error unless the caller's role includes the role that the call requires.
func (k *call) checkRole(to *route) error {
	if k.caller.role < to.role {
		return &apiError{http.StatusForbidden, codeForbidden, "this call needs the role " + to.role.String() + "; yours is " + k.caller.role.String()}
	}
	return nil
}

// orNull converts a value for JSON: it returns a pointer to v, or nil (null in JSON) if v equals the parameter none.
func orNull[T comparable](v, none T) *T {
	if v == none {
		return nil
	}
	return &v
}

// sortedKeys returns the keys of a map in ascending order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
