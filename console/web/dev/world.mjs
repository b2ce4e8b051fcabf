// MockWorld generates plausible data for every part of the page: walking actors, fights, corrections, an hour of figures.

const doors = [
  { name: "rcce", title: "RealmCrafter CE", cycleMs: 200, shape: "circle", cell: 500, bands: [["close", 125, 200], ["far", 250, 800]] },
  { name: "rs", title: "RuneScape 667", cycleMs: 600, shape: "square", cell: 56, bands: [["view", 105, 600]] },
  { name: "bedrock", title: "Minecraft: Bedrock", cycleMs: 50, shape: "circle", cell: 56, bands: [["near", 84, 50], ["middle", 168, 100], ["far", 224, 200]] },
];
const reasons = [
  ["too_fast", "the claimed position was farther away than the actor could have moved", "held", "units", "rcce"],
  ["mispredicted", "the client predicted a position that its inputs do not lead to", "corrected", "blocks", "bedrock"],
  ["blocked", "an obstacle is in the way, and the path around it is longer than the actor could have moved", "held", "units", "rcce"],
  ["too_soon", "the delay between two attacks has not passed", "refused", "ms", "rs"],
];
const names = ["Ann", "Bo", "Cyra", "Dag", "Edda", "Finn", "Greta", "Hal", "Ivo", "June", "Kai", "Lena", "Mats", "Nora", "Odo", "Pia"];
const beasts = ["Wolf", "Rat", "Guard", "Villager", "Deer", "Bandit", "Hen"];

let seed = 7;
const luck = () => ((seed = (seed * 48271) % 2147483647) / 2147483647);
const pickOf = (list) => list[Math.floor(luck() * list.length)];
const iso = (ms) => new Date(ms).toISOString();

export class MockWorld {
  name = "Mock Vale";
  tick = 1000;
  actors = [];
  entries = [];
  audit = [];
  bans = new Map([["mallory", { account: "mallory", network: null, reason: "sold gold", by: "admin", since: "2026-01-02T03:04:05.678Z", until: null }]]);
  mutes = new Map();
  listed = new Map(); // accounts on the whitelist
  whitelist = false;
  planned = null; // stop or restart
  pending = [];

  constructor(count) {
    for (let i = 0; i < count; i++) this.actors.push(this.make(i + 1, count));
    for (let i = 0; i < 60; i++) this.correct(Date.now() - (60 - i) * 20_000);
  }

  make(id, count) {
    const player = id % 5 < 2;
    const door = player ? doors[id % 3] : null;
    return {
      id,
      name: player ? `${pickOf(names)} ${id}` : pickOf(beasts),
      door: door?.name ?? null,
      template: player ? 0 : 3,
      player,
      area: id > 30 && id > count * 0.98 ? 1 : 0,
      x: (luck() - 0.5) * 560,
      z: (luck() - 0.5) * 560,
      y: 2,
      yaw: luck() * 360,
      speed: 4 + luck() * 14,
      health: luck() < 0.8 ? 100 : Math.ceil(luck() * 100),
      frozen: false,
      dead: luck() < 0.02,
      flies: !player && luck() < 0.1,
      since: Date.now() - luck() * 7e6,
    };
  }

  step() {
    this.tick++;
    for (const a of this.actors) {
      if (a.dead || a.frozen) continue;
      if (luck() < 0.02) a.yaw += (luck() - 0.5) * 160;
      const t = (a.yaw * Math.PI) / 180;
      a.x += -Math.sin(t) * a.speed * 0.05;
      a.z += Math.cos(t) * a.speed * 0.05;
      if (Math.abs(a.x) > 290 || Math.abs(a.z) > 290) {
        a.yaw += 170;
        a.x = Math.max(-290, Math.min(290, a.x));
        a.z = Math.max(-290, Math.min(290, a.z));
      }
    }
    if (luck() < 0.06) this.correct(Date.now());
    for (let i = 0; i < 2; i++) {
      const [by, on] = [pickOf(this.actors), pickOf(this.actors)];
      if (luck() < 0.3 && Math.hypot(by.x - on.x, by.z - on.z) < 60) this.pending.push({ area: by.area, type: "hit", by: by.id, on: on.id, damage: luck() < 0.2 ? -1 : Math.ceil(luck() * 20) });
    }
  }

  correct(at) {
    const [reason, sentence, verdict, unit, door] = pickOf(reasons);
    const actor = pickOf(this.actors.filter((a) => a.door === door));
    if (actor === undefined) return;
    const far = verdict === "corrected" ? 1 + luck() * 5 : 20 + luck() * 60;
    const t = luck() * 2 * Math.PI;
    const pos = { x: actor.x, y: actor.y, z: actor.z };
    const allowed = unit === "ms" ? 1000 : verdict === "corrected" ? 0.5 : 8.4;
    this.entries.unshift({
      id: this.entries.length + 1, at: iso(at), first: iso(at), area: areas[actor.area].name, areaId: actor.area, tick: this.tick, verdict, reason, sentence,
      entity: actor.id, player: actor.name, account: actor.name.toLowerCase(), door, rttMs: luck() < 0.1 ? null : Math.round(luck() * 90),
      asked: unit === "ms" ? Math.round(luck() * 900) : far, allowed, unit, from: verdict === "refused" ? null : { x: pos.x + Math.cos(t) * far, y: pos.y, z: pos.z + Math.sin(t) * far }, pos,
      other: verdict === "refused" ? "Wolf" : "", times: luck() < 0.2 ? 3 : 1,
    });
  }

  describe() {
    return {
      name: this.name, tickRate: 20,
      doors: doors.map((d) => ({ name: d.name, title: d.title, open: true, addr: "127.0.0.1:1", cycleMs: d.cycleMs, shape: d.shape, grid: d.cell, grids: areas.map(() => d.cell), bands: d.bands.map(([name, radius, everyMs]) => ({ name, radius, radii: areas.map(() => radius), everyMs })) })),
      areas,
      templates: [{ id: 0, name: "Human", playable: true }, { id: 3, name: "Beast", playable: false }],
      items: [{ id: 0, name: "Short Sword" }, { id: 1, name: "Leather Jerkin" }, { id: 2, name: "Bread" }],
      attributes: [{ id: 0, name: "Health" }, { id: 1, name: "Strength" }],
      reasons: reasons.map(([name, sentence]) => ({ name, sentence })),
    };
  }

  // cluster describes a cluster of three nodes, of which one is down.
  cluster() {
    const at = (ms) => new Date(Date.now() - ms).toISOString();
    this.moved ??= {};
    const lead = (id) => this.moved[id] ?? (this.draining ? "b" : ["a", "b"][id % 2]);
    const link = (problem) => ({ roundTripUs: 310, clockOffsetMs: -2, queuedBytes: 0, unsent: 0, links: 3, problem });
    const change = (ms, id, from, to, cause, reason) => ({ at: at(ms), area: areas[id].name, from, to, cause, reason });
    const changes = [change(95_000, 0, "c", "a", "no_connection", "no connection to c"), change(3_700_000, areas.length - 1, "b", "c", "default", "c leads it by default")];
    const transfer = (from, to, underWay, arrived, oldestMs, why) => ({ from, fromName: areas[from].name, to, toName: areas[to].name, underWay, arrived, oldestMs, settled: 1204, why });
    const leads = (node) => areas.filter((a) => lead(a.id) === node).length;
    return {
      node: "a", at: at(0),
      nodes: [
        { name: "a", addr: "10.0.0.1:7946", self: true, state: this.draining ? "draining" : "up", since: at(7_300_000), version: "v1.3.0 90c46769cafe", incarnation: 41, neverLeads: false, leads: leads("a"), load: 3120, doorLoad: 1040, link: null },
        { name: "b", addr: "10.0.0.2:7946", self: false, state: "up", since: at(7_200_000), version: "v1.2.0 38dfaf1fbeef", incarnation: 17, neverLeads: false, leads: leads("b"), load: 1480, doorLoad: 990, link: link("") },
        { name: "c", addr: "10.0.0.3:7946", self: false, state: "down", since: at(95_000), version: "v1.3.0 90c46769cafe", incarnation: 30, neverLeads: true, leads: 0, load: 0, doorLoad: 0, link: link("dial tcp 10.0.0.3:7946: connect: connection refused") },
      ],
      areas: areas.map((a) => ({
        id: a.id, name: a.name, lead: lead(a.id), since: at(95_000), term: 7, preferred: this.moved[a.id] ?? null, placedBy: this.moved[a.id] ? "operator" : a.id === 1 ? "load" : "default", load: a.id === 0 ? 1620 : 240, tick: 144_002, savedTick: 143_800, logLast: 144_010, logStepped: 144_010,
        copies: [{ node: "a", lagTicks: 0 }, { node: "b", lagTicks: a.id === 1 ? 31 : 1 }, { node: "c", lagTicks: null }], underWay: a.id === 0 ? 3 : 1, settled: 1204, leadChanges: 2, lastChange: changes[0],
      })),
      transfers: [transfer(0, 1, 3, 1, 2340, `the copy of ${areas[0].name} on node b is 31 ticks behind`), transfer(1, 0, 1, 0, 60, "")],
      paused: "there is no connection to node c", changes, fenced: 0, dropped: 0, refused: 0, lostTicks: 0, crossings: 12,
    };
  }

  drain(on) {
    this.draining = on;
  }

  moveArea(id, node) {
    this.moved = { ...this.moved, [id]: node };
  }

  overview() {
    return {
      at: iso(Date.now()),
      areas: areas.map((a) => {
        const here = this.actors.filter((x) => x.area === a.id);
        return { id: a.id, name: a.name, players: here.filter((x) => x.player).length, actors: here.length, tickP50Us: 410, tickP99Us: 1830, overruns: 0, missed: 0 };
      }),
      doors: doors.map((d) => ({ name: d.name, sessions: this.actors.filter((x) => x.door === d.name).length, packetsIn: 1, packetsOut: 1, bytesIn: 1, bytesOut: 1 })),
      online: this.actors.filter((x) => x.player).length, viewers: 1, saving: { unsaved: 0, failingSince: null, error: null }, failures: [],
      logins: { waiting: 0, longestMs: 0, busy: 0 }, heldBack: [],
    };
  }

  heldBack(door) {
    const rows = [["rs", "network", "192.0.2.0/24", "", 4213], ["rcce", "account", "2001:db8:1::/48", "victim", 12], ["console", "address", "198.51.100.0/24", "", 3], ["", "", "", "", 88]];
    return rows.map(([name, budget, network, account, times], i) => ({
      id: rows.length - i, at: iso(Date.now() - i * 60_000), since: iso(Date.now() - 600_000), kind: budget === "account" ? "login" : "connection", door: name, budget, network, account, times,
    })).filter((e) => !door || e.door === door);
  }

  chat(query) {
    const said = [
      ["area", "ann", "Ann", "", "selling a sword of ice, cheap", ""], ["area", "bob", "Bob", "", "too loud", "muted"],
      ["announcement", "", "", "", "Event at the mill in ten minutes", ""], ["message", "", "", "bob", "please be kind", ""],
    ];
    const [q, who] = [query.get("q") ?? "", query.get("who") ?? ""].map((s) => s.toLowerCase());
    return said.map(([channel, account, player, to, text, withheld], i) => ({
      id: said.length - i, at: iso(Date.now() - i * 60_000), channel, area: channel === "announcement" ? "" : areas[0].name, pos: account ? [1, 0, 2] : null, account, player,
      door: account && "rs", operator: account ? "" : "Zoe (console)", toAccount: to, toPlayer: to && "Bob", told: channel === "announcement" ? 12 : 0, text, withheld,
    })).filter((l) => l.text.includes(q) && (!who || l.account === who || l.toAccount === who));
  }

  row(a) {
    const mine = this.entries.filter((e) => e.entity === a.id);
    const n = (verdict) => mine.filter((e) => e.verdict === verdict).length;
    return {
      entity: a.id, name: a.name, account: a.name.toLowerCase(), door: a.door, addr: `192.0.2.${a.id % 250}`, areaId: a.area, area: areas[a.area].name, since: iso(a.since), frozen: a.frozen,
      lingering: a.id % 40 === 7, lingersUntil: a.id % 40 === 7 ? iso(Date.now() + 10_000 - (Date.now() % 10_000)) : null,
      health: a.dead ? 0 : a.health, healthMax: 100, level: 1 + (a.id % 9), rttMs: 8 + ((a.id * 7) % 80), lossPermille: a.id % 4 ? 0 : 12, inView: 20 + (a.id % 40),
      held: n("held"), corrected: n("corrected"), refused: n("refused"),
    };
  }

  players(q) {
    return this.actors.filter((a) => a.player && a.name.toLowerCase().includes(q.toLowerCase())).map((a) => this.row(a));
  }

  player(id) {
    const a = this.actors.find((x) => x.id === id && x.player);
    if (a === undefined) return undefined;
    const wave = (base) => base * (1 + 0.3 * Math.sin(this.tick / 40 + id));
    const mine = this.entries.filter((e) => e.entity === id);
    const counts = [];
    for (const { verdict, reason } of mine) {
      const found = counts.find((c) => c.verdict === verdict && c.reason === reason);
      if (found) found.n++;
      else counts.push({ verdict, reason, n: 1 });
    }
    return {
      ...this.row(a), pos: { x: a.x, y: a.y, z: a.z }, yaw: a.yaw, dead: a.dead, target: null, targetName: null, mount: null, mountName: null,
      bytesInPerS: wave(900), bytesOutPerS: wave(8200), packetsInPerS: wave(20), packetsOutPerS: wave(22), bytesIn: 1, bytesOut: 1, packetsIn: 1, packetsOut: 1, counts,
      hits: [4, 12, 0].map((damage, i) => ({ at: iso(Date.now() - 3000 * (i + 1)), by: i === 0 ? a.name : "Wolf", byId: 1, on: i === 0 ? "Wolf" : a.name, onId: 2, damage, kind: damage === 0 ? "missed" : i === 0 ? "dealt" : "taken" })),
      inventory: ["Short Sword", "Leather Jerkin", "Bread"].map((item, slot) => ({ slot, item, itemId: slot, amount: slot === 2 ? 5 : 1, health: 90, worn: slot < 2 })),
      attributes: [{ index: 0, name: "Health", value: 80, max: 100, hidden: false }, { index: 1, name: "Strength", value: 20, max: 40, hidden: false }], gold: 50, xp: 1200,
    };
  }

  series(since) {
    const now = Math.floor(Date.now() / 1000) * 1000;
    const at = [];
    for (let t = Math.max(Math.ceil((since + 1) / 1000) * 1000, now - 3_599_000); t <= now; t += 1000) at.push(t);
    const line = (base, swing) => at.map((t) => Math.max(0, Math.round(base + swing * Math.sin(t / 47_000) + swing * 0.4 * Math.sin(t / 5300))));
    return {
      stepMs: 1000, at, players: line(40, 6), actors: line(300, 30), tickP50Us: line(400, 60), tickP99Us: line(1800, 600), bytesIn: line(42_000, 9000), bytesOut: line(390_000, 80_000), packetsIn: line(900, 100), packetsOut: line(1400, 200),
      corrections: { mispredicted: line(0.2, 1.4) }, holds: { too_fast: line(0.1, 1.2), blocked: line(0, 0.9) },
    };
  }

  corrections(query) {
    const has = (key, value) => !query.get(key) || query.get(key).split(",").includes(String(value));
    const before = Number(query.get("before") ?? Infinity);
    const limit = Number(query.get("limit") ?? 100);
    const since = query.get("since") ? Date.parse(query.get("since")) : 0;
    const player = query.get("player")?.toLowerCase();
    const list = this.entries.filter((e) => e.id < before && has("verdict", e.verdict) && has("reason", e.reason) && (!query.get("area") || [e.area, String(e.areaId)].includes(query.get("area"))) && (!player || e.player.toLowerCase() === player) && Date.parse(e.at) >= since);
    const page = list.slice(0, limit);
    return { entries: page, next: list.length > limit ? page[page.length - 1].id : null };
  }

  correction(id) {
    const entry = this.entries.find((e) => e.id === id);
    if (entry === undefined) return undefined;
    const at = Date.parse(entry.at);
    const event = (ms, kind, text, of = null) => ({ at: iso(at + ms), tick: entry.tick + Math.round(ms / 50), kind, text, entry: of });
    return {
      entry, sentence: entry.sentence,
      explanation: `${entry.player} (${entry.door}) asked for ${entry.asked.toFixed(1)} ${entry.unit} where ${entry.allowed} were allowed. This is what a made-up explanation looks like; the server writes a better one.`,
      around: [event(-4200, "joined", "entered the area"), event(-1800, "struck", "was struck by Wolf for 4"), event(0, entry.verdict, `${entry.verdict}: ${entry.reason}`, entry.id), event(900, "moved", "walked on")],
    };
  }

  note(role, action, player, detail) {
    this.audit.unshift({ id: this.audit.length + 1, at: iso(Date.now()), operator: role, role, action, player: player ?? "", account: (player ?? "").toLowerCase(), detail, result: "ok" });
  }

  place(id, to) {
    const a = this.actors.find((x) => x.id === id);
    if (a) Object.assign(a, { x: to.x, z: to.z, area: to.areaId });
  }

  freeze(id, on) {
    const a = this.actors.find((x) => x.id === id);
    if (a) a.frozen = on;
  }

  known(area) {
    return this.actors.filter((a) => a.area === area).map(({ id, name, door, template, player }) => ({ id, name, door, template, player }));
  }

  newestEntry() {
    return this.entries[0]?.id ?? 0;
  }

  entriesAfter(id, area) {
    return this.entries.slice(0, 20).filter((e) => e.id > id && e.areaId === area);
  }

  blows(area) {
    const list = this.pending.filter((b) => b.area === area);
    this.pending = this.pending.slice(-50).filter((b) => b.area !== area);
    return list.map(({ area: _, ...blow }) => blow);
  }

  encode(area) {
    const here = this.actors.filter((a) => a.area === area);
    const b = Buffer.alloc(24 + 24 * here.length);
    b[0] = 1;
    b.writeUInt16LE(area, 2);
    b.writeUInt32LE(here.length, 4);
    b.writeBigUInt64LE(BigInt(this.tick), 8);
    b.writeDoubleLE(Date.now(), 16);
    here.forEach((a, i) => {
      const at = 24 + 24 * i;
      b.writeUInt32LE(a.id, at);
      b.writeFloatLE(a.x, at + 8);
      b.writeFloatLE(a.y, at + 12);
      b.writeFloatLE(a.z, at + 16);
      b.writeUInt16LE(Math.round((((a.yaw % 360) + 360) % 360) * (65536 / 360)) % 65536, at + 20);
      b[at + 22] = a.dead ? 0 : Math.max(1, Math.round(a.health * 2.55));
      b[at + 23] = (a.player ? 1 : 0) | (a.flies ? 4 : 0) | (a.dead ? 8 : 0) | (a.frozen ? 16 : 0);
    });
    return b;
  }
}

const box = (x1, z1, x2, z2) => ({ min: { x: x1, y: 0, z: z1 }, max: { x: x2, y: 12, z: z2 } });
const areas = [
  {
    id: 0, name: "Mock Vale", pvp: false, bounds: { minX: -300, minZ: -300, maxX: 300, maxZ: 300 },
    portals: [{ name: "Green", x: 0, y: 2, z: 0, radius: 5, to: null }, { name: "North road", x: 0, y: 2, z: 260, radius: 6, to: 1 }],
    solids: [box(21, -21, 28, -14), box(-49, -64, -21, -63), box(-49, -42, -21, -41), box(-50, -63, -49, -42), box(100, 60, 130, 64)],
    waters: [{ name: "", x: -180, z: 90, width: 60, depth: 50, y: 1 }], waypoints: [],
  },
  { id: 1, name: "Mock Moor", pvp: true, bounds: { minX: -300, minZ: -300, maxX: 300, maxZ: 300 }, portals: [], solids: [], waters: [], waypoints: [] },
];
