package rs

// Opcodes of the client packets for which this package has a struct. Table lists all packets. Packets with one opcode for each
// menu option (OPPLAYER, OPNPC, OPLOC and IF_BUTTON) are in the arrays below, because their opcodes are not in sequence.
const (
	ClientChatSetMode         Opcode = 23 // ChatSetMode: a channel of the chat box is chosen
	ClientClientCheat         Opcode = 70 // ClientCheat: a console command
	ClientCloseModal          Opcode = 56 // CloseModal: sub-interfaces are closed
	ClientDetectModified      Opcode = 71 // DetectModifiedClient: claim that the client is unmodified
	ClientEventAppletFocus    Opcode = 93 // EventAppletFocus: the window gains or loses the focus
	ClientEventCameraPosition Opcode = 5  // EventCameraPosition: camera angles
	ClientEventKeyboard       Opcode = 68 // EventKeyboard: pressed keys
	ClientEventMouseClick     Opcode = 84 // EventMouseClick: a click in the window
	ClientFaceSquare          Opcode = 63 // FaceSquare: request to turn towards a tile
	ClientMapBuildComplete    Opcode = 33 // MapBuildComplete: the map is built
	ClientMessagePublic       Opcode = 36 // MessagePublicRequest: a typed chat line
	ClientMoveGameClick       Opcode = 12 // MoveGameClick: request to walk to a tile of the scene
	ClientMoveMinimapClick    Opcode = 83 // MoveMinimapClick: request to walk to a tile of the minimap
	ClientNoTimeout           Opcode = 16 // NoTimeout: keep-alive
	ClientOpNPCT              Opcode = 65 // OpNPCT: a spell or object is used on an NPC
	ClientOpPlayerT           Opcode = 40 // OpPlayerT: a spell or object is used on a player
	ClientPingStatistics      Opcode = 85 // PingStatistics: measured latency
	ClientResumePauseButton   Opcode = 54 // ResumePauseButton: "click to continue" was clicked
	ClientSendPingReply       Opcode = 6  // SendPingReply: answer to SendPing
	ClientTransmitVarVerifyID Opcode = 15 // TransmitVarVerifyID: count of sent packets
	ClientWindowStatus        Opcode = 87 // WindowStatus: mode and size of the window
)

// Opcodes of the packets in a family, such as OPPLAYER1 to OPPLAYER10. Element n-1 is the opcode for option n. Source:
// docs/wire/rs.md, client opcodes.
var (
	opPlayerOpcodes = [...]Opcode{14, 53, 77, 46, 50, 82, 49, 62, 43, 19}
	opNPCOpcodes    = [...]Opcode{9, 66, 31, 67, 28, 92}
	opLocOpcodes    = [...]Opcode{11, 2, 76, 0, 69, 47}
	ifButtonOpcodes = [...]Opcode{61, 64, 4, 52, 81, 91, 18, 10, 20, 25}
)

// Opcodes of the server packets for which this package has a struct, and of PLAYER_INFO and NPC_INFO.
const (
	ServerCamReset                  Opcode = 10  // CamReset: the player controls the camera again
	ServerEffectSpecific            Opcode = 108 // EffectSpecific: spot animation at a player, an NPC or a tile
	ServerIfCloseSub                Opcode = 73  // IfCloseSub: closes a sub-interface
	ServerIfOpenSub                 Opcode = 5   // IfOpenSub: opens an interface inside another
	ServerIfOpenTop                 Opcode = 67  // IfOpenTop: opens the interface that fills the window
	ServerIfSetEvents               Opcode = 3   // IfSetEvents: selects the reported options of a component
	ServerIfSetText                 Opcode = 33  // IfSetText: changes the text of a component
	ServerLogout                    Opcode = 59  // Logout: returns the client to the lobby or the login screen
	ServerLogoutFull                Opcode = 51  // LogoutFull: returns the client to the login screen
	ServerLogoutTransfer            Opcode = 94  // LogoutTransfer: sends the client to another world
	ServerMapAnim                   Opcode = 41  // MapAnim: spot animation on a tile of the current zone
	ServerMapProjAnim               Opcode = 62  // MapProjAnim: projectile from a tile of the current zone
	ServerMessageGame               Opcode = 102 // MessageGame: line in the chat box
	ServerMessagePublic             Opcode = 91  // MessagePublic: chat line of a player
	ServerMinimapToggle             Opcode = 68  // MinimapToggle: displays or hides parts of the minimap
	ServerNPCInfo                   Opcode = 6   // NPC_INFO, which has no decoder
	ServerPlayerInfo                Opcode = 69  // PLAYER_INFO, see PlayerInfoEncoder
	ServerRebuildNormal             Opcode = 43  // RebuildNormal: builds the map around a zone
	ServerRebuildRegion             Opcode = 128 // RebuildRegion: builds a map from copies of zones
	ServerReduceAttackPriority      Opcode = 124 // ReduceAttackPriority: restricts "Attack" to the right-click menu
	ServerResetAnims                Opcode = 27  // ResetAnims: stops all animations of players and NPCs
	ServerResetClientVarcache       Opcode = 86  // ResetClientVarcache: resets all client variables
	ServerSendPing                  Opcode = 19  // SendPing: requests a SendPingReply
	ServerSetMapFlag                Opcode = 55  // SetMapFlag: sets or clears the destination on the minimap
	ServerSetMoveAction             Opcode = 89  // SetMoveAction: changes the menu entry "Walk here"
	ServerSetPlayerOp               Opcode = 1   // SetPlayerOp: sets a menu option of other players
	ServerShowFaceHere              Opcode = 49  // ShowFaceHere: adds or removes the menu entry for FaceSquare
	ServerTickEnd                   Opcode = 25  // TickEnd: the client draws a frame before it reads further packets
	ServerUpdateRunEnergy           Opcode = 13  // UpdateRunEnergy: run energy
	ServerUpdateRunWeight           Opcode = 103 // UpdateRunWeight: carried weight
	ServerUpdateStat                Opcode = 93  // UpdateStat: level and experience of a skill
	ServerUpdateZonePartialEnclosed Opcode = 87  // UpdateZonePartialEnclosed: several zone packets and the zone (8 x 8 tiles) to which they apply
	ServerUpdateZonePartialFollows  Opcode = 46  // UpdateZonePartialFollows: sets the current zone
	ServerVarbitLarge               Opcode = 84  // VarbitLarge: sets bits of a client variable
	ServerVarbitSmall               Opcode = 14  // VarbitSmall: sets bits of a client variable, value in 8 bits
	ServerVarpLarge                 Opcode = 39  // VarpLarge: sets a client variable
	ServerVarpSmall                 Opcode = 101 // VarpSmall: sets a client variable, value in 8 bits
)
