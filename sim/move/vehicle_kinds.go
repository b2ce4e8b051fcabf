package move

import "github.com/truestep-io/truestep/sim/geom"

// VehicleType is a kind of predicted vehicle: an index in VehicleKinds.
type VehicleType uint8

// Values of VehicleType.
const (
	NoVehicle     VehicleType = iota // the player drives none
	Horse                            // a horse
	Donkey                           // moves like a horse
	Mule                             // moves like a horse
	SkeletonHorse                    // moves like a horse
	ZombieHorse                      // moves like a horse
	Boat                             // boat with two seats
	ChestBoat                        // boat with one seat and a chest
	vehicleTypes
)

// vehicleNames are the names of the types in world files, logs and the protocol's "minecraft:" namespace.
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

// VehicleTypeNamed returns the type with that name, or false if there is none.
func VehicleTypeNamed(name string) (VehicleType, bool) {
	for t := NoVehicle + 1; t < vehicleTypes; t++ {
		if vehicleNames[t] == name {
			return t, true
		}
	}
	return NoVehicle, false
}

// VehicleMode is how the authority treats a kind of vehicle.
type VehicleMode uint8

// Values of VehicleMode: who determines the movement of a ridden vehicle.
const (
	SimulateVehicle VehicleMode = iota // the server simulates it from the driver's inputs
	BoundVehicle                       // the driver's position is accepted within VehicleLimits
	RefuseVehicle                      // the vehicle cannot be mounted
)

// VehicleKind holds all constants of a kind of vehicle: server and clients read them here and nowhere else. Lengths are
// in blocks, speeds in blocks per tick of 50 ms, angles in degrees. Source: docs/wire/bedrock.md, vehicles, constants;
// the world file can change them in [rules.prediction.vehicles].
type VehicleKind struct {
	Mode VehicleMode
	Boat bool // the vehicle moves like a boat; otherwise like a horse

	Offset        float32 // height of the position in packets above the feet
	YawOffset     float32 // yaw in packets minus the yaw of the direction that it faces
	Width, Height float32
	Step          float32 // maximum height that the vehicle steps up, in blocks
	StepHoney     float32 // maximum height that the vehicle steps up from honey, in blocks

	SideFactor float32 // factor on the sideways part of the stick
	BackFactor float32 // factor on the forward part if it is not positive
	AirShare   float32 // share of the movement attribute that accelerates in the air
	Gravity    float32
	DragUp     float32 // factor on the vertical speed after gravity

	WaterDrag    float32 // factor on the speed in water
	WaterGravity float32 // gravity in water after WaterDrag

	YawShare, YawLeast, YawSpan float32 // how a horse turns toward the yaw of its driver: factor, minimum rate, and the angle in degrees below which the rate grows

	JumpTicks   int32   // ticks of the first part of a jump's charge, each worth 1 / JumpTicks
	JumpLate    float32 // charge that a jump approaches after JumpTicks; the charge is 1 at JumpTicks and then falls toward this value
	JumpDelay   int32   // ticks after a jump until the charge is forgotten
	JumpFull    int32   // charge in percent from which a jump has full strength
	JumpBase    float32 // share of the strength of a jump without charge
	JumpGain    float32 // share of the strength that the charge adds below JumpFull
	JumpHoney   float32 // factor on jumps from honey
	ForwardKick float32 // forward speed added to a jump while riding forward

	PaddleForce    float32 // acceleration by a paddle per unit of strength
	PaddleTorque   float32 // torque of a paddle per unit of force
	PaddleTurn     float32 // angular acceleration in degrees per tick per unit of torque
	PaddleStrength float32 // strength of a new stroke
	PaddleDrop     float32 // strength by which a stroke is weaker after its first tick, if the stick moves the paddle
	PaddleFade     float32 // strength that a paddle loses per tick after its stroke while it is held on a touch screen
	PaddleLeast    float32 // minimum strength of a paddle that is held on a touch screen
	PaddleLet      float32 // share of the strength that a paddle keeps per tick after it is let go on a touch screen
	PaddleStop     float32 // strength below which a paddle that was let go on a touch screen stops
	PaddleBack     float32 // factor on the strength of strokes backward
	SlowTurn       float32 // factor on the torque while nearly standing still
	SlowTurnSpeed2 float32 // squared speed below which SlowTurn applies
	StrokeTicks    int32   // ticks after its first for which a stroke lasts
	SubmergedTicks int32   // ticks under water after which paddles have no effect
	NoBlockSlip    float32 // slipperiness on ground without a block below the middle of the boat
	DepthShare     float32 // depth of a floating boat per block below the top of its water
	DepthLeast     float32 // depth of a boat at the top of its water, where it rests
	Buoyancy       float32 // vertical speed per unit of depth beyond DepthLeast
	RiseKeep       float32 // share of the vertical speed that is kept while it rises
	RiseGain       float32 // vertical speed gained per tick while the boat rises to the surface
	Current        float32 // speed gained per tick in flowing water
	BubbleRise     float32 // vertical speed gained per tick in a rising bubble column
	BubbleRiseMax  float32 // the highest vertical speed in it
	BubbleSink     float32 // vertical speed lost per tick in a bubble column that drags down
	BubbleSinkMax  float32 // the highest downward speed in it

	SeatAlone     geom.Vec    // seat of a driver without passengers, relative to the feet, turned with the yaw of the packets
	Seats         [2]geom.Vec // seats when all are taken; the driver sits on the first
	SeatCount     int32
	Movement      float32 // default of the movement attribute
	JumpStrength  float32 // default of the jump strength attribute; 0: it cannot jump
	UnderwaterMax float32 // default of the underwater movement attribute
	LavaMax       float32 // default of the lava movement attribute

	Limits VehicleLimits
}

// VehicleLimits are what is accepted of a driver's position in mode BoundVehicle, in blocks per tick (rule VH-11 of docs/wire/bedrock.md).
type VehicleLimits struct {
	Across    float32 // horizontally
	PerSpeed  float32 // added to Across per unit of the movement attribute
	AcrossIce float32 // maximum horizontal speed on ice
	Up        float32 // upward
	PerJump   float32 // added to Up per unit of the jump strength attribute
	Down      float32 // downward
}

// VehicleKinds are the constants of all kinds by type. The entry of NoVehicle is unused.
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

// horseKind returns the constants of a kind of horse, with the seat at height seatY and depth seatZ, in blocks.
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
