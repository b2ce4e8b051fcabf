package replica

import (
	"slices"

	"go.etcd.io/raft/v3"
)

// The engine's own election timer is not used: it counts ticks of followers, and followers do not tick. So a follower grants
// no vote while it has a leader, at any time, and this file decides when it has none.

// Tick tells the replica that a tick of time has passed in which its process ran. A caller that was stopped or not
// scheduled for long calls it once: what others sent meanwhile is not read yet, so the time says nothing about them.
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

// LinkLost tells the replica that the connection to a node broke, which means that its process ended or cannot be reached.
func (r *Replica) LinkLost(node uint64) {
	delete(r.acked, node)
	r.node.ReportUnreachable(node)
	if node == r.lead && !r.isLeader {
		r.forgetLeader()
	}
}

// forgetLeader ends the replica's loyalty to its leader: it may now vote, and asks for votes itself when it is its turn.
func (r *Replica) forgetLeader() {
	r.lost, r.lead, r.leaderless, r.tries, r.voting = r.lead, 0, 0, 0, false
	_ = r.node.ForgetLeader() // fails only with leases for reads, which are not configured
	r.campaignAt = r.rank() * r.cfg.StaggerTicks
	if r.campaignAt == 0 {
		r.campaign()
	}
}

// campaign asks for votes, and sets when to ask again. The first requests for a pre-vote may reach a member that has not
// noticed yet that the leader is gone, so they are repeated every tick for as long as the next in line waits; they change
// no term. A vote that is under way is left alone for longer, because the members write it durably: asking again would
// abandon it and begin another term.
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
	_ = r.node.Campaign() // a node that is no member has nothing to ask
}

// rank returns how many members are in line for the lead before this one: those of Config.Members in their order, then later
// ones, without the last leader, and the witness at the end.
func (r *Replica) rank() int {
	var line []uint64
	add := func(id uint64) {
		if id != r.lost && id != r.cfg.Witness && slices.Contains(r.log.members, id) && !slices.Contains(line, id) {
			line = append(line, id)
		}
	}
	for _, id := range slices.Concat(r.cfg.Members, r.log.members) {
		add(id)
	}
	if i := slices.Index(line, r.cfg.Self); i >= 0 {
		return i
	}
	return len(line)
}

// changeRole notes who leads now.
func (r *Replica) changeRole(s *raft.SoftState) {
	was := r.isLeader
	r.lead, r.isLeader, r.silent = s.Lead, s.RaftState == raft.StateLeader, 0
	switch {
	case r.isLeader && !was:
		clear(r.acked)
		r.lost = 0
		r.handOver()
	case was && !r.isLeader && r.lead == 0: // it lost its majority: another one is to try first
		r.lost, r.leaderless, r.tries, r.campaignAt = r.cfg.Self, 0, 0, len(r.cfg.Members)*r.cfg.StaggerTicks
	case r.lead != 0:
		r.lost = 0
	}
}

// handOver makes a witness that leads pass the lead to the first member that steps and answers. The engine sends that
// member the entries that it lacks first.
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
