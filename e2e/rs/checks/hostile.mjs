// Hostile input: clients that break the protocol are disconnected without effect on others.
import crypto from 'node:crypto';
import net from 'node:net';
import { say } from '../packets.mjs';
import { C as C2S } from '../tables.mjs';
import { equal, must } from '../../lib/assert.mjs';

/** Sends bytes to the door; resolves with the number of bytes received when the connection has ended. */
function sendRaw(port, bytes, ms = 60000) {
  return new Promise((resolve, reject) => {
    let got = 0;
    const socket = net.connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    const timer = setTimeout(() => { socket.destroy(); reject(new Error(`still open after ${ms} ms`)); }, ms);
    socket.on('data', (b) => (got += b.length));
    socket.on('error', () => {});
    socket.on('close', () => { clearTimeout(timer); resolve(got); });
  });
}

export async function hostileChecks(t, B, C) {
  const { report, server } = t;
  await report.check('an unknown opcode ends the connection, and the player can reconnect', async () => {
    B.socket.write(Buffer.from([(94 + B.out.next()) & 255, 0, 0, 0]));
    await B.until(() => B.closed, 'end of the connection', 5000);
    B.old = B.view;
    B.view = B.session = undefined;
    equal(await B.reconnect(), 15, 'code');
  });
  await report.check('frames without effect and truncated frames are dropped without a disconnect', async () => {
    const { MESSAGE_PUBLIC, IF_BUTTON1, CLIENT_CHEAT } = C2S;
    const ineffective = [say.attack(0), say.attack(2047), say.chat(''), [IF_BUTTON1, Buffer.alloc(8, 255)]];
    const truncated = [[MESSAGE_PUBLIC, Buffer.from([0, 0])], [MESSAGE_PUBLIC, crypto.randomBytes(40)], [CLIENT_CHEAT, Buffer.from([0, 0])]];
    for (const packet of [...ineffective, ...truncated]) B.send(packet);
    await B.cycles(2);
    must(B.online, B.closed);
  });
  await report.check('connections that send noise instead of a login are closed without effect on others', async () => {
    const began = C.view.cycle;
    const first = (i) => Buffer.from([i % 2 ? 14 : crypto.randomInt(256)]); // odd i: the opcode of a login; even i: any byte
    const head = Buffer.from([16, 255, 255]); // header of a request with the maximum length
    const noise = Array.from({ length: 12 }, (_, i) => Buffer.concat([first(i), head.subarray(0, i % 4), crypto.randomBytes(200 * i)]));
    await Promise.all(noise.map((bytes) => sendRaw(server.ports.rs, bytes)));
    await C.cycles(2);
    must(C.view.cycle > began && C.online && B.online, 'another client was affected');
  });
}
