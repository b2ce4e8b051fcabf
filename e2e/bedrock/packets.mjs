// Parameters of packets for the npm client. Both versions get the same: the client ignores members that its version does not have.

const f = Math.fround;
const plane = ([x, z]) => ({ x, z });
export const xyz = ([x, y, z]) => ({ x, y, z });
export const array = ({ x, y, z }) => [x, y, z];

/** The unit vector of the viewing direction. */
function ahead(yaw, pitch) {
  const [y, p] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  return { x: -Math.sin(y) * Math.cos(p), y: -Math.sin(p), z: Math.cos(y) * Math.cos(p) };
}

/**
 * PlayerAuthInput of a tick. at is the position of the eyes, delta the velocity after the tick. vehicle: {id, yaw} of the vehicle
 * that the player drives. With a vehicle, at and delta are those of the vehicle.
 */
export function authInput({ tick, at, delta, move, yaw, pitch = 0, flags, vehicle }) {
  return {
    ...(vehicle && { vehicle_rotation: plane([0, vehicle.yaw]), predicted_vehicle: vehicle.id }),
    pitch, yaw, position: xyz(at), move_vector: plane(move), head_yaw: yaw, input_data: [...flags], input_mode: 'mouse',
    play_mode: 'screen', interaction_model: 'touch', interact_rotation: plane([pitch, yaw]), tick: BigInt(tick), delta: xyz(delta),
    transaction_presence: true, item_stack_request_presence: true, block_action_presence: true,
    vehicle_rotation_presence: true, predicted_vehicle_presence: true,
    analogue_move_vector: plane(move), camera_orientation: ahead(yaw, pitch), raw_move_vector: plane(move),
  };
}

const nothing = { network_id: 0, count: 0, metadata: 0, has_stack_id: false, block_runtime_id: 0 };
const transaction = (type, more, eyes) => ({
  transaction: {
    legacy: { legacy_request_id: 0 }, transaction_type: type, actions: [],
    transaction_data: { hotbar_slot: 0, held_item: nothing, player_pos: xyz(eyes), click_pos: { x: 0, y: 0, z: 0 }, ...more },
  },
});

/** InventoryTransaction: an attack on an entity. */
export const attack = (runtimeId, eyes) => transaction('item_use_on_entity', { entity_runtime_id: BigInt(runtimeId), action_type: 'attack' }, eyes);

/** InventoryTransaction: the click on an entity with which a player mounts. */
export const useEntity = (runtimeId, eyes) => transaction('item_use_on_entity', { entity_runtime_id: BigInt(runtimeId), action_type: 'interact' }, eyes);

/** Interact: the player leaves its vehicle and requests to stand at a position. */
export const leaveVehicle = (runtimeId, at) => ({ action_id: 'leave_vehicle', target_entity_id: BigInt(runtimeId), has_position: true, position: xyz(at) });

/** The use of an item in the air, for an InventoryTransaction or an input. */
export const clickAir = (eyes) => ({
  action_type: 'click_air', trigger_type: 'player_input', block_position: { x: 0, y: 0, z: 0 }, face: 255, hand: 'main_hand',
  hotbar_slot: 0, held_item: nothing, player_pos: xyz(eyes), click_pos: { x: 0, y: 0, z: 0 }, block_runtime_id: 0,
  client_prediction: 'failure', client_cooldown_state: 'off',
});
export const useItem = (eyes) => transaction('item_use', clickAir(eyes), eyes);
export const releaseItem = (eyes) => transaction('item_release', { action_type: 'release', head_pos: xyz(eyes) }, eyes);

export const chat = (name, message) => ({
  needs_translation: false, category: 'authored', type: 'chat', source_name: name, message, xuid: '', platform_chat_id: '',
  has_filtered_message: false,
});

/** The request of the respawn button on the death screen. */
export const respawn = (runtimeId, at) => ({ position: xyz(at), state: 2, runtime_entity_id: BigInt(runtimeId) });
export const respawnAction = (runtimeId) => ({
  runtime_entity_id: BigInt(runtimeId), action: 'respawn', position: { x: 0, y: 0, z: 0 }, result_position: { x: 0, y: 0, z: 0 }, face: -1,
});

/** The position of the eyes of a player whose feet are at a position, rounded as clients do. */
export const eyes = (feet) => [feet[0], f(feet[1] + f(1.62)), feet[2]];
export const feet = (at) => [at[0], f(at[1] - f(1.62)), at[2]];
