package sim

import (
	"cmp"
	"sort"

	"github.com/truestep-io/truestep/sim/move"
)

// AvatarState is the state of an actor whose body is simulated in blocks: its exact position (also in the air), rotation and
// posture. A frame contains the state of every such actor, whatever authority moves it. Doors that show exact bodies read Avatar
// and Seat; the others read ActorState.Motion.
type AvatarState struct {
	ID         EntityID        // id of the actor
	Avatar     move.Avatar     // simulated body of the actor
	Seat       uint8           // seat on ActorState.Mount: 0 is the driver's seat
	Prediction PredictionState // what the door of the predicting client needs to know; the zero value if no client predicts this avatar
}

// PredictionState is what the door of a predicting client needs to know about the client's own player. A door must not use it for
// any other actor.
type PredictionState struct {
	Tick            uint64                       // client tick of the last processed input (rule SV-4 of docs/wire/bedrock.md)
	TeleportPending bool                         // the client has not acknowledged the last teleport yet
	RideSerial      uint32                       // serial number of the barrier sent after the last mount or dismount, 0 for none
	Effects         [LastingEffects]ActiveEffect // effects of the avatar; an effect that was not yet sent to the client is missing
}

// FindAvatar returns the state of an actor's simulated body, nil if the actor has none or is not in the area.
func (f *Frame) FindAvatar(id EntityID) *AvatarState {
	i, ok := sort.Find(len(f.Avatars), func(i int) int { return cmp.Compare(id, f.Avatars[i].ID) })
	if !ok {
		return nil
	}
	return &f.Avatars[i]
}

// AvatarOf returns the state of the simulated body of an actor of this frame, nil if it has none.
func (f *Frame) AvatarOf(a *ActorState) *AvatarState {
	if !a.Is(FlagAvatar) {
		return nil
	}
	return f.FindAvatar(a.ID)
}
