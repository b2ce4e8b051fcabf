package replica

import (
	"fmt"
	"slices"

	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Replace makes a leader exchange a member for a node that is none, in one step: no moment has fewer members or a majority
// that lacks a committed entry. It returns false if the replica does not lead or another change is not committed yet.
func (r *Replica) Replace(old, replacement uint64) bool {
	if !r.isLeader || !slices.Contains(r.log.members, old) || slices.Contains(r.log.members, replacement) {
		return false
	}
	change := &raftpb.ConfChangeV2{Changes: []*raftpb.ConfChangeSingle{
		{Type: raftpb.ConfChangeRemoveNode.Enum(), NodeId: new(old)},
		{Type: raftpb.ConfChangeAddNode.Enum(), NodeId: new(replacement)},
	}}
	return r.node.ProposeConfChange(change) == nil
}

// Members returns the nodes of the group as far as changes are committed.
func (r *Replica) Members() []uint64 { return slices.Clone(r.log.members) }

// changeMembers carries out a committed change of the members. An entry that cannot be read was made by no version of this
// package.
func (r *Replica) changeMembers(e *raftpb.Entry) {
	var change raftpb.ConfChangeV2
	if err := proto.Unmarshal(e.GetData(), &change); err != nil || e.GetType() != raftpb.EntryConfChangeV2 {
		panic(fmt.Sprintf("replica: entry %d is no change of members: %v", e.GetIndex(), err))
	}
	state := r.node.ApplyConfChange(&change)
	r.log.members, r.log.changing = slices.Clone(state.GetVoters()), len(state.GetVotersOutgoing()) > 0
}
