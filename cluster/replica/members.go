package replica

import (
	"fmt"
	"slices"

	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Replace makes a leader replace the member old by a node that is not a member, in one step. So at no moment are there fewer
// members, and every majority has all committed entries. Replace returns false if this replica does not lead or is handing over,
// if old is not a member, or if replacement already is one. While an earlier change is in progress, the Raft library ignores the
// new one, although Replace returns true: Members shows whether a change has been made.
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

// Members returns the numbers of the nodes of the group, after all committed changes.
func (r *Replica) Members() []uint64 { return slices.Clone(r.log.members) }

// changeMembers applies a committed change of the members. It panics on an entry that cannot be decoded, because no
// version of this package writes one.
func (r *Replica) changeMembers(e *raftpb.Entry) {
	var change raftpb.ConfChangeV2
	if err := proto.Unmarshal(e.GetData(), &change); err != nil || e.GetType() != raftpb.EntryConfChangeV2 {
		panic(fmt.Sprintf("replica: entry %d is no change of members: %v", e.GetIndex(), err))
	}
	state := r.node.ApplyConfChange(&change)
	r.log.members, r.log.changing = slices.Clone(state.GetVoters()), len(state.GetVotersOutgoing()) > 0
}
