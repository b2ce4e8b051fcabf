package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// GameMode is the game mode of a player or world. A var32 on the wire.
type GameMode int32

// Values of GameMode: the rules under which a player plays.
const (
	Survival  GameMode = 0 // the player has health and hunger, and takes damage
	Creative  GameMode = 1 // the player has unlimited items, can fly, and takes no damage
	Adventure GameMode = 2 // as Survival, but the player cannot break blocks by hand
	Spectator GameMode = 6 // the player flies through blocks and is invisible to other players
)

// Values of the field Dimension of StartGame, LevelChunk and ChangeDimension.
const (
	DimensionOverworld = 0 // the ordinary world
	DimensionNether    = 1 // the Nether
	DimensionEnd       = 2 // the End
)

// Values of StartGame.Generator: the kind of terrain of the world.
const (
	GeneratorInfinite = 1 // ordinary terrain without bounds
	GeneratorFlat     = 2 // flat terrain
	GeneratorVoid     = 5 // no terrain
)

// Values of the field Permission of StartGame and PlayerAbilities: what a player may do.
const (
	PermissionVisitor  = 0 // may only look around
	PermissionMember   = 1 // may build and fight
	PermissionOperator = 2 // may also use commands
	PermissionCustom   = 3 // has abilities that are set individually
)

// BlockProperty is the definition of a custom block.
type BlockProperty struct {
	Name  string // name of the block type
	State NBT    // NBT tag with the definition
}

// StartGame puts the client into the world. Packet 11, server to client, once. PlainStartGame fills in defaults.
//
//	size  field                          encoding             range
//	      Unique                         var64                id of the player's own actor
//	      Runtime                        varu64               id of the player's own actor; not 0
//	      PlayerMode                     var32                GameMode
//	12    Position                       vec3                 the eyes: feet + 1.62
//	8     Rotation                       vec2                 degrees, pitch and yaw
//	8     Seed                           u64
//	2     BiomeType                      i16                  0 default, 1 user-defined
//	      BiomeName                      str
//	      Dimension                      var32                0..2
//	      Generator                      var32
//	      WorldMode                      var32                GameMode
//	1     Hardcore                       bool
//	      Difficulty                     var32                0 peaceful .. 3 hard
//	      Spawn                          blockpos
//	1     AchievementsDisabled           bool                 must be false in creative mode
//	      EditorWorld                    var32                0 no editor
//	2     CreatedInEditor, ExportedFromEditor  bool x 2
//	      DayCycleStop                   var32                ticks
//	      EduOffer                       varu32
//	1     EduFeatures                    bool
//	      EduProduct                     str
//	8     Rain, Lightning                f32 x 2              0..1
//	3     PlatformLockedContent, Multiplayer, BroadcastToLAN  bool x 3
//	      XboxBroadcast, PlatformBroadcast  varu32 x 2        other servers write them zigzag; 0 is the same in both
//	2     Commands, PacksRequired        bool x 2
//	      Rules                          list GameRule        at most 4096
//	      Experiments                    i32 count, (str, bool)...
//	3     ExperimentsUsed, BonusChest, StartWithMap  bool x 3
//	1     Permission                     u8                   PermissionVisitor..PermissionCustom
//	4     ChunkTickRange                 i32                  chunks
//	10    LockedBehavior .. EmoteChatMuted  bool x 10         in the order of the struct
//	      GameVersion                    str                  "*", or the game version
//	8     WorldWidth, WorldLength        i32 x 2              0 no bounds
//	1     NewNether                      bool
//	      EduButton, EduLink             str x 2
//	1     ExperimentalOverride           bool                 only false is supported: a value may follow true
//	1     ChatRestriction                u8                   0 none, 1 dropped, 2 disabled
//	1     NoPlayerInteractions           bool
//	      EditorConnectionPolicy         var32
//	1     EditorBlockDrops               bool
//	      LevelID, WorldName, PremiumTemplate  str x 3
//	1     Trial                          bool
//	      RewindHistory                  var32                ticks of the client's rewind history; rule SG-1
//	1     ServerBlockBreaking            bool
//	8     Tick                           i64                  game time of the server, ticks
//	      EnchantmentSeed                var32
//	      BlockProperties                list (str, nbt)      at most 4096
//	      CorrelationID                  str
//	1     ServerInventory                bool
//	      Engine                         str                  game version of the server
//	      PropertyData                   nbt
//	8     BlockChecksum                  u64                  0 disables the check
//	16    WorldTemplate                  uuid
//	1     ClientGeneration               bool
//	1     BlockNetworkIDsAreHashes       bool                 rule SG-4; see BlockHash
//	1     ServerSounds                   bool
//	1     join information               bool                 1 is refused: not supported
//	      ServerID, ScenarioID, WorldID, OwnerID  str x 4
//
// Source: docs/wire/bedrock.md, StartGame.
type StartGame struct {
	Unique                                             ActorUniqueID   // permanent id of the player's own actor
	Runtime                                            ActorRuntimeID  // id of the player's own actor within the session; not 0
	PlayerMode                                         GameMode        // game mode of the player
	Position                                           Vec3            // position of the eyes (feet + 1.62), blocks
	Rotation                                           Vec2            // pitch and yaw in degrees
	Seed                                               uint64          // seed of the world
	BiomeType                                          int16           // kind of biome: 0 default, 1 user-defined
	BiomeName                                          string          // name of the biome, for example "plains"
	Dimension                                          int32           // DimensionOverworld..DimensionEnd
	Generator                                          int32           // Generator constants: infinite, flat or void
	WorldMode                                          GameMode        // game mode of the world
	Hardcore                                           bool            // a dead player does not respawn
	Difficulty                                         int32           // difficulty: 0 peaceful .. 3 hard
	Spawn                                              BlockPos        // spawn position of the world
	AchievementsDisabled                               bool            // must be false in creative mode
	EditorWorld                                        int32           // 0 if the world is not an editor world
	CreatedInEditor, ExportedFromEditor                bool            // the world comes from the world editor
	DayCycleStop                                       int32           // time of day in ticks at which the day cycle stops
	EduOffer                                           uint32          // offer of the education edition; 0 if there is none
	EduFeatures                                        bool            // features of the education edition are on
	EduProduct                                         string          // product id of the education edition; usually ""
	Rain, Lightning                                    float32         // intensity 0..1
	PlatformLockedContent, Multiplayer, BroadcastToLAN bool            // content is limited to one platform; multiplayer is on; the world is visible in the LAN
	XboxBroadcast, PlatformBroadcast                   uint32          // which players may see the world on Xbox Live, and on the platform
	Commands, PacksRequired                            bool            // cheats are on; resource packs are required
	Rules                                              []GameRule      // game rules that differ from the default
	Experiments                                        []Experiment    // experimental features of the world
	ExperimentsUsed, BonusChest, StartWithMap          bool            // experiments were used before; new players get a chest; and a map
	Permission                                         uint8           // PermissionVisitor..PermissionCustom
	ChunkTickRange                                     int32           // simulated distance around a player, chunks
	LockedBehavior, LockedResources, LockedTemplate    bool            // whether behaviour packs, resource packs and the template are locked
	GamertagsOnly, FromTemplate, TemplateOptionLocked  bool            // names are gamertags; made from a template; with locked options
	OnlyOldVillagers, PersonaDisabled                  bool            // villagers of the first kind only; no persona skins
	CustomSkinsDisabled, EmoteChatMuted                bool            // no custom skins; emotes cause no chat line
	GameVersion                                        string          // game version; "*" means any
	WorldWidth, WorldLength                            int32           // size of the world in blocks; 0 means no bounds
	NewNether                                          bool            // the Nether has its biomes of version 1.16
	EduButton, EduLink                                 string          // button of the education edition with a link; usually ""
	ExperimentalOverride                               bool            // only false is supported
	ChatRestriction                                    uint8           // limit of the chat: 0 none, 1 messages are dropped, 2 chat is disabled
	NoPlayerInteractions                               bool            // players cannot interact with each other
	EditorConnectionPolicy                             int32           // which players may connect to a world in the editor; else 0
	EditorBlockDrops                                   bool            // blocks of a world in the editor drop items
	LevelID, WorldName, PremiumTemplate                string          // id and name of the world; marketplace template
	Trial                                              bool            // the client runs a trial version of the game
	RewindHistory                                      int32           // length of the client's rewind history, ticks
	ServerBlockBreaking                                bool            // the server decides when a block breaks
	Tick                                               int64           // game time of the server, ticks
	EnchantmentSeed                                    int32           // seed of the enchantments that an enchanting table offers
	BlockProperties                                    []BlockProperty // custom blocks
	CorrelationID                                      string          // UUID of the session, for the logs of client and server
	ServerInventory                                    bool            // inventories change only by ItemStackRequest
	Engine                                             string          // game version of the server
	PropertyData                                       NBT             // player properties that behaviour packs define
	BlockChecksum                                      uint64          // checksum of all block types; 0 disables the check
	WorldTemplate                                      UUID            // UUID of the template of the world; zero if there is none
	ClientGeneration                                   bool            // the client generates parts of the world itself
	BlockNetworkIDsAreHashes                           bool            // the network id of a block is its BlockHash
	ServerSounds                                       bool            // the server plays the sounds of actions
	ServerID, ScenarioID, WorldID, OwnerID             string          // ids for telemetry of the client; may be ""
}

// RewindHistory is the length of the rewind history that Mojang's own server sets (rule SG-1 of
// docs/wire/bedrock.md).
const RewindHistory = 40 // in ticks

// PlainStartGame returns a flat survival world without packs, rules or experiments, for protocol version v, with blocks
// identified by hash. The caller sets the player, the position and the names of the world.
func PlainStartGame(v Version) StartGame {
	return StartGame{
		Unique:                   1,
		Runtime:                  1,
		BiomeName:                "plains",
		Generator:                GeneratorFlat,
		Difficulty:               1,
		Multiplayer:              true,
		BroadcastToLAN:           true,
		Commands:                 true,
		Permission:               PermissionMember,
		ChunkTickRange:           4,
		GameVersion:              "*",
		NewNether:                true,
		RewindHistory:            RewindHistory,
		ServerBlockBreaking:      true,
		CorrelationID:            "00000000-0000-0000-0000-000000000001",
		ServerInventory:          true,
		Engine:                   v.GameVersion(),
		BlockNetworkIDsAreHashes: true,
	}
}

// ID returns IDStartGame.
func (StartGame) ID() ID { return IDStartGame }

// ParseStartGame decodes the body of packet 11. Tags share the memory of b. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing. wire.ErrRange also reports join information, which this package does not support.
func ParseStartGame(b []byte, _ Version) (StartGame, error) {
	r := wire.NewReader(b)
	var p StartGame
	p.readPlayer(&r)
	p.readWorld(&r)
	p.readSwitches(&r)
	p.readLevel(&r, b)
	return p, r.Done("StartGame")
}

// Append appends the body of packet 11 to b and returns the extended slice.
func (p StartGame) Append(b []byte, _ Version) []byte {
	b = p.appendPlayer(b)
	b = p.appendWorld(b)
	b = p.appendSwitches(b)
	return p.appendLevel(b)
}
