package truestep.peers.rsprot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import net.rsprot.compression.HuffmanCodec;
import net.rsprot.compression.provider.DefaultHuffmanCodecProvider;
import net.rsprot.protocol.common.client.OldSchoolClientType;
import net.rsprot.protocol.game.outgoing.codec.npcinfo.DesktopLowResolutionChangeEncoder;
import net.rsprot.protocol.game.outgoing.codec.npcinfo.extendedinfo.writer.NpcAvatarExtendedInfoDesktopWriter;
import net.rsprot.protocol.game.outgoing.codec.playerinfo.extendedinfo.writer.PlayerAvatarExtendedInfoDesktopWriter;
import net.rsprot.protocol.game.outgoing.codec.worldentity.extendedinfo.WorldEntityAvatarExtendedInfoDesktopWriter;
import net.rsprot.protocol.game.outgoing.info.InfoProtocols;
import net.rsprot.protocol.game.outgoing.info.Infos;
import net.rsprot.protocol.game.outgoing.info.filter.DefaultExtendedInfoFilter;
import net.rsprot.protocol.game.outgoing.info.npcinfo.DeferredNpcInfoProtocolSupplier;
import net.rsprot.protocol.game.outgoing.info.npcinfo.NpcAvatarFactory;
import net.rsprot.protocol.game.outgoing.info.npcinfo.NpcInfoProtocol;
import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerAvatarFactory;
import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerInfoPacket;
import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerInfoProtocol;
import net.rsprot.protocol.game.outgoing.info.worker.ProtocolWorker;
import net.rsprot.protocol.game.outgoing.info.worldentityinfo.WorldEntityAvatarFactory;
import net.rsprot.protocol.game.outgoing.info.worldentityinfo.WorldEntityProtocol;
import net.rsprot.protocol.internal.client.ClientTypeMap;
import net.rsprot.protocol.internal.game.outgoing.info.npcinfo.encoder.NpcResolutionChangeEncoder;
import net.rsprot.protocol.internal.game.outgoing.info.util.ZoneIndexStorage;

/**
 * The players of one world in revision 239. A player there always comes with NPC and world-entity views; they exist
 * and are moved along, as a server must, but only player info is updated and taken.
 */
final class Crowd {
	private final InfoProtocols protocols;
	private final Infos[] players;

	Crowd(int capacity, ByteBufAllocator allocator, ProtocolWorker worker, byte[] huffman) throws IOException {
		var chat = new DefaultHuffmanCodecProvider(HuffmanCodec.Companion.create(Unpooled.wrappedBuffer(huffman)));
		var avatars = new PlayerAvatarFactory(allocator, new DefaultExtendedInfoFilter(),
				List.of(new PlayerAvatarExtendedInfoDesktopWriter()), chat);
		var playerInfo = new PlayerInfoProtocol(allocator, worker, avatars);
		protocols = new InfoProtocols(playerInfo, npcs(allocator, worker, chat), worldEntities(allocator, worker, chat));
		players = new Infos[capacity + 1];
	}

	private static NpcInfoProtocol npcs(ByteBufAllocator allocator, ProtocolWorker worker, DefaultHuffmanCodecProvider chat) {
		var zones = new ZoneIndexStorage(ZoneIndexStorage.NPC_CAPACITY);
		var later = new DeferredNpcInfoProtocolSupplier();
		var avatars = new NpcAvatarFactory(allocator, new DefaultExtendedInfoFilter(),
				List.of(new NpcAvatarExtendedInfoDesktopWriter()), chat, zones, later);
		var encoders = new NpcResolutionChangeEncoder[OldSchoolClientType.COUNT];
		encoders[OldSchoolClientType.DESKTOP.getId()] = new DesktopLowResolutionChangeEncoder();
		var protocol = new NpcInfoProtocol(allocator, new ClientTypeMap<>(encoders), avatars, Crowd::fail, worker, zones, null);
		later.supply(protocol);
		return protocol;
	}

	private static WorldEntityProtocol worldEntities(ByteBufAllocator allocator, ProtocolWorker worker,
			DefaultHuffmanCodecProvider chat) {
		var zones = new ZoneIndexStorage(ZoneIndexStorage.WORLDENTITY_CAPACITY);
		var avatars = new WorldEntityAvatarFactory(allocator, zones,
				List.of(new WorldEntityAvatarExtendedInfoDesktopWriter()), chat);
		return new WorldEntityProtocol(allocator, Crowd::fail, avatars, worker, zones);
	}

	private static void fail(int index, Exception cause) {
		throw new IllegalStateException("avatar " + index, cause);
	}

	void join(int index, int x, int z) {
		Infos infos = protocols.alloc(index, OldSchoolClientType.DESKTOP);
		players[index] = infos;
		infos.updateRootCoord(0, x, z);
		infos.updateRootBuildAreaCenteredOnPlayer(x, z);
		Looks.dress(infos.getPlayerInfo().getAvatar().getExtendedInfo(), index);
	}

	void placement(int index, ByteBuf out) {
		players[index].getPlayerInfo().handleAbsolutePlayerPositions(out);
	}

	void teleport(int index, int x, int z) {
		players[index].updateRootCoord(0, x, z);
	}

	void say(int index, String text) {
		players[index].getPlayerInfo().getAvatar().getExtendedInfo().setChat(0, 0, 0, false, text, null);
	}

	void update() {
		protocols.getPlayerInfoProtocol().update();
	}

	/** Returns the size of the player's packet in bytes. */
	int takeAndRelease(int index) {
		PlayerInfoPacket packet = players[index].getPlayerInfo().toPacketResult().getOrNull();
		int size = packet.content().readableBytes();
		packet.consume();
		packet.release();
		return size;
	}

	int locals(int index) {
		return players[index].getPlayerInfo().getHighResolutionIndices().size();
	}

	int range(int index) {
		return players[index].getPlayerInfo().getAvatar().getResizeRange();
	}
}
