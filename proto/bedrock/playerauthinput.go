package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// PlayerAuthInput is a client's input of one tick and its predicted position after it. Packet 144, client to server, 20
// times a second.
//
//	size  field               encoding        unit and range
//	4     Pitch               f32             degrees, at the start of the tick
//	4     Yaw                 f32             degrees
//	12    Position            vec3            blocks; the player's eyes (feet + 1.62), or the vehicle, after the tick
//	8     MoveVector          vec2            sideways, forward; -1..1
//	4     HeadYaw             f32             degrees
//	      Input               list var32      flag ids without duplicates; optional in protocol 2169
//	      InputMode           varu32          1 mouse, 2 touch, 3 gamepad
//	      PlayMode            varu32          0 normal .. 8
//	      InteractionModel    var32           0 touch, 1 crosshair, 2 classic
//	8     InteractRotation    vec2            pitch, yaw
//	      Tick                varu64          number of the client's tick
//	12    Delta               vec3            velocity at the end of the tick, blocks per tick
//	      Transaction         opt             with InputItemInteract
//	      StackRequest        opt             with InputItemStackRequest
//	      BlockActions        opt list        with InputBlockAction
//	      VehicleRotation     opt vec2        with InputClientVehicle
//	      PredictedVehicle    opt unique id   with InputClientVehicle
//	8     AnalogueMoveVector  vec2
//	12    CameraOrientation   vec3            unit vector
//	8     RawMoveVector       vec2            MoveVector before permissions and sneaking apply
//
// In protocol 2169 optional fields have two presence bytes. A flag must be set if and only if its field is present;
// otherwise the packet is malformed. Append writes the flags in increasing order; in protocol 2169 it writes the list
// of flags even if it is empty. In every other respect a packet has only one encoding.
//
// Source: docs/wire/bedrock.md, PlayerAuthInput; Mojang's PlayerMovementOverview.
type PlayerAuthInput struct {
	Pitch, Yaw         float32             // pitch and yaw of the view at the start of the tick, degrees
	Position           Vec3                // position after the tick, blocks: the player's eyes (feet + 1.62), or the vehicle
	MoveVector         Vec2                // movement sideways and forward, -1..1
	HeadYaw            float32             // yaw of the head, degrees
	Input              InputData           // keys and requests of the tick
	InputMode          uint32              // InputModeUnknown..InputModeGamepad
	PlayMode           uint32              // how the game is displayed: 0 normal, up to 8; not used by Truestep
	InteractionModel   int32               // InteractionTouch, InteractionCrosshair or InteractionClassic
	InteractRotation   Vec2                // direction in which the player interacts: pitch and yaw in degrees
	Tick               uint64              // number of the client's tick, which Mojang calls its simulation frame
	Delta              Vec3                // velocity at the end of the tick, blocks per tick
	Transaction        *UseItemTransaction // use of an item; nil unless Input has InputItemInteract
	StackRequest       *ItemStackRequest   // change of item stacks; nil unless Input has InputItemStackRequest
	BlockActions       []BlockAction       // steps of breaking blocks; nil unless Input has InputBlockAction
	VehicleRotation    Vec2                // pitch and yaw of the vehicle in degrees; zero unless Input has InputClientVehicle
	PredictedVehicle   ActorUniqueID       // id of the vehicle that the player drives; 0 unless Input has InputClientVehicle
	AnalogueMoveVector Vec2                // movement sideways and forward as the input device reports it
	CameraOrientation  Vec3                // direction of the camera as a unit vector
	RawMoveVector      Vec2                // MoveVector before permissions and sneaking apply
}

// Values of PlayerAuthInput.InputMode: the input device of the client.
const (
	InputModeUnknown = 0 // the client states no input device
	InputModeMouse   = 1 // mouse and keyboard
	InputModeTouch   = 2 // touch screen
	InputModeGamepad = 3 // game controller
)

// Values of PlayerAuthInput.InteractionModel: how the player selects what it interacts with.
const (
	InteractionTouch     = 0 // the player touches what it interacts with
	InteractionCrosshair = 1 // the player aims with a crosshair in the centre of the screen
	InteractionClassic   = 2 // older touch screen controls
)

// ID returns IDPlayerAuthInput.
func (PlayerAuthInput) ID() ID { return IDPlayerAuthInput }

// ParsePlayerAuthInput decodes the body of packet 144. Errors wrap wire.ErrShort or wire.ErrRange. wire.ErrRange also
// reports an optional field that disagrees with the input flags, and bytes after the packet, for which other parsers return
// wire.ErrTrailing. Items share the memory of b. If the packet contains no transaction, stack request and block actions,
// ParsePlayerAuthInput does not allocate.
func ParsePlayerAuthInput(b []byte, v Version) (PlayerAuthInput, error) {
	var p PlayerAuthInput
	r, f := wire.NewReader(b), v.layout()
	p.readMove(&r, f)
	p.readExtras(&r, b, f)
	p.AnalogueMoveVector, p.CameraOrientation, p.RawMoveVector = readVec2(&r), readVec3(&r), readVec2(&r)
	r.CheckRange(r.Left() == 0, "bytes after the end")
	if err := r.Done("PlayerAuthInput"); err != nil {
		return PlayerAuthInput{}, err
	}
	return p, nil
}

// readMove reads the fields from Pitch to Delta, which every input has.
func (p *PlayerAuthInput) readMove(r *wire.Reader, f *layout) {
	p.Pitch, p.Yaw = r.F32(), r.F32()
	p.Position, p.MoveVector = readVec3(r), readVec2(r)
	p.HeadYaw = r.F32()
	p.Input = readInputData(r, f)
	p.InputMode, p.PlayMode, p.InteractionModel = r.VarU32(), r.VarU32(), r.VarI32()
	p.InteractRotation = readVec2(r)
	p.Tick = r.VarU64()
	p.Delta = readVec3(r)
}

// readExtras reads the optional fields, from Transaction to PredictedVehicle.
func (p *PlayerAuthInput) readExtras(r *wire.Reader, input []byte, f *layout) {
	if p.readOption(r, f, InputItemInteract) {
		p.Transaction = readUseItemTransaction(r, f)
	}
	if p.readOption(r, f, InputItemStackRequest) {
		p.StackRequest = readItemStackRequest(r, input)
	}
	if p.readOption(r, f, InputBlockAction) {
		p.BlockActions = readBlockActions(r)
	}
	if p.readOption(r, f, InputClientVehicle) {
		p.VehicleRotation = readVec2(r)
	}
	if p.readOption(r, f, InputClientVehicle) {
		p.PredictedVehicle = r.VarI64()
	}
}

// readOption reads whether an optional field is present. The parameter flag is the input flag that must be set exactly if the
// field is present. If flag and field disagree, the packet is malformed.
func (p *PlayerAuthInput) readOption(r *wire.Reader, f *layout, flag InputFlag) bool {
	present := f.readPresence(r)
	r.CheckRange(present == p.Input.Has(flag), "presence byte of an optional field disagrees with the input flags")
	return present && r.Err() == nil
}

// Append appends the body of packet 144 to b and returns the extended slice. It writes an optional field only if the
// field's input flag is set, so the caller must set the flags of the fields that it fills. Append allocates only if b lacks
// the capacity.
func (p PlayerAuthInput) Append(b []byte, v Version) []byte {
	f := v.layout()
	b = p.appendMove(b, f)
	b = p.appendExtras(b, f)
	b = appendVec3(appendVec2(b, p.AnalogueMoveVector), p.CameraOrientation)
	return appendVec2(b, p.RawMoveVector)
}

func (p *PlayerAuthInput) appendMove(b []byte, f *layout) []byte {
	b = wire.F32(wire.F32(b, p.Pitch), p.Yaw)
	b = wire.F32(appendVec2(appendVec3(b, p.Position), p.MoveVector), p.HeadYaw)
	b = appendInputData(b, p.Input, f)
	b = wire.VarU32(wire.VarU32(b, p.InputMode), p.PlayMode)
	b = appendVec2(wire.VarI32(b, p.InteractionModel), p.InteractRotation)
	return appendVec3(wire.VarU64(b, p.Tick), p.Delta)
}

func (p *PlayerAuthInput) appendExtras(b []byte, f *layout) []byte {
	if b = f.appendPresence(b, p.Input.Has(InputItemInteract)); p.Input.Has(InputItemInteract) {
		b = appendUseItemTransaction(b, p.Transaction, f)
	}
	if b = f.appendPresence(b, p.Input.Has(InputItemStackRequest)); p.Input.Has(InputItemStackRequest) {
		b = appendItemStackRequest(b, p.StackRequest)
	}
	if b = f.appendPresence(b, p.Input.Has(InputBlockAction)); p.Input.Has(InputBlockAction) {
		b = appendBlockActions(b, p.BlockActions)
	}
	vehicle := p.Input.Has(InputClientVehicle)
	if b = f.appendPresence(b, vehicle); vehicle {
		b = appendVec2(b, p.VehicleRotation)
	}
	if b = f.appendPresence(b, vehicle); vehicle {
		b = wire.VarI64(b, p.PredictedVehicle)
	}
	return b
}
