// Package move has the rules by which positions change, one authority for each way in which clients ask to move:
//
//	claim    "I am here, going there"           Judge bounds it by speed and time; Walk goes on between two claims
//	path     "I want to stand on that tile"     Head finds the way, Step takes one step or two in each cycle of 600 ms
//	predict  "tick n: these inputs, and I predict this position"   Avatar.Step simulates the tick, Process compares
//
// An actor has one of them (Authority), chosen by the door through which its player came. The package holds no state and
// asks no clock. The area keeps a ClaimState, a PathState or a PredictState for each player and hands it in.
//
// Claims:
//
//	policy.Reset(&state, nowMS)                             // on entering and on every warp
//	v := policy.Judge(&state, pos, share, claim, arrivedMS) // for each claim
//	pos = v.Pos
//	pos = move.Walk(pos, v.DestX, v.DestZ, units, step)     // each tick
//
// Paths, on the tiles of sim/terrain:
//
//	state.Teleport(tile)                                                     // on entering and on every warp
//	v := policy.Head(&state, searcher, ground, move.OnTile(goal), ctrlKey)   // for a click; v.Held says why not
//	stride := policy.Step(&state, ground, energy > 0)                        // in each cycle
//	pos = grid.Centre(state.Tile)                                            // where he is then
//
// Predictions, on the blocks of sim/terrain; a client steps its own copy of the Avatar with the same function:
//
//	why := policy.Admit(&state, &input)                       // when the input arrives
//	for range policy.Turns(&state, waiting, ticksPerSecond) { // in each tick of the server
//		v := policy.Process(&state, &input, ground, scratch)  // simulate, compare; v.Correct says why to correct
//	}
//
// Walk is also how positions follow their tiles within a cycle, and how NPCs get where they want.
//
// Sources: seed P_StandardUpdate; docs/wire/rcce.md, section movement; seed "The Player Updating Procedure"; docs/wire/rs.md,
// movement; seed PlayerMovementOverview; docs/wire/bedrock.md, movement physics and server behaviour; docs/decisions/0002-euclidean-step.md, 0003-accumulating-allowance.md and 0005-tiles-and-units.md.
package move
