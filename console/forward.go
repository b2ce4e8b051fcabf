package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// In a cluster the console of every node shows the players of all nodes and acts on them. Some calls can only be run by the node
// through which the player is connected, because that node has the player's connection and session. The console that the operator
// uses forwards such a call to that node:
//
//	request -> call -> question to the node of the player -> the same call there -> answer -> response
//
// The other node takes the name and the role of the operator from the question, because nodes authenticate each other and the asking
// node has authenticated the operator. It checks everything else as in a request of its own. Both nodes record an action in their
// audit.

// forwardedCall is a call that one node asks another node to run. It is sent as JSON, as the question of cluster.Host.Ask.
type forwardedCall struct {
	Operator string `json:"operator"` // name of the operator
	Via      string `json:"via"`      // how the operator acts, see caller.via
	Role     string `json:"role"`     // role of the operator
	Method   string `json:"method"`   // method of the call
	Path     string `json:"path"`     // path of the call, below apiBase
	Query    string `json:"query"`    // query string; empty for none
	Body     string `json:"body"`     // body of the request; empty for none
}

// forwardedAnswer is the answer to a forwardedCall, as JSON.
type forwardedAnswer struct {
	Status    int             `json:"status"`    // HTTP status of the response
	Elsewhere bool            `json:"elsewhere"` // the player in the path is not in the world through this node; nothing was done
	Player    string          `json:"player"`    // player in the audit entry of an action
	Account   string          `json:"account"`   // account in that entry
	Detail    string          `json:"detail"`    // detail in that entry
	Body      json.RawMessage `json:"body"`      // body of the response; null if Elsewhere is true
}

// forwarded lists the calls that a node runs for another one, by method and path.
var forwarded = []string{
	"GET /players", "GET /players/{entity}", "POST /players/{entity}/message", "POST /players/{entity}/teleport", "POST /players/{entity}/freeze",
	"POST /players/{entity}/kick", "POST /players/{entity}/give", "POST /players/{entity}/take", "POST /players/{entity}/attribute",
	"POST /announce", "GET /chat", "GET /stop", "POST /stop", "POST /restart", "DELETE /stop", "POST /cluster/drain", "POST /cluster/undrain",
}

// errForwardedAgain refuses a call that another node has forwarded and that this node would have to forward to a third one.
// The audit of the third node would name this node instead of the node at which the operator is logged in.
var errForwardedAgain = badRequest("this call was already forwarded by another node and cannot be forwarded to a third one")

// maxForwardedBody is the maximum size of the body of a request that is forwarded, in bytes. The longest is a message of 200
// characters in escapes.
const maxForwardedBody = 8 << 10

// parseForwarded decodes and checks a forwarded call. It returns the call and the operator in whose name it is made.
func parseForwarded(b []byte) (f forwardedCall, by caller, err error) {
	if err := decodeBody(b, &f); err != nil {
		return f, by, err
	}
	if err := checkName(f.Operator); err != nil {
		return f, by, badRequest("%v", err)
	}
	if !slices.Contains([]string{"", viaConsole, viaTerminal, viaAPI}, f.Via) {
		return f, by, badRequest(`"via" %.40q is unknown`, f.Via)
	}
	role, err := ParseRole(f.Role)
	if err != nil {
		return f, by, badRequest("%v", err)
	}
	if len(f.Body) > maxForwardedBody {
		return f, by, badRequest("the body is larger than %d bytes", maxForwardedBody)
	}
	return f, caller{name: f.Operator, via: f.Via, role: role}, nil
}

// findForwarded returns the call with the given method and path, and the entity in the path. The call is nil if there is no such
// call, or if a node does not run it for other nodes.
func findForwarded(method, path string) (to *route, entity string) {
	for i := range routes {
		r := &routes[i]
		if r.method != method || !slices.Contains(forwarded, r.method+" "+r.path) {
			continue
		}
		before, after, wild := strings.Cut(r.path, "{entity}")
		if !wild {
			if path == r.path {
				return r, ""
			}
			continue
		}
		rest, ok := strings.CutPrefix(path, before)
		entity, ends := strings.CutSuffix(rest, after)
		if ok && ends && entity != "" && !strings.Contains(entity, "/") {
			return r, entity
		}
	}
	return nil, ""
}

// answerNode implements cluster.Answerer: it runs the call that another node asks for.
func (c *Console) answerNode(ctx context.Context, node string, question []byte) []byte {
	w := &answerWriter{header: http.Header{}, status: http.StatusOK}
	var a forwardedAnswer
	if err := c.runForwarded(ctx, node, question, w, &a); err != nil {
		w.body.Reset()
		writeError(w, toAPIError(err))
	}
	if !a.Elsewhere {
		a.Status, a.Body = w.status, w.body.Bytes()
	}
	b, err := json.Marshal(&a)
	if err != nil {
		panic(err) // cannot happen: the body is JSON that writeJSON has encoded
	}
	return b
}

// runForwarded runs the call that a question describes. The handler of the call writes its response to w; runForwarded sets the other
// fields of the answer a.
func (c *Console) runForwarded(ctx context.Context, node string, question []byte, w *answerWriter, a *forwardedAnswer) (err error) {
	f, by, err := parseForwarded(question)
	if err != nil {
		return err
	}
	to, entity := findForwarded(f.Method, f.Path)
	if to == nil {
		return badRequest("%.10q %.60q is not a call that a node runs for another one", f.Method, f.Path)
	}
	r, err := http.NewRequestWithContext(ctx, f.Method, apiBase+f.Path+"?"+f.Query, strings.NewReader(f.Body))
	if err != nil {
		return badRequest("the path or the query is malformed")
	}
	if entity != "" {
		r.SetPathValue("entity", entity)
		if id, err := parseEntity(entity); err == nil {
			if _, here := c.Hub.Player(id); !here {
				a.Elsewhere = true
				return nil
			}
		}
	}
	k := &call{Console: c, w: w, r: r, caller: by, from: node}
	defer func() {
		if v := recover(); v != nil {
			c.log.Error("console: a call that another node forwarded to this node panicked", "call", to.method+" "+to.path, telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(debug.Stack()))
			err = errInternal
		}
	}()
	k.respond(to, func() (any, error) { return k.perform(to) })
	a.Player, a.Account, a.Detail = k.entry.Player, k.entry.Account, k.entry.Detail
	return nil
}

// answerWriter is the http.ResponseWriter of a call that another node asks for.
type answerWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answerWriter) Header() http.Header         { return w.header }
func (w *answerWriter) WriteHeader(status int)      { w.status = status }
func (w *answerWriter) Write(b []byte) (int, error) { return w.body.Write(b) }

// askNode makes another node run a call in the name of the operator of this call. Its errors are those of cluster.Host.Ask.
func (k *call) askNode(ctx context.Context, node string, f forwardedCall) (*forwardedAnswer, error) {
	f.Operator, f.Via, f.Role = k.caller.name, k.caller.via, k.caller.role.String()
	question, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	b, err := k.Cluster.Ask(ctx, node, question)
	if err != nil {
		return nil, err
	}
	a := new(forwardedAnswer)
	if err := decodeBody(b, a); err != nil {
		return nil, fmt.Errorf("the answer of node %s is invalid: %s", node, err) // not %w: the fault is not in the request of the operator
	}
	return a, nil
}

// result converts the answer of the other node to the result of this call.
func (a *forwardedAnswer) result() (json.RawMessage, error) {
	switch {
	case a.Status < 200 || a.Status > 599:
		return nil, fmt.Errorf("the answer of the node has the status %d, which is not an HTTP status", a.Status)
	case a.Status < 400:
		return a.Body, nil
	}
	var body errorBody
	if err := json.Unmarshal(a.Body, &body); err != nil {
		return nil, err
	}
	return nil, &apiError{a.Status, body.Error.Code, body.Error.Message}
}

// runOn makes another node run a call and returns its response. It copies what that node has audited to this call's audit entry.
func (k *call) runOn(node string, f forwardedCall) (result any, elsewhere bool, err error) {
	a, err := k.askNode(k.r.Context(), node, f)
	if err != nil || a.Elsewhere {
		return nil, a != nil && a.Elsewhere, err
	}
	k.entry.Player, k.entry.Account, k.entry.Detail = a.Player, a.Account, onNode("node "+node, a.Detail)
	result, err = a.result()
	return result, false, err
}

// resultOn makes another node run a call and returns the body of its response. It does not change the audit entry of this call.
func (k *call) resultOn(node string, f forwardedCall) (json.RawMessage, error) {
	a, err := k.askNode(k.r.Context(), node, f)
	if err != nil {
		return nil, err
	}
	return a.result()
}

// encodeBody returns a value as the body of a forwarded call.
func encodeBody(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: bodies are plain structs and maps of texts
	}
	return string(b)
}

// onNode returns the text of an audit entry's detail, preceded by the name of the node that forwarded or ran the call.
func onNode(node, detail string) string {
	if detail == "" || detail == node {
		return node
	}
	return node + ": " + detail
}

// perform runs the call of a route, the parameter "to". If the call is an action, it is recorded in the audit log. k.caller
// must be set.
func (k *call) perform(to *route) (any, error) {
	if to.action != "" {
		return k.runAction(to)
	}
	if err := k.checkRole(to); err != nil {
		return nil, err
	}
	return k.run(to)
}

// run runs the call of a route, the parameter "to". If the call is about a player who is in the world through another node,
// that node runs it.
func (k *call) run(to *route) (any, error) {
	if k.Cluster == nil || k.from != "" || !strings.HasPrefix(to.path, "/players/{entity}") {
		return to.run(k)
	}
	id, err := parseEntity(k.r.PathValue("entity"))
	if err != nil {
		return to.run(k)
	}
	if _, here := k.Hub.Player(id); here {
		return to.run(k)
	}
	return k.runOnNodeOf(to, id)
}

// runOnNodeOf has the node through which a player is in the world run a call about the player. The nodes are asked in turn, first the
// one that has created the player's actor. The others are asked because one of them may have taken over the actor since.
func (k *call) runOnNodeOf(to *route, id sim.EntityID) (any, error) {
	if err := k.checkRun(); err != nil {
		return nil, err
	}
	k.entry.Detail = fmt.Sprintf("entity %d", id)
	state, inWorld := k.frames.players()[id]
	if inWorld {
		k.entry.Player = state.Body.Name
	}
	if len(k.r.URL.RawQuery) > maxForwardedBody {
		return nil, badRequest("the query is larger than %d bytes", maxForwardedBody)
	}
	body, err := io.ReadAll(http.MaxBytesReader(k.w, k.r.Body, maxForwardedBody))
	if err != nil {
		return nil, badRequest("the body is larger than %d bytes, or was not received", maxForwardedBody)
	}
	f := forwardedCall{Method: to.method, Path: strings.Replace(to.path, "{entity}", strconv.FormatUint(uint64(id), 10), 1), Query: k.r.URL.RawQuery, Body: string(body)}
	var unasked error
	for _, node := range k.otherNodes(id) {
		result, elsewhere, err := k.runOn(node, f)
		switch {
		case elsewhere:
		case errors.Is(err, cluster.ErrUnreachable), errors.Is(err, cluster.ErrAskRefused):
			unasked = errors.Join(unasked, err)
		case errors.Is(err, cluster.ErrAnswerLost): // the other node may have performed the action
			k.entry.Detail = onNode("node "+node, k.entry.Detail)
			return nil, err
		default:
			return result, err
		}
	}
	if inWorld && unasked != nil {
		return nil, &apiError{http.StatusConflict, codeConflict, "the node of the player did nothing: " + strings.ReplaceAll(unasked.Error(), "\n", "; ")}
	}
	return nil, errNoPlayer
}

// otherNodes returns the names of the other nodes. The node that has created the actor id is the first; with id 0 they are in the
// order of the list of nodes.
func (k *call) otherNodes(id sim.EntityID) (names []string) {
	for i, n := range k.Cluster.Status().Nodes {
		switch {
		case n.Self:
		case i+1 == int(id.Node()):
			names = slices.Insert(names, 0, n.Name)
		default:
			names = append(names, n.Name)
		}
	}
	return names
}

// askOthers calls ask with the name of every other node, concurrently. It returns the names of the nodes for which ask has returned
// an error, in the order of the list of nodes.
func (k *call) askOthers(ask func(node string) error) (missing []string) {
	nodes := k.otherNodes(0)
	errs := make([]error, len(nodes))
	var wg sync.WaitGroup
	for i, node := range nodes {
		wg.Go(func() { errs[i] = ask(node) })
	}
	wg.Wait()
	missing = []string{}
	for i, err := range errs {
		if err != nil {
			missing = append(missing, nodes[i])
		}
	}
	return missing
}
