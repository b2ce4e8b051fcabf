package bedrock

import (
	"encoding/hex"
	"errors"
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// vectorStartGame returns the StartGame of the vector in the wire document.
func vectorStartGame() StartGame {
	p := PlainStartGame(V2169)
	p.Position = Vec3{0.5, 65.62001, 0.5}
	p.Spawn = BlockPos{0, 64, 0}
	p.LevelID, p.WorldName = "lvl", "probe"
	return p
}

// The parsed vectors have the expected field values; TestPacketVectorsRoundTrip tests only that they round-trip.
func TestPacketVectorsParseToExpectedFieldValues(t *testing.T) {
	wide := UUID{0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00, 0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99, 0x88}
	want := map[string]Packet{
		"request_network_settings":        RequestNetworkSettings{Protocol: V2169},
		"network_settings_throttle_2169":  NetworkSettings{Threshold: 1, Algorithm: AlgorithmSnappy, Throttle: true, ThrottleThreshold: 7, ThrottleScalar: 0.5},
		"play_status_player_spawn":        PlayStatus{StatusSpawn},
		"play_status_server_full_2169":    PlayStatus{StatusServerFull},
		"disconnect":                      Disconnect{Reason: DisconnectKicked, Message: "bye"},
		"disconnect_hidden_2193":          Disconnect{Reason: DisconnectServerShutdown, Hide: true},
		"start_game_minimal":              vectorStartGame(),
		"request_chunk_radius":            RequestChunkRadius{Radius: 10, Max: 10},
		"network_chunk_publisher_update":  NetworkChunkPublisherUpdate{Center: BlockPos{0, 64, 0}, Radius: 64},
		"set_time_2169":                   SetTime{6000},
		"set_local_player_as_initialized": SetLocalPlayerAsInitialized{1},
		"tick_sync_2169":                  TickSync{77, -1},
		"respawn_client_ready_2169":       Respawn{Vec3{1.5, 65.62, 2.5}, RespawnClientReady, 300},
		"player_action_start_break_2193":  PlayerAction{1, ActionStartBreak, BlockPos{3, 64, -2}, BlockPos{-3000, -64, 2}, 1},
		"actor_event_hurt_2169":           ActorEvent{Runtime: 2, Event: EventHurt},
		"actor_event_eating_fire_2169":    ActorEvent{300, EventEating, -70000, Some(Vec3{1, 2, 3})},
		"animate_swing_2169":              Animate{Action: AnimateSwing, Runtime: 2, Source: Some("attack")},
		"animate_critical_2169":           Animate{Action: AnimateCritical, Runtime: 2, Data: 55},
		"container_open_inventory_2169":   ContainerOpen{0, ContainerInventory, BlockPos{1, 64, -1}, -1},
		"container_close_none_2169":       ContainerClose{WindowNone, ContainerNone, true},
		"death_info_2169":                 DeathInfo{"death.attack.player", []string{"Alex", "Steve"}},
		"change_dimension_2169":           ChangeDimension{DimensionNether, Vec3{1.5, 65.62, 2.5}, true, Some(uint32(7))},
		"text_chat_2169":                  Text{Type: TextChat, Author: "Alex", Message: "hello", XUID: "123", PlatformChatID: "p", Filtered: Some("h****")},
		"text_popup_2193":                 Text{Translate: true, Type: TextPopup, Message: "death.attack.player", Parameters: []string{"Alex", "Steve"}},
		"text_json_2169":                  Text{Type: TextObject, Message: "wel come é"},
		"command_request_2169":            CommandRequest{"/spawn", CommandOrigin{"player", wide, "r", -2}, false, "latest"},
		"resource_pack_client_response_send_2169": ResourcePackClientResponse{PacksRequested, "downloading",
			[]string{"00112233-4455-6677-8899-aabbccddeeff_1.2.3", "b"}},
		"resource_packs_info_one_2169": ResourcePacksInfo{true, true, false, true, wide, "1.0",
			[]ResourcePack{{wide, "1.2.3", 1234567, "k", "s", "i", true, false, true, "http://x"}}},
		"resource_pack_stack_one_2169": ResourcePackStack{true, []StackedPack{{"00112233-4455-6677-8899-aabbccddeeff", "1.2.3", "s"}},
			"1.26.45", []Experiment{{"gametest", true}}, true, false},
	}
	for _, v := range loadPacketVectors(t) {
		p, ok := want[v.ID]
		if !ok {
			continue
		}
		delete(want, v.ID)
		if got, err := Parse(v.whole, v.Protocol); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s: %v\n%+v, want\n%+v", v.ID, err, got, p)
		}
	}
	for id := range want {
		t.Errorf("no vector %s", id)
	}
}

// The StartGame that the bedrock-protocol npm client wrote has a different value in each field, so that swapped fields
// are detected.
func TestFieldsOfStartGamePacketAreInWireOrder(t *testing.T) {
	for _, v := range loadPacketVectors(t) {
		if v.ID != "start_game_full_2169" {
			continue
		}
		p, err := ParseStartGame(v.body, v.Protocol)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name      string
			got, want any
		}{
			{"unique", p.Unique, int64(-5)},
			{"runtime", p.Runtime, uint64(300)},
			{"mode", p.PlayerMode, Creative},
			{"world mode", p.WorldMode, Adventure},
			{"rotation", p.Rotation, Vec2{10, -90}},
			{"spawn", p.Spawn, BlockPos{-100, -64, 100000}},
			{"day cycle", p.DayCycleStop, int32(-1)},
			{"rules", p.Rules, []GameRule{{Name: "pvp", Editable: true, Kind: RuleBool, Bool: true},
				{Name: "spawnradius", Kind: RuleInt, Int: -5}, {Name: "f", Kind: RuleFloat, Float: 0.25}}},
			{"experiments", p.Experiments, []Experiment{{"x", true}}},
			{"permission", p.Permission, uint8(PermissionOperator)},
			{"locked resources", p.LockedResources, true},
			{"emotes", p.EmoteChatMuted, true},
			{"custom skins", p.CustomSkinsDisabled, false},
			{"width", p.WorldWidth, int32(16)},
			{"chat", p.ChatRestriction, uint8(2)},
			{"editors", p.EditorConnectionPolicy, int32(2)},
			{"rewind", p.RewindHistory, int32(100)},
			{"tick", p.Tick, int64(-7)},
			{"blocks", len(p.BlockProperties), 2},
			{"checksum", p.BlockChecksum, uint64(42)},
			{"generation", p.ClientGeneration, true},
			{"sounds", p.ServerSounds, true},
			{"owner", p.OwnerID, "o"},
		} {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
			}
		}
		return
	}
	t.Error("no vector")
}

func TestPacketsWithInvalidValuesAreRefused(t *testing.T) {
	list := func(id ID, n uint32, elements int) []byte {
		return append(wire.VarU32(AppendHeader(nil, id), n), make([]byte, elements)...)
	}
	hexed := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		name string
		b    []byte
		want error
	}{
		{"status 10", hexed("020000000a"), wire.ErrRange},
		{"status -1", hexed("02ffffffff"), wire.ErrRange},
		{"algorithm 2", hexed("8f0100010200000000000000"), wire.ErrRange},
		{"bool 2", hexed("810102"), wire.ErrRange},
		{"pack status 4", hexed("080400"), wire.ErrRange},
		{"chat with message-only category", hexed("0900000104416c65780568656c6c6f000000"), wire.ErrRange},
		{"text type 12", hexed("0900000c0161000000"), wire.ErrRange},
		{"five text parameters", hexed("09000202016105000000000000" + "00"), wire.ErrRange},
		{"item count 2^32-1", list(IDItemRegistry, 1<<32-1, 100), wire.ErrRange},
		{"item count beyond the end", list(IDItemRegistry, 8000, 100), wire.ErrShort},
		{"saved chunk count beyond the end", hexed("7900000040ff230000"), wire.ErrShort},
		{"login length beyond the end", hexed("0100000879ffffffff0f"), wire.ErrShort},
		{"chunk length beyond the end", hexed("3a0000000000000064"), wire.ErrShort},
	} {
		if p, err := Parse(c.b, V2169); p != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", c.name, p, err, c.want)
		}
	}
}

func TestAppendingChunkAndTimeAndChatPacketsDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 4096)
	chunk := LevelChunk{X: 3, Z: -4, SubChunks: 8, Payload: make([]byte, 100)}
	n := testing.AllocsPerRun(100, func() {
		b := AppendPacket(buf[:0], chunk, V2193)
		b = AppendPacket(b, SetTime{Time: 6000}, V2193)
		b = AppendPacket(b, NetworkChunkPublisherUpdate{Radius: 64}, V2169)
		b = AppendPacket(b, ActorEvent{Runtime: 2, Event: EventHurt}, V2169)
		buf = AppendPacket(b, Text{Type: TextSystem, Message: "hi"}, V2169)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
