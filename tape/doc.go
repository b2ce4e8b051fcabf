// Package tape is the write-ahead log of each area: the intents of every tick, with snapshots of the area's state. From it an area
// is restored after the process was killed or the machine lost power, and any stretch of its past can be stepped again.
//
//	area goroutine            goroutines of the Log                   goroutine of the Tape
//	Seal     -> queue ------> writer: one write a tick ------+
//	Step                      syncer: fsync every SyncEvery  |
//	Commit   <- stored -------+                              v
//	Snapshot -> copy of the area --------------------------> encode, write <serial>.snap
//	                                                         compress closed segments into <serial>.tape
//	                                                         delete what retention does not keep
//
// A tape is a folder with a folder for each area, which has segments: files of up to 30 s. The format is described in
// docs/tape.md. Two promises hold while the disk works:
//
//   - The intents of a tick are with the operating system before the frame of the tick is published, so the end of the
//     process loses nothing that anybody has seen.
//   - A loss of power loses at most the ticks of the last SyncEvery.
//
// A disk that is slow, full or failing never stops an area. The Log counts the ticks that it misses (a gap), keeps what is on
// disk, and continues with a new segment and a new snapshot when the disk works again.
//
//	t, err := tape.Open(tape.Options{Dir: dir, World: world, Program: revision, Seed: 1})
//	w := area.NewWorld(world, area.Options{Seed: 1, Open: t.OpenArea})
//	...
//	err = errors.Join(w.CloseLogs(clean), t.Close())
//
// A Playback steps any stretch of the past again, also while the tape is written. It belongs to one goroutine.
//
// Files may come from strangers: every decoder is bounded and refuses damaged bytes with an error.
package tape
