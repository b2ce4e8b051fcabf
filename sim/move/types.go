package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Claim is one packet of a claiming client: where it says it is and where it is going. World units.
// Fields hold what the wire held; Judge cleans them. Source: seed P_StandardUpdate, client to server.
type Claim struct {
	DestX, DestZ      float32
	Y, X, Z           float32
	Running, Backward bool
}

// ClaimState is what the claim authority remembers of one actor between claims. Plain data: a snapshot copies it. The
// zero value is an actor about which nothing is known yet.
type ClaimState struct {
	LastMS           int64   // when the last claim was judged or the state was reset, on the clock of Judge; valid if Started
	Started          bool    // a claim was judged or Reset was called
	HasAnchor        bool    // a claim has been judged since the actor entered or was warped
	ConsecutiveHolds int32   // claims held in a row
	Credit           float32 // units of ground distance that may still be claimed; strict policy only
	CreditY          float32 // units of height that may still be claimed; strict policy only

	// AnchorX and AnchorZ are the last accepted claim, or where a held one left the actor; valid if Baselined. Strict
	// policy only: the server may have walked the actor on from there.
	AnchorX, AnchorZ float32
}

// Verdict is what became of one claim.
type ClaimVerdict struct {
	Pos               geom.Vec // the position after the claim
	DestX, DestZ      float32
	Running, Backward bool
	Cleaned           bool          // some coordinate was outside the world and read as 0 (reason NotFinite)
	BackwardRun       bool          // running was taken away (reason BackwardRun)
	Held              reason.Reason // TooFast, Blocked, TooFastUp or None; the ground's wins over the height's
	Asked, Allowed    float32       // units, of the rule that held; 0 otherwise
	Correct           bool          // tell the client its position (reason RepeatedHolds)
}
