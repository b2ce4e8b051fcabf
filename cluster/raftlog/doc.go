// Package raftlog is the file of one Raft replica of an area (cluster/replica): its term and vote, a snapshot, and the
// entries since. The format, byte by byte, is in docs/cluster-log.md.
//
//	log, r, err := raftlog.Open(dir, header)   // r.State, r.Snapshot, r.Entries start a replica
//	log.Write(state, entries)                  // output of each Ready: one write call, synced if the state changed
//	log.Sync()                                 // a few times a second
//	log.Rotate(snapshot, state, rest)          // a new file that begins with a snapshot; the older one is removed
//	log.Close()
//
// A folder belongs to one area on one node and has one file, for moments two. What Write has returned survives the end of
// the process; what Sync, Rotate or a Write with a state has returned survives a loss of power. A write that was cut
// short by the end of the process is removed at the next start. Any other damage is refused, and nothing is deleted: a
// replica that forgets a vote or an acknowledged entry without knowing it can make its group contradict itself.
//
// A loss of power may take writes that were not synced, also acknowledged entries. The file has the boot identifier of
// the machine, so Open can tell: Recovered.Rebooted and Recovered.New mean that the replica may have forgotten what it
// acknowledged or voted, and must not vote before a leader has brought it up to date. Both stay true over further starts
// until MarkComplete.
//
// Write, Rotate, MarkComplete and Close belong to one goroutine. Sync may be called from another one: it delays no Write
// except one that has to sync itself.
package raftlog
