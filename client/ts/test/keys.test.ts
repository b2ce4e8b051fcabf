import { describe, expect, it } from 'vitest';
import * as flags from '../src/blocks/avatar.js';
import type { Ground, Keys } from '../src/blocks/index.js';
import * as bits from '../src/blocks/entry.js';
import { KeyState, noKeys } from '../src/blocks/keys.js';
import { body as walking } from '../src/blocks/walking.js';

const air = { boxes: [], liquid: 0 }, water = { boxes: [], liquid: 1, depth: 0 };
const groundOf = (kind: object): Ground => ({ at: () => kind }) as unknown as Ground;

/** What the key state requests in one tick for a player with flags, after a tick with the keys before. */
function requests(k: Partial<Keys>, has = 0, { before = {} as Partial<Keys>, kind = air as object, keys = new KeyState() } = {}): number {
  const a = { ...flags.newAvatar(), flags: has };
  const all = bits.START_JUMP | bits.START_SNEAK | bits.STOP_SNEAK | bits.START_SPRINT | bits.STOP_SPRINT | bits.START_SWIM | bits.STOP_SWIM | bits.START_GLIDE | bits.STOP_GLIDE;
  keys.entry(1, { ...noKeys(), ...before }, a, groundOf(kind));
  return keys.entry(20, { ...noKeys(), ...k }, a, groundOf(kind)).keys & all;
}

describe('keys', () => {
  const { DEAD, GLIDING, MAY_GLIDE, MAY_SPRINT, ON_GROUND, SNEAKING, SPRINTING, SWIMMING, USING_ITEM } = flags;
  const run: Partial<Keys> = { sprint: true, forward: 1 };

  it('the start and stop bits of each movement flag are computed from the flag', () => {
    expect([SNEAKING, SPRINTING, SWIMMING, GLIDING].map(bits.startOf)).toEqual([bits.START_SNEAK, bits.START_SPRINT, bits.START_SWIM, bits.START_GLIDE]);
    expect([SNEAKING, SPRINTING, SWIMMING, GLIDING].map((f) => 2 * bits.startOf(f))).toEqual([bits.STOP_SNEAK, bits.STOP_SPRINT, bits.STOP_SWIM, bits.STOP_GLIDE]);
  });

  it('a jump is requested on the ground, and the next one only after the delay', () => {
    expect(requests({ jump: true }, ON_GROUND)).toBe(bits.START_JUMP);
    expect(requests({ jump: true })).toBe(0);
    expect(new KeyState().peek({ ...noKeys(), jump: true }, { ...flags.newAvatar(), flags: ON_GROUND, jumpDelay: 3 }).keys).toBe(bits.JUMP_DOWN | bits.JUMPING | bits.WANT_UP);
  });

  it('the start of sneaking is requested when its key is pressed, the end when it is released', () => {
    expect(requests({ sneak: true })).toBe(bits.START_SNEAK);
    expect(requests({ sneak: true }, 0, { before: { sneak: true } })).toBe(0);
    expect(requests({}, 0, { before: { sneak: true } })).toBe(bits.STOP_SNEAK);
  });

  it('sprinting is requested only straight ahead, without sneaking or using an item', () => {
    expect(requests(run, MAY_SPRINT)).toBe(bits.START_SPRINT);
    expect(requests(run, MAY_SPRINT | SPRINTING)).toBe(0);
    expect(requests({ sprint: true, forward: 0.5 }, MAY_SPRINT | SPRINTING)).toBe(bits.STOP_SPRINT);
    for (const [k, has] of [[{ ...run, forward: 0.5 }, MAY_SPRINT], [run, 0], [run, MAY_SPRINT | USING_ITEM]] as const) expect(requests(k, has)).toBe(0);
    expect(requests({ ...run, sneak: true }, MAY_SPRINT, { before: { sneak: true } })).toBe(0);
  });

  it('the request to sprint is repeated after ten ticks, or when the keys change', () => {
    const keys = new KeyState(), a = { ...flags.newAvatar(), flags: MAY_SPRINT }, k = { ...noKeys(), ...run };
    const asked = Array.from({ length: 25 }, (_, tick) => keys.entry(tick, tick === 15 ? { ...k, forward: 0.9 } : k, a, groundOf(air)).keys & bits.START_SPRINT ? tick : -1);
    expect(asked.filter((tick) => tick >= 0)).toEqual([0, 10, 15, 16]);
  });

  it('swimming is requested by a sprinter with its eyes under water, its end outside of water or when the keys are released', () => {
    expect(requests(run, MAY_SPRINT | SPRINTING, { kind: water })).toBe(bits.START_SWIM);
    expect(requests(run, MAY_SPRINT | SPRINTING | DEAD, { kind: water })).toBe(0);
    expect(requests({ ...run, forward: 0.5 }, MAY_SPRINT | SPRINTING | SWIMMING, { kind: water })).toBe(0);
    expect(requests(run, MAY_SPRINT | SPRINTING | SWIMMING)).toBe(bits.STOP_SWIM);
    expect(requests({}, MAY_SPRINT | SWIMMING, { kind: water })).toBe(bits.STOP_SWIM);
  });

  it('gliding is requested only in the air, if it is allowed and the player does not glide already', () => {
    expect(requests({ glide: true }, MAY_GLIDE)).toBe(bits.START_GLIDE);
    expect(requests({ glide: true }, MAY_GLIDE | ON_GROUND)).toBe(0);
    expect(requests({ glide: true })).toBe(0);
    expect(requests({ glide: true }, GLIDING)).toBe(0);
    expect(requests({}, GLIDING)).toBe(bits.STOP_GLIDE);
  });

  it('the keys of walking.ts request neither to swim nor to glide', () => {
    const keys = (): KeyState => walking.keys();
    expect(requests(run, MAY_SPRINT, { kind: water, keys: keys() })).toBe(bits.START_SPRINT);
    expect(requests({ glide: true }, MAY_GLIDE, { keys: keys() })).toBe(0);
    expect(requests({}, GLIDING | SWIMMING, { keys: keys() })).toBe(0);
  });

  it('stick positions and angles are rounded to the precision of the wire format', () => {
    const e = (k: Partial<Keys>) => new KeyState().peek({ ...noKeys(), ...k }, flags.newAvatar());
    expect([e({ forward: 1, strafe: -0.5 }), e({ forward: 0.5, strafe: 2 })].map((x) => [x.forward, x.strafe])).toEqual([[127, -64], [64, 127]]);
    expect([e({ yaw: 90, pitch: 30.4 }), e({ yaw: 270, pitch: -100 })].map((x) => [x.yaw, x.pitch])).toEqual([[16384, 30], [-16384, -90]]);
  });
});
