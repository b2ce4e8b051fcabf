package replica

import (
	"slices"

	"go.etcd.io/raft/v3"
)

// This file decides when a replica has lost its leader, instead of the election timer of the Raft library. That timer stands
// still on followers, because the method Tick does not pass their ticks to the library. So the library never grants a vote while
// the replica has a leader.

// Tick tells the replica that a period of time has passed. If the process was stopped or not scheduled for many periods, the
// caller calls Tick only once: the process has not read the messages that arrived meanwhile, and more ticks would make the
// replica count the other members as silent.
func (r *Replica) Tick() {
	switch {
	case r.isLeader:
		r.node.Tick()
		r.handOver()
	case r.lead != 0:
		if r.silent++; r.silent >= r.cfg.SilenceTicks {
			r.forgetLeader()
		}
	default:
		if r.leaderless++; r.leaderless >= r.campaignAt {
			r.campaign()
		}
	}
}

// LinkLost tells the replica that the connection to a node broke: the process of the node has ended or cannot be
// reached.
func (r *Replica) LinkLost(node uint64) {
	delete(r.acked, node)
	r.node.ReportUnreachable(node)
	if node == r.lead && !r.isLeader {
		r.forgetLeader()
	}
}

// forgetLeader makes the replica stop following its leader: from now on it may vote, and asks for votes itself when it
// is its turn.
func (r *Replica) forgetLeader() {
	r.lost, r.lead, r.leaderless, r.tries, r.voting = r.lead, 0, 0, 0, false
	_ = r.node.ForgetLeader() // can only fail if reads use leases, which are not configured
	r.campaignAt = r.rank() * r.cfg.StaggerTicks
	if r.campaignAt == 0 {
		r.campaign()
	}
}

// campaign asks the other members for votes, and sets when to ask again. (1) The first requests ask only whether they would vote
// for this replica (pre-vote), and do not change the term. They are repeated every tick until the next member in line would ask,
// because some members may not have noticed yet that the leader is lost. (2) Once a vote is in progress, campaign waits longer,
// because members write their vote durably: asking again would abandon the vote and begin another term.
func (r *Replica) campaign() {
	stagger := int32(r.cfg.StaggerTicks)
	r.leaderless = 0
	if r.incomplete {
		return
	}
	if !r.voting && r.node.BasicStatus().RaftState == raft.StateCandidate {
		r.voting, r.campaignAt = true, int(r.rand.Between(stagger, 3*stagger))
		return
	}
	r.voting, r.campaignAt = false, 1
	if r.tries++; r.tries > r.cfg.StaggerTicks {
		r.campaignAt = int(r.rand.Between(stagger, 3*stagger))
	}
	_ = r.node.Campaign() // fails only on a node that is not a member
}

// rank returns how many members ask for votes before this one after the last leader is lost. They ask in the order of Config.Members,
// the witness last. The last leader is left out.
func (r *Replica) rank() int {
	var line []uint64
	for _, id := range r.cfg.Members {
		if id != r.lost && id != r.cfg.Witness {
			line = append(line, id)
		}
	}
	if i := slices.Index(line, r.cfg.Self); i >= 0 {
		return i
	}
	return len(line)
}

// changeRole records which node leads, and whether this replica does.
func (r *Replica) changeRole(s *raft.SoftState) {
	was := r.isLeader
	r.lead, r.isLeader, r.silent = s.Lead, s.RaftState == raft.StateLeader, 0
	if s.Lead != 0 {
		r.leads = election{r.term, s.Lead}
	}
	switch {
	case r.isLeader && !was:
		clear(r.acked)
		r.lost = 0
		r.handOver()
	case was && !r.isLeader && r.lead == 0: // this leader has lost its majority, so the other members ask for votes first
		r.lost, r.leaderless, r.tries, r.campaignAt = r.cfg.Self, 0, 0, len(r.cfg.Members)*r.cfg.StaggerTicks
	case r.lead != 0:
		r.lost = 0
	}
}

// handOver makes a witness that leads transfer the leadership, because a witness has no state of the area. The new leader is the
// first member that steps batches and has answered lately. The Raft library first sends that member the entries that it lacks.
func (r *Replica) handOver() {
	if !r.isLeader || r.cfg.Self != r.cfg.Witness {
		return
	}
	s := r.node.Status()
	if s.LeadTransferee != 0 {
		return
	}
	for _, id := range r.cfg.Members {
		if p, ok := s.Progress[id]; ok && id != r.cfg.Self && p.RecentActive {
			r.node.TransferLeader(id)
			return
		}
	}
}
