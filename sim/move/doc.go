// Package move has the rules by which positions change: the claim authority, which judges where a client says it is,
// and the walk that the server does for everybody between two claims.
//
// It holds no state and asks no clock. The area keeps one ClaimState for each player and hands it in:
//
//	policy.Reset(&state, nowMS)                             // on entering and on every warp
//	v := policy.Judge(&state, pos, share, claim, arrivedMS) // for each claim
//	pos = v.Pos
//	pos = move.Walk(pos, v.DestX, v.DestZ, units, step)     // each tick
//
// Sources: seed P_StandardUpdate; docs/wire/rcce.md, section movement; docs/decisions/0002-euclidean-step.md and
// 0003-accumulating-allowance.md.
package move
