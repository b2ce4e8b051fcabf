// Package tape is the write-ahead log of each area: it records the intents of every tick, and snapshots of the area's
// state. From the tape an area is restored after the process was killed or the machine lost power, and any recorded
// part of its past can be replayed: the ticks are simulated again with the recorded intents.
//
//	area goroutine            goroutines of the Log                   goroutine of the Tape
//	Seal     -> queue ------> writer: one write a tick ------+
//	Step                      syncer: fsync every SyncEvery  |
//	Commit   <- stored -------+                              v
//	Snapshot -> copy of the area --------------------------> encode, write <serial>.snap
//	                                                         compress closed segments into <serial>.tape
//	                                                         delete what retention does not keep
//
// A tape is a folder with one folder for each area. An area's folder contains segments: files with up to 30 s of ticks.
// docs/tape.md describes the format. The tape guarantees two things while the disk works:
//
//   - The intents of a tick are written to the operating system before the frame of the tick is published, so a crash of the
//     process loses nothing that a player has seen.
//   - A loss of power loses at most the ticks of the last SyncEvery.
//
// A slow, full or failing disk never stops an area. The Log counts the ticks that it could not record (a gap), keeps
// the files on disk, and continues with a new segment and a new snapshot when the disk works again.
//
//	t, err := tape.Open(tape.Options{Dir: dir, World: world, Program: revision, Seed: 1})
//	w := area.NewWorld(world, area.Options{Seed: 1, Open: t.OpenArea})
//	...
//	err = errors.Join(w.CloseLogs(clean), t.Close())
//
// A node of a cluster opens its tape with OpenForClusterNode instead. Its areas are restored from the Raft logs of the cluster. The tape is
// only a copy for looking at the past: it records ticks after they were simulated, and areas are never restored from it.
//
// A Playback replays any recorded part of the past, even while the tape is being written. Only one goroutine may use it.
//
// Tape files may come from untrusted sources: every decoder is bounded and rejects damaged data with an error.
package tape
