// A world with one crowded area, for the load checks of the map.

const SIDE = 10; // number of spawns along each edge of the area

/** The text of a world file with one area and `count` wandering actors in it, from a hundred spawns. */
export function crowdWorld(count) {
  const each = Math.ceil(count / SIDE ** 2);
  const spawns = Array.from({ length: SIDE ** 2 }, (_, i) => {
    const at = [i % SIDE, Math.floor(i / SIDE)].map((n) => (n - (SIDE - 1) / 2) * 80);
    return `[[area.spawn]]\ntemplate = "Sheep"\nat = [${at[0]}, 0, ${at[1]}]\nsize = 70\nwander = 60\nmax = ${each}\nevery = 1\n`;
  });
  return `name = "Crowd"

[rules]
max_actors = ${each * SIDE ** 2 + 50}

[[attribute]]
index = 0
name = "Health"
role = "health"

[[attribute]]
index = 2
name = "Strength"
role = "strength"

[[attribute]]
index = 4
name = "Speed"
role = "speed"

[rules.respawn]
at = { area = "Pasture", portal = "Start" }

[[template]]
id = 0
race = "Human"
playable = true
start = { area = "Pasture", portal = "Start" }
attributes = { Health = 20, Strength = 20, Speed = [30, 100] }

[[template]]
id = 1
race = "Sheep"
attributes = { Health = 20, Strength = 20, Speed = [20, 100] }

[[area]]
name = "Pasture"

[[area.portal]]
name = "Start"
at = [0, 0, 0]

${spawns.join('\n')}`;
}
