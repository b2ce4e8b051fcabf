package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Claim is one movement packet of a client that claims its position: the position and the destination, in world units.
// Fields contain the values from the packet; Judge sanitizes them. Source: specification P_StandardUpdate, client to
// server.
type Claim struct {
	DestX, DestZ      float32 // destination to which the client walks its player
	Y, X, Z           float32 // claimed position
	Running, Backward bool    // how the player moves: running instead of walking, backward instead of forward
}

// ClaimState is the state of the claim authority for one actor between two claims. It is plain data, which a snapshot
// copies. The zero value is the state before the first claim.
type ClaimState struct {
	LastMS           int64   // ms: time of the last judged claim or Reset, on the clock of Judge; valid if Started
	Started          bool    // a claim was judged, or Reset was called
	HasAnchor        bool    // a claim has been judged since the actor entered or was warped
	ConsecutiveHolds int32   // rejected claims since the last accepted claim or correction
	Credit           float32 // remaining allowance for ground distance in world units; strict policy only
	CreditY          float32 // remaining allowance for height changes in world units; strict policy only

	// AnchorX and AnchorZ are the position that the actor had after the last claim: the claimed position or, if the claim was
	// rejected, the position before the claim. The server may since have walked the actor away from there. Only the strict
	// policy uses AnchorX and AnchorZ. They are valid if HasAnchor is true.
	AnchorX, AnchorZ float32
}

// ClaimVerdict is the result of judging one claim: the actor's new position and, if the claim was held (rejected) or changed,
// the reason.
type ClaimVerdict struct {
	Pos               geom.Vec      // the actor's position after the claim
	DestX, DestZ      float32       // destination to walk to, in world units
	Running, Backward bool          // as in the claim, but never both
	Sanitized         bool          // a coordinate was not finite or outside the world and was replaced by 0 (reason NotFinite)
	BackwardRun       bool          // running backward was changed to walking backward (reason BackwardRun)
	Held              reason.Reason // why the claim was rejected: TooFast or Blocked (X and Z), else TooFastUp (Y); None if it was accepted
	Asked, Allowed    float32       // claimed distance, and distance allowed by the rule that rejected the claim, in units; 0 if accepted
	Correct           bool          // the client must be sent its position (reason RepeatedHolds)
}
