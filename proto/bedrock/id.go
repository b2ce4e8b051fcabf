package bedrock

import "strconv"

// ID is the number of a packet type, 0..1023.
type ID uint16

// Values of ID: the packet types that this package supports. The names are Mojang's.
const (
	IDLogin                        ID = 1
	IDPlayStatus                   ID = 2
	IDServerToClientHandshake      ID = 3
	IDClientToServerHandshake      ID = 4
	IDDisconnect                   ID = 5
	IDResourcePacksInfo            ID = 6
	IDResourcePackStack            ID = 7
	IDResourcePackClientResponse   ID = 8
	IDText                         ID = 9
	IDSetTime                      ID = 10
	IDStartGame                    ID = 11
	IDAddPlayer                    ID = 12
	IDAddActor                     ID = 13
	IDRemoveActor                  ID = 14
	IDMoveActorAbsolute            ID = 18
	IDMovePlayer                   ID = 19
	IDPassengerJump                ID = 20
	IDTickSync                     ID = 23
	IDActorEvent                   ID = 27
	IDMobEffect                    ID = 28
	IDUpdateAttributes             ID = 29
	IDInventoryTransaction         ID = 30
	IDMobEquipment                 ID = 31
	IDMobArmorEquipment            ID = 32
	IDInteract                     ID = 33
	IDPlayerAction                 ID = 36
	IDSetActorData                 ID = 39
	IDSetActorMotion               ID = 40
	IDSetActorLink                 ID = 41
	IDSetHealth                    ID = 42
	IDAnimate                      ID = 44
	IDRespawn                      ID = 45
	IDContainerOpen                ID = 46
	IDContainerClose               ID = 47
	IDInventoryContent             ID = 49
	IDInventorySlot                ID = 50
	IDPlayerInput                  ID = 57
	IDLevelChunk                   ID = 58
	IDChangeDimension              ID = 61
	IDPlayerList                   ID = 63
	IDRequestChunkRadius           ID = 69
	IDChunkRadiusUpdated           ID = 70
	IDCommandRequest               ID = 77
	IDMoveActorDelta               ID = 111
	IDSetLocalPlayerAsInitialized  ID = 113
	IDNetworkStackLatency          ID = 115
	IDAvailableActorIdentifiers    ID = 119
	IDNetworkChunkPublisherUpdate  ID = 121
	IDBiomeDefinitionList          ID = 122
	IDClientCacheStatus            ID = 129
	IDNetworkSettings              ID = 143
	IDPlayerAuthInput              ID = 144
	IDCreativeContent              ID = 145
	IDPacketViolationWarning       ID = 156
	IDCorrectPlayerMovePrediction  ID = 161
	IDItemRegistry                 ID = 162
	IDUpdateAbilities              ID = 187
	IDDeathInfo                    ID = 189
	IDRequestNetworkSettings       ID = 193
	IDMovementEffect               ID = 318
	IDClientMovementPredictionSync ID = 322
)

// String returns the name of the packet type, or its number if this package does not support it.
func (id ID) String() string {
	if row, ok := Lookup(id); ok {
		return row.Name
	}
	return "packet " + strconv.Itoa(int(id))
}
