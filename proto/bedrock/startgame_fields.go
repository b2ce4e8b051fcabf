package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// appendBools appends one byte per bool.
func appendBools(b []byte, list ...bool) []byte {
	for _, v := range list {
		b = wire.Bool(b, v)
	}
	return b
}

// readPlayer reads the fields of StartGame from Unique to Generator.
func (p *StartGame) readPlayer(r *wire.Reader) {
	p.Unique = r.VarI64()
	p.Runtime = r.VarU64()
	p.PlayerMode = GameMode(r.VarI32())
	p.Position = readVec3(r)
	p.Rotation = readVec2(r)
	p.Seed = r.U64()
	p.BiomeType = r.I16()
	p.BiomeName = r.VarStr()
	p.Dimension = r.VarI32()
	p.Generator = r.VarI32()
}

func (p *StartGame) appendPlayer(b []byte) []byte {
	b = wire.VarU64(wire.VarI64(b, p.Unique), p.Runtime)
	b = appendVec3(wire.VarI32(b, int32(p.PlayerMode)), p.Position)
	b = wire.U64(appendVec2(b, p.Rotation), p.Seed)
	b = wire.VarStr(wire.I16(b, p.BiomeType), p.BiomeName)
	return wire.VarI32(wire.VarI32(b, p.Dimension), p.Generator)
}

// readWorld reads the fields of StartGame from WorldMode to ChunkTickRange.
func (p *StartGame) readWorld(r *wire.Reader) {
	p.WorldMode = GameMode(r.VarI32())
	p.Hardcore = r.Bool()
	p.Difficulty = r.VarI32()
	p.Spawn = readBlockPos(r)
	p.AchievementsDisabled = r.Bool()
	p.EditorWorld = r.VarI32()
	p.CreatedInEditor, p.ExportedFromEditor = r.Bool(), r.Bool()
	p.DayCycleStop = r.VarI32()
	p.EduOffer = r.VarU32()
	p.EduFeatures = r.Bool()
	p.EduProduct = r.VarStr()
	p.Rain, p.Lightning = r.F32(), r.F32()
	p.PlatformLockedContent, p.Multiplayer, p.BroadcastToLAN = r.Bool(), r.Bool(), r.Bool()
	p.XboxBroadcast, p.PlatformBroadcast = r.VarU32(), r.VarU32()
	p.Commands, p.PacksRequired = r.Bool(), r.Bool()
	p.Rules = readList(r, 4, maxList, readGameRule)
	p.Experiments = readExperiments(r)
	p.ExperimentsUsed, p.BonusChest, p.StartWithMap = r.Bool(), r.Bool(), r.Bool()
	p.Permission = r.U8()
	p.ChunkTickRange = r.I32()
}

func (p *StartGame) appendWorld(b []byte) []byte {
	b = wire.Bool(wire.VarI32(b, int32(p.WorldMode)), p.Hardcore)
	b = appendBlockPos(wire.VarI32(b, p.Difficulty), p.Spawn)
	b = wire.VarI32(wire.Bool(b, p.AchievementsDisabled), p.EditorWorld)
	b = appendBools(b, p.CreatedInEditor, p.ExportedFromEditor)
	b = wire.VarU32(wire.VarI32(b, p.DayCycleStop), p.EduOffer)
	b = wire.VarStr(wire.Bool(b, p.EduFeatures), p.EduProduct)
	b = wire.F32(wire.F32(b, p.Rain), p.Lightning)
	b = appendBools(b, p.PlatformLockedContent, p.Multiplayer, p.BroadcastToLAN)
	b = wire.VarU32(wire.VarU32(b, p.XboxBroadcast), p.PlatformBroadcast)
	b = appendBools(b, p.Commands, p.PacksRequired)
	b = appendExperiments(appendList(b, p.Rules, appendGameRule), p.Experiments)
	b = appendBools(b, p.ExperimentsUsed, p.BonusChest, p.StartWithMap)
	return wire.I32(append(b, p.Permission), p.ChunkTickRange)
}

// readSwitches reads the fields of StartGame from LockedBehavior to EditorBlockDrops.
func (p *StartGame) readSwitches(r *wire.Reader) {
	p.LockedBehavior, p.LockedResources, p.LockedTemplate = r.Bool(), r.Bool(), r.Bool()
	p.GamertagsOnly, p.FromTemplate, p.TemplateOptionLocked = r.Bool(), r.Bool(), r.Bool()
	p.OnlyOldVillagers, p.PersonaDisabled = r.Bool(), r.Bool()
	p.CustomSkinsDisabled, p.EmoteChatMuted = r.Bool(), r.Bool()
	p.GameVersion = r.VarStr()
	p.WorldWidth, p.WorldLength = r.I32(), r.I32()
	p.NewNether = r.Bool()
	p.EduButton, p.EduLink = r.VarStr(), r.VarStr()
	p.ExperimentalOverride = r.Bool()
	p.ChatRestriction = r.U8()
	p.NoPlayerInteractions = r.Bool()
	p.EditorConnectionPolicy = r.VarI32()
	p.EditorBlockDrops = r.Bool()
}

func (p *StartGame) appendSwitches(b []byte) []byte {
	b = appendBools(b, p.LockedBehavior, p.LockedResources, p.LockedTemplate, p.GamertagsOnly, p.FromTemplate,
		p.TemplateOptionLocked, p.OnlyOldVillagers, p.PersonaDisabled, p.CustomSkinsDisabled, p.EmoteChatMuted)
	b = wire.I32(wire.I32(wire.VarStr(b, p.GameVersion), p.WorldWidth), p.WorldLength)
	b = wire.VarStr(wire.VarStr(wire.Bool(b, p.NewNether), p.EduButton), p.EduLink)
	b = append(wire.Bool(b, p.ExperimentalOverride), p.ChatRestriction)
	b = wire.VarI32(wire.Bool(b, p.NoPlayerInteractions), p.EditorConnectionPolicy)
	return wire.Bool(b, p.EditorBlockDrops)
}

// readLevel reads the fields of StartGame from LevelID to the end. NBT tags share the memory of the input.
func (p *StartGame) readLevel(r *wire.Reader, input []byte) {
	p.LevelID, p.WorldName, p.PremiumTemplate = r.VarStr(), r.VarStr(), r.VarStr()
	p.Trial = r.Bool()
	p.RewindHistory = r.VarI32()
	p.ServerBlockBreaking = r.Bool()
	p.Tick = r.I64()
	p.EnchantmentSeed = r.VarI32()
	p.BlockProperties = readList(r, 4, maxList, func(r *wire.Reader) BlockProperty {
		return BlockProperty{Name: r.VarStr(), State: readNBT(r, input)}
	})
	p.CorrelationID = r.VarStr()
	p.ServerInventory = r.Bool()
	p.Engine = r.VarStr()
	p.PropertyData = readNBT(r, input)
	p.BlockChecksum = r.U64()
	p.WorldTemplate = readUUID(r)
	p.ClientGeneration, p.BlockNetworkIDsAreHashes, p.ServerSounds = r.Bool(), r.Bool(), r.Bool()
	r.CheckRange(!r.Bool(), "presence of join information, which is not supported")
	p.ServerID, p.ScenarioID, p.WorldID, p.OwnerID = r.VarStr(), r.VarStr(), r.VarStr(), r.VarStr()
}

func (p *StartGame) appendLevel(b []byte) []byte {
	b = wire.VarStr(wire.VarStr(wire.VarStr(b, p.LevelID), p.WorldName), p.PremiumTemplate)
	b = wire.VarI32(wire.Bool(b, p.Trial), p.RewindHistory)
	b = wire.I64(wire.Bool(b, p.ServerBlockBreaking), p.Tick)
	b = wire.VarU32(wire.VarI32(b, p.EnchantmentSeed), uint32(len(p.BlockProperties)))
	for _, block := range p.BlockProperties {
		b = appendNBT(wire.VarStr(b, block.Name), block.State)
	}
	b = wire.Bool(wire.VarStr(b, p.CorrelationID), p.ServerInventory)
	b = appendNBT(wire.VarStr(b, p.Engine), p.PropertyData)
	b = appendUUID(wire.U64(b, p.BlockChecksum), p.WorldTemplate)
	b = appendBools(b, p.ClientGeneration, p.BlockNetworkIDsAreHashes, p.ServerSounds)
	b = wire.Bool(b, false) // join information is absent
	return wire.VarStr(wire.VarStr(wire.VarStr(wire.VarStr(b, p.ServerID), p.ScenarioID), p.WorldID), p.OwnerID)
}
