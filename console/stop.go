package console

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/internal/duration"
	"github.com/truestep-io/truestep/session"
)

// stopBody describes a planned stop or restart.
type stopBody struct {
	Restart bool      `json:"restart"` // the server is to be started again; false for a stop
	At      timestamp `json:"at"`      // time at which the server stops
	Reason  string    `json:"reason"`  // text that the players are shown; may be empty
	By      string    `json:"by"`      // operator who planned the stop, such as "ann (console)"
}

// chooseNode determines the nodes of the cluster to which a call applies: the named node, all nodes, or this node if none
// is named. If it applies to one other node, chooseNode returns the name of that node.
func (k *call) chooseNode(node string, all bool) (other string, err error) {
	node = strings.TrimSpace(node)
	switch {
	case node != "" && all:
		return "", badRequest(`"node" and "allNodes" exclude each other`)
	case k.Cluster == nil && (node != "" || all):
		return "", errNoCluster
	case node == k.node:
		return "", nil
	case k.from != "" && (node != "" || all):
		return "", errForwardedAgain
	}
	return node, nil
}

// plannedStop handles GET /stop. It returns the planned stop or restart of a node, or null if there is none.
func (k *call) plannedStop() (any, error) {
	ask, err := k.parseQuery("node")
	if err != nil {
		return nil, err
	}
	other, err := k.chooseNode(ask.Get("node"), false)
	if err != nil {
		return nil, err
	}
	if other != "" {
		return k.resultOn(other, forwardedCall{Method: http.MethodGet, Path: "/stop"})
	}
	var body struct {
		Planned *stopBody `json:"planned"`
	}
	if p, ok := k.Hub.PlannedStop(); ok {
		body.Planned = &stopBody{p.Restart, timestamp(p.At), p.Reason, p.By}
	}
	return body, nil
}

// stop handles POST /stop. It plans a stop of the server.
func (k *call) stop() (any, error) { return k.planStop(false) }

// restart handles POST /restart. It plans a restart of the server.
func (k *call) restart() (any, error) { return k.planStop(true) }

// planStop plans a stop of the server, or a restart if the parameter restart is true. The new plan replaces an earlier one.
// In a cluster, the plan is for one node or for all nodes.
func (k *call) planStop(restart bool) (any, error) {
	var body struct {
		In     string `json:"in"` // period until the stop, such as "5m"; empty to stop at once
		Reason string `json:"reason"`

		Node     string `json:"node"`     // name of the node of a cluster that is to stop; empty for the node that was asked
		AllNodes bool   `json:"allNodes"` // all nodes of the cluster are to stop
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	why, err := parseText("reason", body.Reason, 0, maxReason)
	if err != nil {
		return nil, err
	}
	in := time.Duration(0)
	if text := strings.TrimSpace(body.In); text != "" {
		if in, err = duration.Parse(text); err != nil {
			return nil, badRequest(`"in": %v`, err)
		}
	}
	if in < 0 || in > session.MaxStopDelay {
		return nil, badRequest(`"in" must be between 0s and %s`, duration.Format(session.MaxStopDelay))
	}
	other, err := k.chooseNode(body.Node, body.AllNodes)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = strings.TrimSuffix(fmt.Sprintf("in %s: %s", duration.Format(in), why), ": ")
	f := forwardedCall{Method: http.MethodPost, Path: "/stop", Body: encodeBody(map[string]string{"in": body.In, "reason": why})}
	if restart {
		f.Path = "/restart"
	}
	if other != "" {
		result, _, err := k.runOn(other, f)
		return result, err
	}
	missing := []string{}
	if body.AllNodes {
		missing = k.askOthers(func(node string) error {
			_, err := k.resultOn(node, f)
			return err
		})
		k.entry.Detail = onAllNodes(missing, k.entry.Detail)
	}
	p, err := k.Hub.PlanStop(session.PlannedStop{Restart: restart, Reason: why, By: k.entry.Operator}, in)
	return struct {
		OK      bool      `json:"ok"`
		At      timestamp `json:"at"`
		Missing []string  `json:"missing"` // nodes that have not answered; empty unless all nodes are to stop
	}{true, timestamp(p.At), missing}, err
}

// onAllNodes returns the detail of an audit entry of a call for all nodes, of which some have not answered.
func onAllNodes(missing []string, detail string) string {
	nodes := "all nodes"
	if len(missing) > 0 {
		nodes += " (no answer: " + strings.Join(missing, ", ") + ")"
	}
	return onNode(nodes, detail)
}

// cancelStop handles DELETE /stop. It cancels the planned stop or restart of a node of the cluster or of all nodes.
func (k *call) cancelStop() (any, error) {
	ask, err := k.parseQuery("node", "allNodes")
	if err != nil {
		return nil, err
	}
	all, err := parseBool(ask, "allNodes")
	if err != nil {
		return nil, err
	}
	onAll := all != nil && *all
	other, err := k.chooseNode(ask.Get("node"), onAll)
	if err != nil {
		return nil, err
	}
	f := forwardedCall{Method: http.MethodDelete, Path: "/stop"}
	if other != "" {
		result, _, err := k.runOn(other, f)
		return result, err
	}
	cancelled := k.Hub.CancelStop()
	missing := []string{}
	if onAll {
		var others atomic.Int32
		missing = k.askOthers(func(node string) error {
			a, err := k.askNode(k.r.Context(), node, f)
			if err != nil || a.Status == http.StatusNotFound { // status 404: the node has no plan
				return err
			}
			if _, err = a.result(); err == nil {
				others.Add(1)
			}
			return err
		})
		cancelled = cancelled || others.Load() > 0
		k.entry.Detail = onAllNodes(missing, "")
	}
	if !cancelled && len(missing) > 0 {
		return nil, &apiError{http.StatusConflict, codeConflict, "no stop is planned here, but these nodes have not answered: " + strings.Join(missing, ", ")}
	}
	if !cancelled {
		return nil, notFound("no stop and no restart is planned")
	}
	return struct {
		OK      bool     `json:"ok"`
		Missing []string `json:"missing"` // nodes that have not answered; empty unless the call is for all nodes
	}{true, missing}, nil
}
