// A mock server for work on the page: npm run mock -- --actors 2000 --port 8080
//
// It implements docs/console-api.md with a generated world and serves ../dist under the server's content policy. Tokens are the
// names of the roles: viewer, moderator, admin; "expired" is an expired token.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { MockWorld } from "./world.mjs";

const { values: flags } = parseArgs({ options: { cluster: { type: "boolean", default: false }, actors: { type: "string", default: "300" }, port: { type: "string", default: "8080" } } });
const world = new MockWorld(Number(flags.actors));
const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const kinds = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml" };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const sessions = new Map(); // cookie -> role
const started = new Date().toISOString();

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://mock");
  response.setHeader("Content-Security-Policy", policy);
  if (!url.pathname.startsWith("/api/v1/")) return serveFile(url.pathname, response);
  const body = await readBody(request);
  try {
    const { status = 200, json, cookie } = answer(request.method, url.pathname.slice("/api/v1".length), url.searchParams, body, roleOf(request));
    if (cookie) response.setHeader("Set-Cookie", `truestep=${cookie}; HttpOnly; SameSite=Strict; Path=/`);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(json === undefined ? "" : JSON.stringify(json));
  } catch (error) {
    response.writeHead(error.status ?? 500, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ error: { code: error.code ?? "internal", message: error.message } }));
  }
});

function refuse(status, code, message) {
  throw Object.assign(new Error(message), { status, code });
}

function roleOf(request) {
  const cookie = /(?:^|; )truestep=([^;]+)/.exec(request.headers.cookie ?? "");
  return cookie ? sessions.get(cookie[1]) : undefined;
}

async function readBody(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? null : JSON.parse(text);
}

function serveFile(path, response) {
  const file = join(dist, normalize(path === "/" ? "/index.html" : path));
  if (!file.startsWith(dist) || !existsSync(file)) {
    response.writeHead(404);
    response.end();
    return;
  }
  response.setHeader("Content-Type", kinds[extname(file)] ?? "application/octet-stream");
  createReadStream(file).pipe(response);
}

const sessionOf = (role) => ({ name: role, role, expires: null, server: { version: "mock", world: world.name, startedAt: started, tickRate: 20 } });
const ranks = { viewer: 0, moderator: 1, admin: 2 };

function answer(method, path, query, body, role) {
  const call = `${method} ${path.replace(/\/\d+/, "/N")}`;
  const id = Number(/\/(\d+)/.exec(path)?.[1]);
  const need = (least) => {
    if (role === undefined) refuse(401, "unauthorized", "a token is needed");
    if (ranks[role] < ranks[least]) refuse(403, "forbidden", `this call needs the role ${least}; yours is ${role}`);
  };
  if (call === "POST /session") {
    if (body.token === "expired") refuse(401, "expired", "the token has expired");
    if (!(body.token in ranks)) refuse(401, "unauthorized", "the token is not known");
    const cookie = randomUUID();
    sessions.set(cookie, body.token);
    return { json: sessionOf(body.token), cookie };
  }
  if (call === "DELETE /session") return { status: 204, cookie: "gone" };
  need("viewer");
  const found = (value) => value ?? refuse(404, "not_found", "there is no such thing");
  const act = (least, name) => {
    need(least);
    world.note(role, name, id ? found(world.player(id)).name : body?.account, JSON.stringify(body ?? {}));
    return { json: { ok: true } };
  };
  switch (call) {
    case "GET /session":
      return { json: sessionOf(role) };
    case "GET /world":
      return { json: { ...world.describe(), node: flags.cluster ? "a" : null } };
    case "GET /cluster":
      return { json: flags.cluster ? world.cluster() : refuse(404, "not_found", "this server is not a node of a cluster") };
    case "POST /cluster/drain":
    case "POST /cluster/undrain":
      act("admin", path.slice(1).replace("/", "_"));
      world.drain(path.endsWith("/drain"));
      return { json: { ok: true } };
    case "POST /cluster/release":
      act("admin", "cluster_release");
      world.moveArea(body.area, undefined);
      return { json: { ok: true } };
    case "POST /cluster/move":
      act("admin", "cluster_move");
      world.moveArea(body.area, body.node);
      return { json: { ok: true } };
    case "GET /overview":
      return { json: { ...world.overview(), startedAt: started } };
    case "GET /players":
      return { json: { players: world.players(query.get("q") ?? "").map((p) => ({ ...p, node: flags.cluster ? "abc"[p.entity % 3] : null })), missing: flags.cluster ? ["c"] : [] } };
    case "GET /players/N":
      return { json: found(world.player(id)) };
    case "GET /series":
      return { json: world.series(Number(query.get("since") ?? 0)) };
    case "GET /corrections":
      return { json: world.corrections(query) };
    case "GET /corrections/N":
      return { json: found(world.correction(id)) };
    case "POST /players/N/message":
      return act("moderator", "message");
    case "POST /players/N/teleport":
      world.place(id, body);
      return act("moderator", "teleport");
    case "POST /players/N/give":
      return act("admin", "give");
    case "POST /players/N/take":
      return act("admin", "take");
    case "POST /players/N/attribute":
      return act("admin", "attribute");
    case "POST /players/N/freeze":
      world.freeze(id, body.frozen);
      return act("moderator", "freeze");
    case "POST /players/N/kick":
      return act("moderator", "kick");
    case "GET /bans":
      need("moderator");
      return { json: { bans: [...world.bans.values()] } };
    case "POST /bans":
      need("admin");
      addRule(world.bans, role, body);
      return act("admin", "ban");
    case "GET /mutes":
      need("moderator");
      return { json: { mutes: [...world.mutes.values()] } };
    case "POST /mutes":
      need("moderator");
      addRule(world.mutes, role, body);
      return act("moderator", "mute");
    case "GET /whitelist":
      need("moderator");
      return { json: { on: world.whitelist, accounts: [...world.listed.values()] } };
    case "POST /whitelist":
      need("admin");
      world.whitelist = body.on;
      return act("admin", "whitelist");
    case "POST /whitelist/accounts":
      need("moderator");
      addRule(world.listed, role, body);
      return act("moderator", "whitelist_add");
    case "POST /announce":
      act("moderator", "announce");
      return { json: { ok: true, told: world.players("").length } };
    case "GET /stop":
      return { json: { planned: world.planned } };
    case "POST /stop":
    case "POST /restart":
      act("admin", path.slice(1));
      world.planned = { restart: path === "/restart", at: endOf(body.in) ?? new Date().toISOString(), reason: body.reason, by: role };
      return { json: { ok: true, at: world.planned.at } };
    case "DELETE /stop":
      need("admin");
      world.planned = null;
      return act("admin", "stop_cancel");
    case "GET /held-back":
      return { json: { entries: world.heldBack(query.get("door")), next: null } };
    case "GET /chat":
      act("moderator", "search_chat");
      return { json: { lines: world.chat(query), next: null, retain: "30d" } };
    case "GET /audit":
      need("moderator");
      return { json: { entries: world.audit, next: null } };
    default:
      for (const [start, rules, least] of [["/bans/", world.bans, "admin"], ["/mutes/", world.mutes, "moderator"], ["/whitelist/accounts/", world.listed, "moderator"]]) {
        if (method !== "DELETE" || !path.startsWith(start)) continue;
        need(least);
        if (!rules.delete(decodeURIComponent(path.slice(start.length)))) refuse(404, "not_found", "there is no such rule");
        return { json: { ok: true } };
      }
      return refuse(404, "not_found", "there is no such call");
  }
}

// addRule stores a ban, a mute or an account on the whitelist.
function addRule(rules, by, { account = null, network = null, reason = "", for: period = "" }) {
  rules.set(network ?? account, { account, network, reason, by, since: new Date().toISOString(), until: endOf(period) });
}

// endOf returns the time at which a period such as 12h that begins now will end; null for an empty period.
function endOf(period) {
  const [, n, unit] = /^(\d+)([smhdw])$/.exec(period ?? "") ?? [];
  return n ? new Date(Date.now() + n * { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }[unit]).toISOString() : null;
}

// ---------------------------------------------------------------------------------------------------- live

server.on("upgrade", (request, socket) => {
  const url = new URL(request.url, "http://mock");
  if (url.pathname !== "/api/v1/live" || roleOf(request) === undefined) {
    socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
    return;
  }
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const area = Number(url.searchParams.get("area"));
  const rate = Number(url.searchParams.get("rate") ?? 10);
  const text = (message) => socket.write(frame(1, Buffer.from(JSON.stringify(message))));
  text({ type: "hello", area, rate, tickRate: 20 });
  text({ type: "actors", add: world.known(area), remove: [] });
  let last = world.newestEntry();
  const timer = setInterval(() => {
    for (const entry of world.entriesAfter(last, area)) text({ type: "entry", entry });
    last = world.newestEntry();
    for (const blow of world.blows(area)) text(blow);
    socket.write(frame(2, world.encode(area)));
  }, 1000 / rate);
  const end = () => clearInterval(timer);
  socket.on("close", end);
  socket.on("error", end);
  socket.on("data", (data) => {
    if ((data[0] & 15) === 8) socket.end();
  });
});

// frame wraps a payload in an unfragmented WebSocket frame. The frame is unmasked, as servers send it.
function frame(opcode, payload) {
  const n = payload.length;
  const head = n < 126 ? Buffer.from([128 | opcode, n]) : n < 65536 ? Buffer.from([128 | opcode, 126, n >> 8, n & 255]) : Buffer.alloc(10);
  if (n >= 65536) {
    head[0] = 128 | opcode;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(n), 2);
  }
  return Buffer.concat([head, payload]);
}

setInterval(() => world.step(), 50);
server.listen(Number(flags.port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/#token=admin  ${flags.actors} actors`);
});
