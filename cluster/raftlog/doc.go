// Package raftlog is the file of one Raft replica of an area (cluster/replica): its term and vote, a snapshot, and the
// entries since. The format, byte by byte, is in docs/cluster-log.md.
//
//	log, r, err := raftlog.Open(dir, header)   // r.State, r.Snapshot, r.Entries start a replica
//	log.Write(state, entries)                  // output of each Ready: one write call, synced if the state changed
//	log.Sync()                                 // a few times a second
//	log.Rotate(snapshot, state, rest)          // a new file that begins with a snapshot; the older one is removed
//	log.Close()
//
// A folder belongs to one area on one node and has one file, or two for a moment. After Write has returned, the data survives
// the end of the process. After Sync, Rotate or a Write with a state has returned, it survives a loss of power. A write that
// was cut short by the end of the process is removed at the next start. Open refuses any other damage and deletes nothing,
// because a replica that forgets a vote or an acknowledged entry without knowing it can make its group commit two different
// entries at one index.
//
// A loss of power may lose writes that were not synced, also of acknowledged entries. The file contains the boot identifier of
// the machine, so Open can detect this: Recovered.Rebooted and Recovered.New mean that the replica may have forgotten what it
// acknowledged or voted, and must not vote before a leader has brought it up to date. Both stay true at further starts until
// MarkComplete.
//
// Write, Rotate, MarkComplete, MarkIncomplete and Close belong to one goroutine. Sync may be called from another one: it delays no Write
// except one that has to sync itself.
package raftlog
