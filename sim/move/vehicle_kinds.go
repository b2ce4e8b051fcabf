package move

import "github.com/truestep-io/truestep/sim/geom"

// VehicleType is a type of predicted vehicle. It is an index in VehicleKinds.
type VehicleType uint8

// Values of VehicleType.
const (
	NoVehicle     VehicleType = iota // no vehicle
	Horse                            // a horse
	Donkey                           // moves like a horse
	Mule                             // moves like a horse
	SkeletonHorse                    // moves like a horse
	ZombieHorse                      // moves like a horse
	Boat                             // boat with two seats
	ChestBoat                        // boat with one seat and a chest
	vehicleTypes
)

// vehicleNames are the names of the types in world files and logs.
var vehicleNames = [vehicleTypes]string{"none", "horse", "donkey", "mule", "skeleton_horse", "zombie_horse", "boat", "chest_boat"}

// String returns the name of the type in world files and logs.
func (t VehicleType) String() string {
	if t >= vehicleTypes {
		return "unknown"
	}
	return vehicleNames[t]
}

// Valid reports whether t is a known type of vehicle; NoVehicle is not.
func (t VehicleType) Valid() bool { return t > NoVehicle && t < vehicleTypes }

// VehicleTypeNamed returns the type with a name, or false if there is none.
func VehicleTypeNamed(name string) (VehicleType, bool) {
	for t := NoVehicle + 1; t < vehicleTypes; t++ {
		if vehicleNames[t] == name {
			return t, true
		}
	}
	return NoVehicle, false
}

// VehicleMode is how the predict authority treats a kind of vehicle.
type VehicleMode uint8

// Values of VehicleMode: simulated, bounded or refused.
const (
	SimulateVehicle VehicleMode = iota // the server simulates it from the driver's inputs
	BoundVehicle                       // the position that the driver's client sends is accepted within VehicleLimits
	RefuseVehicle                      // the vehicle cannot be mounted
)

// VehicleKind has all constants of a kind of vehicle; server and clients use no others. Lengths are in blocks, speeds in
// blocks per tick of 50 ms, angles in degrees. Source: docs/wire/bedrock.md, vehicles, constants. The world file can
// change them in [rules.prediction.vehicles].
type VehicleKind struct {
	Mode VehicleMode // whether the server simulates the vehicle
	Boat bool        // true: it moves like a boat; false: like a horse

	Offset        float32 // height above the feet of the position in packets
	YawOffset     float32 // yaw in packets minus the yaw of the direction in which the vehicle points
	Width, Height float32 // size of the collision box
	Step          float32 // maximum height that the vehicle steps up, in blocks
	StepHoney     float32 // maximum height that the vehicle steps up from honey, in blocks

	SideFactor float32 // factor on the sideways part of the stick
	BackFactor float32 // factor on the forward part of the stick if it is not positive
	AirShare   float32 // acceleration in the air, as a fraction of the movement attribute
	Gravity    float32 // subtracted per tick from the vertical speed
	DragUp     float32 // factor on the vertical speed per tick, after gravity

	WaterDrag    float32 // factor on the speed per tick in water
	WaterGravity float32 // subtracted per tick from the vertical speed in water, after WaterDrag

	// YawShare, YawLeast and YawSpan define how far a horse turns toward its driver's yaw per tick: by YawShare * rate times the
	// difference of the two yaws. The smaller the difference is, the greater is the rate. If the difference is YawSpan degrees or
	// more, the rate is YawLeast.
	YawShare, YawLeast, YawSpan float32

	JumpTicks   int32   // ticks until a jump is fully charged; each adds 1 / JumpTicks to the charge
	JumpLate    float32 // charge that is approached if the key is held longer: from 1 at JumpTicks it falls toward this value
	JumpDelay   int32   // ticks after a jump until the charge is reset
	JumpFull    int32   // charge in percent from which a jump has full strength
	JumpBase    float32 // share of the jump strength without charge
	JumpGain    float32 // share of the jump strength that the charge adds below JumpFull
	JumpHoney   float32 // factor on jumps from honey
	ForwardKick float32 // forward speed that a jump adds while riding forward

	PaddleForce    float32 // acceleration by a paddle per unit of stroke strength
	PaddleTorque   float32 // torque of a paddle per unit of force
	PaddleTurn     float32 // angular acceleration in degrees per tick per unit of torque
	PaddleStrength float32 // strength of a new stroke
	PaddleDrop     float32 // stick: strength by which every later tick of a stroke is weaker than the first one
	PaddleFade     float32 // touch screen: strength that a held paddle loses per tick after its first StrokeTicks, down to PaddleLeast
	PaddleLeast    float32 // touch screen: minimum strength of a held paddle
	PaddleLet      float32 // touch screen: factor per tick on the strength of a paddle that was released
	PaddleStop     float32 // touch screen: strength below which a paddle that was released stops
	PaddleBack     float32 // factor on the strength of backward strokes
	SlowTurn       float32 // factor on the torque of a boat that hardly moves
	SlowTurnSpeed2 float32 // squared speed below which SlowTurn applies
	StrokeTicks    int32   // ticks that a paddle stroke lasts after its first tick
	SubmergedTicks int32   // ticks under water after which paddles have no effect
	NoBlockSlip    float32 // slipperiness on ground without a block below the middle of the boat
	DepthShare     float32 // floating boat: depth gained per block that it is below the top of its water block; added to DepthLeast
	DepthLeast     float32 // floating boat: depth at the top of its water block
	Buoyancy       float32 // vertical speed per unit of depth beyond DepthLeast
	RiseKeep       float32 // factor on the vertical speed per tick while the boat rises
	RiseGain       float32 // vertical speed gained per tick while the boat rises to the surface
	Current        float32 // speed gained per tick in flowing water
	BubbleRise     float32 // vertical speed gained per tick in a rising bubble column
	BubbleRiseMax  float32 // maximum vertical speed in a rising bubble column
	BubbleSink     float32 // vertical speed lost per tick in a bubble column that drags down
	BubbleSinkMax  float32 // maximum downward speed in a bubble column that drags down

	SeatAlone     geom.Vec    // seat of a driver without passenger, relative to the feet of a vehicle with yaw 0 in packets
	Seats         [2]geom.Vec // seats of driver and passenger if both are taken, relative to the feet as SeatAlone
	SeatCount     int32       // number of seats, 1 or 2
	Movement      float32     // default of the movement attribute
	JumpStrength  float32     // default of the jump strength attribute; 0 if vehicles of this kind cannot jump
	UnderwaterMax float32     // default of the underwater movement attribute
	LavaMax       float32     // default of the lava movement attribute

	Limits VehicleLimits // limits of the movement that is accepted where the server does not simulate the vehicle
}

// VehicleLimits are the maximum movements per tick, in blocks, that are accepted from a driver's client in mode BoundVehicle
// (rule VH-11 of docs/wire/bedrock.md).
type VehicleLimits struct {
	Across    float32 // maximum horizontal movement
	PerSpeed  float32 // added to Across after multiplication by the vehicle's movement attribute
	AcrossIce float32 // maximum horizontal movement on ice, instead of Across; 0 for Across
	Up        float32 // maximum upward movement
	PerJump   float32 // added to Up after multiplication by the vehicle's jump strength attribute
	Down      float32 // maximum downward movement
}

// VehicleKinds are the constants of all kinds of vehicles, indexed by VehicleType. The entry of NoVehicle is unused.
type VehicleKinds [vehicleTypes]VehicleKind

// DefaultVehicleKinds returns the constants of docs/wire/bedrock.md, vehicles, constants.
func DefaultVehicleKinds() VehicleKinds {
	chestBoat := boatKind()
	chestBoat.SeatCount = 1
	return VehicleKinds{
		NoVehicle:     {Mode: RefuseVehicle},
		Horse:         horseKind(1.1, -0.2, 0.225, 0.7),
		Donkey:        horseKind(0.925, -0.2, 0.175, 0.5),
		Mule:          horseKind(0.975, -0.2, 0.175, 0.5),
		SkeletonHorse: skeletonHorseKind(),
		ZombieHorse:   horseKind(1.1, -0.2, 0.24, 0.6),
		Boat:          boatKind(),
		ChestBoat:     chestBoat,
	}
}

// horseKind returns the constants of a kind of horse. The parameters seatY and seatZ are the height and the forward position of
// the seat, in blocks.
func horseKind(seatY, seatZ, movement, jump float32) VehicleKind {
	return VehicleKind{
		Width: 1.4, Height: 1.6, Step: 1.0625, StepHoney: 0.5625,
		SideFactor: 0.5, BackFactor: 0.25, AirShare: 0.1, Gravity: 0.08, DragUp: 0.98,
		WaterDrag: 0.8, WaterGravity: 0.02,
		YawShare: 0.7, YawLeast: 0.18, YawSpan: 45,
		JumpTicks: 10, JumpLate: 0.8, JumpDelay: 10, JumpFull: 90, JumpBase: 0.4, JumpGain: 0.4, JumpHoney: 0.6, ForwardKick: 0.4,
		SeatAlone: geom.Vec{Y: seatY, Z: seatZ}, Seats: [2]geom.Vec{{Y: seatY, Z: seatZ}}, SeatCount: 1,
		Movement: movement, JumpStrength: jump, UnderwaterMax: 0.02, LavaMax: 0.02,
		Limits: VehicleLimits{Across: 0.45, PerSpeed: 2.3, Up: 0.1, PerJump: 1, Down: 4},
	}
}

func skeletonHorseKind() VehicleKind {
	k := horseKind(1.1, -0.2, 0.2, 0.7)
	k.UnderwaterMax = 0.08
	return k
}

func boatKind() VehicleKind {
	return VehicleKind{
		Boat: true, Offset: 0.375, YawOffset: 90, Width: 1.4, Height: 0.455,
		Gravity: 0.04, DragUp: 0.98, WaterDrag: 0.9,
		PaddleForce: 0.01375, PaddleTorque: 3, PaddleTurn: 10, PaddleStrength: 3, PaddleDrop: 0.1,
		PaddleFade: 0.05, PaddleLeast: 2.5, PaddleLet: 0.5, PaddleStop: 0.01, PaddleBack: -0.15,
		SlowTurn: 1.6, SlowTurnSpeed2: 0.01, StrokeTicks: 9, SubmergedTicks: 24, NoBlockSlip: 0.9,
		DepthShare: 0.9, DepthLeast: 0.1, Buoyancy: 0.15, RiseKeep: 0.7, RiseGain: 0.05,
		Current: 0.014, BubbleRise: 0.06, BubbleRiseMax: 0.7, BubbleSink: 0.03, BubbleSinkMax: 0.3,
		SeatAlone: geom.Vec{Y: -0.2}, Seats: [2]geom.Vec{{X: 0.2, Y: -0.2}, {X: -0.6, Y: -0.2}}, SeatCount: 2,
		Limits: VehicleLimits{Across: 0.45, AcrossIce: 4, Up: 0.8, Down: 4},
	}
}
