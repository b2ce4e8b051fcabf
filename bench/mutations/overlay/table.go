package overlay

// Edits that let a leader believe any message about players that change areas.
var (
	uncheckedArrivals    = Edit{"cluster/receive.go", "err = g.receiveArrival(m.from, a)", "g.takeArrival(a)"}
	uncheckedSettlements = Edit{"cluster/receive.go", "err = g.receiveSettlement(m.from, in)", "g.takeSettlement(in)"}
)

// Mutations are errors that the design of the cluster must exclude. Each could be introduced by a plausible change of the code.
var Mutations = []Mutation{
	{
		Name:   "a leader accepts chunks of incarnations that were declared dead",
		Stands: "the node of the player's door dies: another node takes over the body",
		Wrong:  "what ended sessions have left acts on bodies that others have taken over",
		Edits:  []Edit{{"cluster/origins.go", `m.node >= uint64(len(o)) || m.incarnation <= o[m.node].gone {`, `m.node >= uint64(len(o)) {`}},
	},
	{
		Name:   "no fencing: neither do leaders refuse dead incarnations, nor do these end their sessions",
		Stands: "the node of the player's door dies: another node takes over the body",
		Wrong:  "two sessions play one character",
		Edits: []Edit{
			{"cluster/origins.go", `m.node >= uint64(len(o)) || m.incarnation <= o[m.node].gone {`, `m.node >= uint64(len(o)) {`},
			{"cluster/fence.go", `	if gone == 0 || gone < h.incarnation.Load()`, `	if gone >= 0 || gone < h.incarnation.Load()`},
		},
	},
	{
		Name:   "a fenced node sends what its ended sessions have left in the inboxes",
		Stands: "the node of the player's door dies: another node takes over the body",
		Wrong:  "the next incarnation acts on bodies that others have taken over",
		Edits: []Edit{
			{"cluster/fence.go", "		h.emptyInboxes()\n", ""},
			{"cluster/chunk.go", `	intents := g.host.World.Drain(g.area, nil, newRound)
	if g.host.fencing.Load() {`, `	if g.host.fencing.Load() {`},
			{"cluster/chunk.go", `		return
	}
	if len(intents) == 0 && !empty`, `		return
	}
	intents := g.host.World.Drain(g.area, nil, newRound)
	if len(intents) == 0 && !empty`},
		},
	},
	{
		Name:   "arrivals are not idempotent",
		Stands: "the new leader dies after the arrival: the player is sent again, and known",
		Wrong:  "a join that is sent again makes a second body",
		Edits: []Edit{
			{"cluster/crossing.go", `		g.sendSettlement(from)
		return
	}
	if in.Join.Seq != max(have, l.arrived[from])+1 || l.isHeld(in.Join, time.Now()) {
`, `		g.sendSettlement(from)
	}
	if l.isHeld(in.Join, time.Now()) {
`},
			{"sim/crossing.go", `	case j.Seq <= last:
		return false
	case j.Seq != last+1:`, `	case j.Seq > last+1:`},
			{"sim/crossing.go", "	a.arrived[i].last = j.Seq\n", "	a.arrived[i].last = max(last, j.Seq)\n"},
		},
	},
	{
		Name:   "a player is sent to the next area before its departure is committed",
		Stands: "the old leader dies before the departure is committed: nothing has happened",
		Wrong:  "the departure is lost with its leader, and the player is in two areas",
		Edits: []Edit{{"cluster/lead.go", "	if g.rep.Propose(t.append(nil)) {\n", `	if g.rep.Propose(t.append(nil)) {
		ahead := new(sim.Area)
		g.state.CloneInto(ahead)
		f := ahead.Step(t.intents)
		for i := range f.Events {
			if e := &f.Events[i]; e.Kind == sim.EventDeparted {
				g.sendArrival(e.To, e.Who, e.Join)
			}
		}
`}, uncheckedArrivals},
	},
	{
		Name:   "an arrival is confirmed before it is committed",
		Stands: "the new leader dies before the arrival is committed: the player is sent again",
		Wrong:  "the arrival is lost with its leader, and the player is nowhere",
		Edits: []Edit{{"cluster/crossing.go", "	l.arrivals = append(l.arrivals, a)\n", `	l.arrivals = append(l.arrivals, a)
	g.host.sendToLead(from, kindSettle, appendIntent(nil, from, sim.Intent{Kind: sim.IntentSettle, To: g.area, Seq: in.Join.Seq}))
`}, uncheckedSettlements},
	},
	{
		Name:   "arrivals are not compared with the copy of the area that the player has left",
		Wrong:  "a node can make players that left no area",
		Edits:  []Edit{uncheckedArrivals},
		Forged: true,
	},
	{
		Name:   "settlements are not compared with the copy of the area in which the player has arrived",
		Wrong:  "a node can remove players who are under way",
		Edits:  []Edit{uncheckedSettlements},
		Forged: true,
	},
	{
		Name:   "players under way are not in snapshots",
		Stands: "the old leader dies after the departure: the next one has the player and sends it again",
		Wrong:  "a node that continues from a snapshot does not send them again",
		Edits: []Edit{
			{"sim/crossing.go", `	n := c.lengthOf(len(o.waiting), 100)`, `	waiting := len(o.waiting)
	if !c.reading {
		waiting = 0
	}
	n := c.lengthOf(waiting, 100)`},
			{"sim/crossing.go", `		h.u64(uint64(o.to)<<32 | uint64(len(o.waiting)))
`, `		h.u64(uint64(o.to) << 32)
`},
			{"sim/crossing.go", `			h.u64(uint64(o.waiting[j].who))
			h.u64(o.waiting[j].digest)
`, `			_ = j
`},
		},
	},
	{
		Name:   "players under way are not sent again",
		Stands: "no message gets from the old leader to the new one: the player waits and is sent again",
		Wrong:  "a lost message leaves them nowhere",
		Edits:  []Edit{{"cluster/crossing.go", "func (g *group) resendCrossings() { g.state.Outbox(g.sendArrival) }", "func (g *group) resendCrossings() {}"}},
	},
	{
		Name:   "players under way are sent again after 5 s only",
		Stands: "no message gets from the old leader to the new one: the player waits and is sent again",
		Wrong:  "after a lost message they are nowhere for that time",
		Edits:  []Edit{{"cluster/lead.go", "l.resendAt = now.Add(resendEvery)", "l.resendAt = now.Add(5 * time.Second)"}},
	},
	{
		Name:  "a chunk that is sent again is applied again",
		Wrong: "intents act twice",
		Edits: []Edit{{"cluster/origins.go", "	return m.incarnation == have.incarnation && m.seq == have.seq+1\n", "	return m.incarnation == have.incarnation\n"}},
	},
	{
		Name:  "chunks are not sent again to a new leader",
		Wrong: "accepted intents are lost",
		Edits: []Edit{{"cluster/chunk.go", "	for i := range s.pending {\n		s.send(g, &s.pending[i])\n	}\n", ""}},
	},
	{
		Name:  "a chunk that a link has refused is sent again without its intents",
		Wrong: "accepted intents are lost",
		Edits: []Edit{{"cluster/chunk.go", "			s.lost = true\n", "			s.lost, c.intents = true, nil\n"}},
	},
	{
		Name:  "a leader drops the chunks that do not fit into a batch",
		Wrong: "accepted intents are lost",
		Edits: []Edit{{"cluster/lead.go", "l.queue[:copy(l.queue, rest)]", "l.queue[:min(0, copy(l.queue, rest))]"}},
	},
	{
		Name:   "a leader steps a batch before a majority has it",
		Stands: "a leader dies before a commit: no node has shown what was not committed",
		Wrong:  "players see ticks that did not happen",
		Edits: []Edit{
			{"cluster/replica/replica.go", "	last, committed uint64 ", "	released        uint64\n	last, committed uint64 "},
			{"cluster/replica/replica.go", "	r.committed = r.log.snapshot.Index\n", "	r.committed = r.log.snapshot.Index\n	r.released = r.committed\n"},
			{"cluster/replica/replica.go", "		s := r.log.install(rd.Snapshot)\n", "		s := r.log.install(rd.Snapshot)\n		r.released = s.Index\n"},
			{"cluster/replica/replica.go", "	out.Committed = batchesOf(rd.CommittedEntries)\n", `	list := rd.CommittedEntries
	if r.isLeader {
		list = append(slices.Clip(list), rd.Entries...)
	}
	var fresh []*raftpb.Entry
	for _, e := range list {
		if e.GetIndex() == r.released+1 {
			r.released++
			fresh = append(fresh, e)
		}
	}
	out.Committed = batchesOf(fresh)
`},
		},
	},
	{
		Name:   "entries and votes are acknowledged before they are written",
		Stands: "a leader dies after a commit: the next one has what was committed",
		Wrong:  "a node that crashes between forgets what a majority counts on",
		Edits: []Edit{
			{"cluster/group.go", "		g.send(out.Early)\n", "		g.send(out.Early)\n		g.send(out.Messages)\n"},
			{"cluster/group.go", "		g.send(out.Messages)\n		g.committed", "		g.committed"},
		},
	},
	{
		Name:  "a node whose disk is full acknowledges what it has not written",
		Wrong: "the node starts again without what a majority counts on",
		Edits: []Edit{{"cluster/group.go", "g.file.Write(out.State, out.Entries); err != nil {\n", "g.file.Write(out.State, out.Entries); err != nil {\n				g.send(out.Messages)\n"}},
	},
	{
		Name:  "votes are not stored",
		Wrong: "a node that starts again votes twice in a term",
		Edits: []Edit{{"cluster/group.go", "g.file.Write(out.State, out.Entries)", "g.file.Write(nil, out.Entries)"}},
	},
	{
		Name:   "a node that may have lost entries votes",
		Stands: "a leader dies after a commit: the next one has what was committed",
		Wrong:  "a leader is elected without an entry that was committed",
		Edits: []Edit{
			{"cluster/replica/replica.go", `	case raftpb.MsgPreVote, raftpb.MsgTimeoutNow:
		return false
`, `	case raftpb.MsgPreVote:
		return true
	case raftpb.MsgTimeoutNow:
		return false
`},
			{"cluster/replica/replica.go", `			r.forgetLeader()
		}
		return false
	case`, `			r.forgetLeader()
		}
		return true
	case`},
		},
	},
	{
		Name:   "a node that may have lost entries follows any leader",
		Stands: "a leader dies after a commit: the next one has what was committed",
		Wrong:  "it acknowledges entries of a leader that was replaced with its help",
		Edits:  []Edit{{"cluster/replica/replica.go", "		if r.elects != (election{m.GetTerm(), m.GetFrom()}) {\n", "		if false {\n"}},
	},
	{
		Name:   "a new leader takes players for new who have arrived before",
		Stands: "the new leader dies after the arrival: the next one knows who has arrived",
		Wrong:  "they lose the connection through another node",
		Edits:  []Edit{{"cluster/crossing.go", "	if !g.rep.IsLeader() || l.taken == nil {", "	if !g.rep.IsLeader() || l.arrived == nil {"}},
		// The new leader must get the player again after its election, before it has stepped a part of its log that has the arrival and then
		// the login of the player through another node. In the simulation steps take no time, so that part is hardly ever longer than a batch.
		Test: "TestTransferResentToNewLeaderKeepsConnectionOfPlayer",
	},
	{
		Name:  "a search finds players under way who have arrived",
		Wrong: "an account waits for a body that has left the world",
		Edits: []Edit{{"cluster/search.go", "	if g.state.Arrived(e.from) < e.seq {", "	if true {"}},
		// The player must arrive, leave the world and log in again before the confirmation of its arrival is in the log of its old area: it is
		// under way for some ticks only, and a login takes longer.
		Seeds: 600,
	},
	{
		Name:   "a node that may have lost entries asks for votes",
		Stands: "a leader dies after a commit: the next one has what was committed",
		Wrong:  "a leader is elected without an entry that was committed",
		Edits:  []Edit{{"cluster/replica/election.go", "	if r.incomplete {\n		return\n	}\n", ""}},
	},
	{
		Name:  "a snapshot is written before its records are stored",
		Wrong: "a node that starts from it never stores them",
		Edits: []Edit{{"cluster/state.go", "h.waiting.tick > g.saved && len(h.since) < g.host.maxWithoutSnapshot {", "false {"}},
	},
	{
		Name:   "homes are not part of snapshots",
		Stands: "the node of the player's door dies: another node takes over the body",
		Wrong:  "a node that continues from a snapshot does not know through which node a player is connected",
		Edits:  []Edit{{"cluster/state.go", "	for _, who := range slices.Sorted(maps.Keys(g.homes)) {\n", "	for _, who := range slices.Sorted(maps.Keys(homes{})) {\n"}},
	},
}
