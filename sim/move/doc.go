// Package move holds the rules of movement: one authority for each way in which clients ask to move.
//
//	claim    "I am here, going there"           Judge bounds it by speed and time; WalkToward moves the actor between claims
//	path     "I want to stand on that tile"     StartPath finds the path, Step takes one or two steps per cycle of 600 ms
//	predict  "tick n: these inputs, and I predict this position"   Process simulates the tick (Avatar.Step) and compares
//
// An actor has one authority (Authority), chosen by the door through which its player joined. The package holds no
// state and reads no clock: the area keeps a ClaimState, a PathState or a PredictState for each player and passes it
// in.
//
// Claims:
//
//	policy.Reset(&state, nowMS)                                 // on entering and on every warp
//	v := policy.Judge(&state, pos, share, claim, arrivedMS)     // for each claim
//	pos = v.Pos
//	pos = move.WalkToward(pos, v.DestX, v.DestZ, units, metric) // each tick
//
// Paths, on the tiles of sim/terrain:
//
//	state.Teleport(tile)                                                        // on entering and on every warp
//	v := policy.StartPath(&state, searcher, tiles, move.OnTile(goal), ctrlKey)  // per click; v.Held is the reason if refused
//	stride := policy.Step(&state, tiles, energy > 0)                            // in each cycle
//	pos = grid.Centre(state.Tile)                                               // the new position
//
// Predictions, on the blocks of sim/terrain. A client predicts by stepping its own copy of the Avatar with the same
// Step:
//
//	why := policy.Admit(&state, &input)                           // when the input arrives
//	for range policy.InputsDue(&state, waiting, ticksPerSecond) { // in each tick of the server
//		v := policy.Process(&state, &input, ground, scratch)      // simulate and compare; v.Correct is the reason to correct
//	}
//
// WalkToward also moves NPCs.
//
// Sources: specification P_StandardUpdate; docs/wire/rcce.md, section movement; specification "The Player Updating Procedure";
// docs/wire/rs.md, movement; specification PlayerMovementOverview; docs/wire/bedrock.md, movement physics and server
// behaviour; docs/decisions/0002-euclidean-step.md, 0003-accumulating-allowance.md and 0005-tiles-and-units.md.
package move
