package truestep.peers.rsprot;

import net.rsprot.protocol.game.outgoing.info.playerinfo.PlayerAvatarExtendedInfo;

/** One plain appearance for everybody; only the name differs. It is set once and then cached by every viewer. */
final class Looks {
	private static final int NONE = -1;
	private static final int[] KITS = {3, 12, 20, 27, 34, 37, 43}; // by body part, any that exist
	private static final int[] COLOURS = {2, 5, 8, 1, 4};

	private Looks() {}

	static void dress(PlayerAvatarExtendedInfo look, int index) {
		look.setName("Walker" + index);
		look.setCombatLevel(70);
		look.setSkillLevel(0);
		look.setHidden(false);
		look.setBodyType(0);
		look.setPronoun(0);
		look.setSkullIcon(NONE);
		look.setOverheadIcon(NONE);
		for (int part = 0; part < KITS.length; part++) {
			look.setIdentKit(part, KITS[part]);
		}
		for (int slot = 0; slot < COLOURS.length; slot++) {
			look.setColour(slot, COLOURS[slot]);
		}
		look.setBaseAnimationSet(808, 823, 819, 820, 821, 822, 824);
	}
}
