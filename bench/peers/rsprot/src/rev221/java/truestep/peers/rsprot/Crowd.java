package truestep.peers.rsprot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import net.rsprot.compression.HuffmanCodec;
import net.rsprot.compression.provider.DefaultHuffmanCodecProvider;
import net.rsprot.protocol.common.client.OldSchoolClientType;
import net.rsprot.protocol.game.outgoing.codec.playerinfo.extendedinfo.writer.PlayerAvatarExtendedInfoDesktopWriter;
import net.rsprot.protocol.game.outgoing.info.filter.DefaultExtendedInfoFilter;
import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerAvatarFactory;
import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerInfo;
import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerInfoPacket;
import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerInfoProtocol;
import net.rsprot.protocol.game.outgoing.info.worker.ProtocolWorker;

/** The players of one world in revision 221, the one whose figures rsprot published. */
final class Crowd {
	private static final int ZONE = 8; // tiles
	private static final int HALF_AREA = 6; // zones from the south-west corner of the build area to its middle

	private final PlayerInfoProtocol protocol;
	private final PlayerInfo[] players;

	Crowd(int capacity, ByteBufAllocator allocator, ProtocolWorker worker, byte[] huffman) throws IOException {
		var chat = new DefaultHuffmanCodecProvider(HuffmanCodec.Companion.create(Unpooled.wrappedBuffer(huffman)));
		var avatars = new PlayerAvatarFactory(allocator, new DefaultExtendedInfoFilter(),
				List.of(new PlayerAvatarExtendedInfoDesktopWriter()), chat);
		protocol = new PlayerInfoProtocol(allocator, worker, avatars);
		players = new PlayerInfo[capacity + 1];
	}

	void join(int index, int x, int z) {
		PlayerInfo player = protocol.alloc(index, OldSchoolClientType.DESKTOP);
		players[index] = player;
		player.updateCoord(0, x, z);
		player.updateBuildArea(x / ZONE - HALF_AREA, z / ZONE - HALF_AREA);
		Looks.dress(player.getAvatar().getExtendedInfo(), index);
	}

	void placement(int index, ByteBuf out) {
		players[index].handleAbsolutePlayerPositions(out);
	}

	void teleport(int index, int x, int z) {
		players[index].updateCoord(0, x, z);
	}

	void say(int index, String text) {
		players[index].getAvatar().getExtendedInfo().setChat(0, 0, 0, false, text, null);
	}

	void update() {
		protocol.update();
	}

	/** Returns the size of the player's packet in bytes. */
	int takeAndRelease(int index) {
		PlayerInfoPacket packet = players[index].toPacket();
		int size = packet.content().readableBytes();
		packet.release();
		return size;
	}

	int locals(int index) {
		return players[index].getHighResolutionIndices().size();
	}

	int range(int index) {
		return players[index].getAvatar().getResizeRange();
	}
}
