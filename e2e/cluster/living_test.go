//go:build linux

package main

import "testing"

func TestSecondLoginNeedsClientAndTwoLivingNodes(t *testing.T) {
	var nodes []*node
	for i := range nodeCount {
		nodes = append(nodes, newNode(&cluster{}, i))
	}
	at := func(n *node) *rccePlayer { return &rccePlayer{common: common{node: n}} }
	web := &webPlayer{common: common{node: nodes[2]}}
	onDead, onLiving := at(nodes[0]), at(nodes[2])
	for _, c := range []struct {
		what    string
		living  []int
		players []player
		player  *rccePlayer
		node    *node
		fails   bool
	}{
		{"a client", []int{1, 2}, []player{web, onLiving}, onLiving, nodes[1], false},
		{"a client of a dead node before it", []int{1, 2}, []player{onDead, onLiving}, onLiving, nodes[1], false},
		{"all nodes", []int{0, 1, 2}, []player{onDead}, onDead, nodes[1], false},
		{"no client", []int{1, 2}, []player{web}, nil, nil, true},
		{"clients of dead nodes only", []int{1, 2}, []player{onDead}, nil, nil, true},
		{"one living node", []int{2}, []player{onLiving}, nil, nil, false},
		{"no living node", nil, nil, nil, nil, false},
	} {
		for _, n := range nodes {
			n.alive.Store(false)
		}
		for _, i := range c.living {
			nodes[i].alive.Store(true)
		}
		p, n, err := secondLogin(c.players, nodes)
		if p != c.player || n != c.node || (err != nil) != c.fails {
			t.Errorf("%s: player %p at node %v, error %v", c.what, p, n, err)
		}
	}
}
