// The facts about a world that the scenario needs: positions, and data from the client's own files. Coordinates are world
// units. Areas list only the portals that the scenario uses.

const never = () => false;

export const worlds = {
  embedded: {
    // content/default.toml
    healthStat: 0,
    speedStat: 4,
    energy: true,
    gendered: () => true,
    flies: (template) => [9, 14, 19].includes(template),
    hasFliers: true,
    combatDelay: 1000,
    start: { area: 'Truestep Vale', x: 0, y: 2, z: 0 },
    open: { dx: Math.SQRT1_2, dz: Math.SQRT1_2 },
    areas: {
      'Truestep Vale': { pvp: false, exits: [{ to: 'The Ring', at: { x: 0, y: 2, z: -160 }, arrive: { x: 0, z: 0 } }] },
      'The Ring': { pvp: true, exits: [{ to: 'Truestep Vale', at: { x: 0, y: 0, z: -60 }, arrive: { x: 0, z: -135 } }] },
    },
    prey: { area: 'Truestep Vale', template: 3, near: { x: 20, y: 2, z: 8 }, fightsBack: true, respawnSeconds: 8, leastXP: 5 },
    duel: { area: 'The Ring', at: { x: 8, y: 0, z: 0 }, respawn: { area: 'Truestep Vale', x: 0, z: 0 } },
  },
  project: {
    // the default project of the engine: docs/wire/rcce-data.md section 12
    healthStat: 0,
    speedStat: 4,
    energy: false,
    gendered: (template) => template === 0,
    flies: never,
    combatDelay: 1000,
    start: { area: 'Plains', x: -52.74, y: 3.33, z: 88.37 },
    open: { dx: 0, dz: 1 }, // direction, as a unit vector, in which there is no portal for some hundred units
    areas: {
      Plains: { pvp: true, exits: [{ to: 'Test Zone', at: { x: 45.64, y: 5.34, z: 53.05 }, arrive: { x: 52.2, z: 156.45 } }] },
      'Test Zone': { pvp: true, exits: [{ to: 'Plains', at: { x: -35.49, y: -52.44, z: 224.62 }, arrive: { x: -40.8, z: 4.93 } }] },
    },
    // Stag: 100 health, hostile once hit, wanders 33 units around waypoint 0. Its death is worth 0 to 20 points at random; the server
    // sends no XPUpdate for 0 points.
    prey: { area: 'Plains', template: 1, near: { x: 55.73, y: 0.67, z: -63.63 }, fightsBack: true, respawnSeconds: 10, leastXP: 0 },
    duel: { area: 'Plains', at: { x: -52.74, y: 3.33, z: 110 }, respawn: { area: 'Plains', x: -52.74, z: 88.37 } },
  },
};
