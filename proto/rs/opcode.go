package rs

// Opcodes of the client packets that have a struct here. The families OPPLAYER, OPNPC, OPLOC and IF_BUTTON have one
// opcode per option, out of order: see the arrays below. Table lists all packets.
const (
	ClientChatSetMode         Opcode = 23
	ClientClientCheat         Opcode = 70
	ClientCloseModal          Opcode = 56
	ClientDetectModified      Opcode = 71
	ClientEventAppletFocus    Opcode = 93
	ClientEventCameraPosition Opcode = 5
	ClientEventKeyboard       Opcode = 68
	ClientEventMouseClick     Opcode = 84
	ClientFaceSquare          Opcode = 63
	ClientMapBuildComplete    Opcode = 33
	ClientMessagePublic       Opcode = 36
	ClientMoveGameClick       Opcode = 12
	ClientMoveMinimapClick    Opcode = 83
	ClientNoTimeout           Opcode = 16
	ClientOpNPCT              Opcode = 65
	ClientOpPlayerT           Opcode = 40
	ClientPingStatistics      Opcode = 85
	ClientResumePauseButton   Opcode = 54
	ClientSendPingReply       Opcode = 6
	ClientTransmitVarVerifyID Opcode = 15
	ClientWindowStatus        Opcode = 87
)

// Opcodes of packet families, by option from 1. Source: docs/wire/rs.md, client opcodes.
var (
	opPlayerOpcodes = [...]Opcode{14, 53, 77, 46, 50, 82, 49, 62, 43, 19}
	opNPCOpcodes    = [...]Opcode{9, 66, 31, 67, 28, 92}
	opLocOpcodes    = [...]Opcode{11, 2, 76, 0, 69, 47}
	ifButtonOpcodes = [...]Opcode{61, 64, 4, 52, 81, 91, 18, 10, 20, 25}
)

// Opcodes of the server packets that have a struct here, and of the two info packets.
const (
	ServerCamReset                  Opcode = 10
	ServerEffectSpecific            Opcode = 108
	ServerIfCloseSub                Opcode = 73
	ServerIfOpenSub                 Opcode = 5
	ServerIfOpenTop                 Opcode = 67
	ServerIfSetEvents               Opcode = 3
	ServerIfSetText                 Opcode = 33
	ServerLogout                    Opcode = 59
	ServerLogoutFull                Opcode = 51
	ServerLogoutTransfer            Opcode = 94
	ServerMapAnim                   Opcode = 41
	ServerMapProjAnim               Opcode = 62
	ServerMessageGame               Opcode = 102
	ServerMessagePublic             Opcode = 91
	ServerMinimapToggle             Opcode = 68
	ServerNPCInfo                   Opcode = 6
	ServerPlayerInfo                Opcode = 69
	ServerRebuildNormal             Opcode = 43
	ServerRebuildRegion             Opcode = 128
	ServerReduceAttackPriority      Opcode = 124
	ServerResetAnims                Opcode = 27
	ServerResetClientVarcache       Opcode = 86
	ServerSendPing                  Opcode = 19
	ServerSetMapFlag                Opcode = 55
	ServerSetMoveAction             Opcode = 89
	ServerSetPlayerOp               Opcode = 1
	ServerShowFaceHere              Opcode = 49
	ServerTickEnd                   Opcode = 25
	ServerUpdateRunEnergy           Opcode = 13
	ServerUpdateRunWeight           Opcode = 103
	ServerUpdateStat                Opcode = 93
	ServerUpdateZonePartialEnclosed Opcode = 87
	ServerUpdateZonePartialFollows  Opcode = 46
	ServerVarbitLarge               Opcode = 84
	ServerVarbitSmall               Opcode = 14
	ServerVarpLarge                 Opcode = 39
	ServerVarpSmall                 Opcode = 101
)
