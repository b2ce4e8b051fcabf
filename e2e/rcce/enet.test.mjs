// The ENet 1.1 client against hand-made datagrams: the captured handshake of docs/wire/rcce.md 1.4, ordering,
// retransmits, fragments, and input that a C client would not accept.
import test from 'node:test';
import assert from 'node:assert/strict';
import { EnetPeer } from './enet.mjs';

const hex = (s) => Buffer.from(s.replace(/[\s|]/g, ''), 'hex');
const session = hex('44332211');
const verify = hex('83ff0001 0000 0578 00008000 000000fe 00000000 00000000 00001388 00000002 00000002');

const timed = (...commands) => Buffer.concat([session, hex('8000 1002'), ...commands]);
const plain = (...commands) => Buffer.concat([session, hex('0000'), ...commands]);

function reliable(channel, seq, text) {
  const b = Buffer.alloc(6);
  b[0] = 0x86;
  b[1] = channel;
  b.writeUInt16BE(seq, 2);
  b.writeUInt16BE(text.length, 4);
  return Buffer.concat([b, Buffer.from(text)]);
}

function unreliable(channel, relSeq, seq, text) {
  const b = Buffer.alloc(8);
  b[0] = 0x07;
  b[1] = channel;
  b.writeUInt16BE(relSeq, 2);
  b.writeUInt16BE(seq, 4);
  b.writeUInt16BE(text.length, 6);
  return Buffer.concat([b, Buffer.from(text)]);
}

function fragment(channel, start, number, parts) {
  const b = Buffer.alloc(24);
  b[0] = 0x88;
  b[1] = channel;
  b.writeUInt16BE(start + number, 2);
  b.writeUInt16BE(start, 4);
  b.writeUInt16BE(parts[number].length, 6);
  b.writeUInt32BE(parts.length, 8);
  b.writeUInt32BE(number, 12);
  b.writeUInt32BE(parts.join('').length, 16);
  b.writeUInt32BE(parts.slice(0, number).join('').length, 20);
  return Buffer.concat([b, Buffer.from(parts[number])]);
}

function ack(channel, seq, time) {
  const b = hex('01 00 dead 0000 0000');
  b[1] = channel;
  b.writeUInt16BE(seq, 4);
  b.writeUInt16BE(time, 6);
  return b;
}

function fresh({ connected = true, now = 0x1000 } = {}) {
  const events = [];
  const peer = new EnetPeer({ sessionID: session, now, onEvent: (e) => events.push(e) });
  const texts = () => events.filter((e) => e.type === 'message').map((e) => e.data.toString());
  if (connected) {
    peer.poll(now);
    peer.receive(timed(verify), now);
    peer.poll(now);
    peer.receive(plain(ack(0xff, 2, now)), now); // BANDWIDTH_LIMIT
    assert.equal(peer.state, 'connected');
    assert.deepEqual(peer.violations, []);
  }
  return { peer, events, texts, what: () => peer.violations.map((x) => x.what) };
}

test('the handshake equals the captured one', () => {
  const { peer, events } = fresh({ connected: false });
  const [connect] = peer.poll(0x1000);
  assert.equal(connect.toString('hex'), hex('44332211 ffff 1000 | 82ff0001 0000 0578 00008000 000000fe 00000000 00000000 00001388 00000002 00000002 44332211').toString('hex'));
  peer.onEvent = (e) => {
    events.push(e);
    peer.send(1, hex('00'));
  };
  peer.receive(timed(verify), 0x1004);
  const [answer] = peer.poll(0x1004);
  const want = hex('44332211 8000 1004 | 01ff0000 0001 1002 | 86010001 0001 00 | 8aff0002 00000000 00000000');
  answer.writeUInt16BE(0, 10); // the sequence bytes of an ack are undefined
  assert.equal(answer.toString('hex'), want.toString('hex'));
  assert.deepEqual(events, [{ type: 'connect' }]);
  assert.deepEqual(peer.violations, []);
});

test('a VERIFY_CONNECT that changes channelCount or throttle ends the connection', () => {
  for (const at of [12, 24, 28, 32]) {
    const { peer, events, what } = fresh({ connected: false });
    peer.poll(0x1000);
    const other = Buffer.from(verify);
    other.writeUInt32BE(other.readUInt32BE(at) + 1, at);
    peer.receive(timed(other), 0x1001);
    assert.equal(peer.state, 'closed');
    assert.equal(events.length, 1);
    assert.match(what()[0], /VERIFY_CONNECT/);
  }
});

test('a repeated VERIFY_CONNECT is not acknowledged, as in the C client', () => {
  const { peer, what } = fresh();
  peer.receive(timed(verify), 0x1100);
  assert.deepEqual(peer.poll(0x1100), []);
  assert.deepEqual(what(), []);
  assert.equal(peer.stats.duplicateVerify, 1);
});

test('reliable messages are delivered in order and once, and each is acknowledged', () => {
  const { peer, texts, what } = fresh();
  peer.receive(timed(reliable(1, 2, 'b')), 0x1100);
  assert.deepEqual(texts(), []);
  peer.receive(timed(reliable(1, 1, 'a'), reliable(1, 2, 'b'), reliable(1, 3, 'c')), 0x1101);
  assert.deepEqual(texts(), ['a', 'b', 'c']);
  const [d] = peer.poll(0x1102);
  assert.equal(d.length, 6 + 4 * 8, 'four acks under the short header');
  assert.equal(d.readUInt16BE(4), 0);
  assert.deepEqual([d.readUInt16BE(10), d.readUInt16BE(12)], [2, 0x1002]);
  assert.equal(peer.stats.duplicates, 1);
  assert.deepEqual(what(), []);
});

test('a sequence number repeated with other bytes is a violation', () => {
  const { peer, what } = fresh();
  peer.receive(timed(reliable(1, 1, 'a')), 1);
  peer.receive(timed(reliable(1, 1, 'x')), 2);
  assert.match(what()[0], /other bytes/);
});

test('a gap in a reliable stream is a violation at the end and after ten seconds', () => {
  const end = fresh();
  end.peer.receive(timed(reliable(1, 2, 'b')), 0x1100);
  assert.match(end.peer.finish(0x1200)[0].what, /never arrived/);
  const late = fresh();
  late.peer.receive(timed(reliable(1, 2, 'b')), 0x1100);
  late.peer.poll(0x1100 + 10001);
  assert.match(late.what()[0], /missing for/);
});

test('a PING with any sequence number is acknowledged', () => {
  const { peer, what } = fresh();
  peer.receive(timed(hex('85ffeb09')), 0x1100);
  peer.receive(timed(hex('85ffeb09'), hex('85ff0002')), 0x1101);
  const [d] = peer.poll(0x1102);
  assert.deepEqual([0, 1, 2].map((i) => d.readUInt16BE(10 + 8 * i)), [0xeb09, 0xeb09, 2]);
  peer.receive(timed(hex('8aff0002 00000000 00000000')), 0x1103);
  assert.deepEqual(what(), ['connection-level sequence 2 sent again with other bytes']);
});

test('sequence numbers wrap around', () => {
  const { peer, texts, what } = fresh();
  const s = peer.inStreams.get(1) ?? (peer.receive(timed(reliable(1, 1, '')), 1), peer.inStreams.get(1));
  s.delivered = 0xfffe;
  s.recent.clear();
  peer.receive(timed(reliable(1, 0, 'c'), reliable(1, 0xffff, 'b'), reliable(1, 1, 'd')), 2);
  assert.deepEqual(texts().slice(1), ['b', 'c', 'd']);
  assert.deepEqual(what(), []);
});

test('unreliable messages are dropped if older than the last, and wait for their reliable predecessor', () => {
  const { peer, texts } = fresh();
  peer.receive(plain(unreliable(2, 0, 1, 'a'), unreliable(2, 0, 3, 'c'), unreliable(2, 0, 2, 'b')), 1);
  assert.deepEqual(texts(), ['a', 'c']);
  peer.receive(plain(unreliable(2, 1, 4, 'd')), 2);
  assert.deepEqual(texts(), ['a', 'c']);
  peer.receive(timed(reliable(2, 1, 'R')), 3);
  assert.deepEqual(texts(), ['a', 'c', 'R', 'd']);
});

test('fragments are joined in any order', () => {
  const { peer, texts, what } = fresh();
  const parts = ['aaa', 'bbb', 'cc'];
  peer.receive(timed(fragment(1, 1, 2, parts)), 1);
  peer.receive(timed(fragment(1, 1, 0, parts), reliable(1, 4, 'after')), 2);
  assert.deepEqual(texts(), []);
  peer.receive(timed(fragment(1, 1, 1, parts)), 3);
  assert.deepEqual(texts(), ['aaabbbcc', 'after']);
  assert.deepEqual(what(), []);
});

test('fragments that do not form one message are refused', () => {
  const outside = fresh();
  const bad = fragment(1, 1, 0, ['aaa', 'bbb']);
  bad.writeUInt32BE(2, 16); // total smaller than the fragment
  outside.peer.receive(timed(bad), 1);
  assert.match(outside.what()[0], /fragment/);
  const mixed = fresh();
  mixed.peer.receive(timed(fragment(1, 1, 0, ['aaa', 'bbb'])), 1);
  mixed.peer.receive(timed(reliable(1, 2, 'x')), 2);
  assert.match(mixed.what()[0], /between the fragments/);
});

test('large messages are sent as reliable fragments, unreliable ones too', () => {
  const { peer } = fresh();
  peer.send(2, Buffer.alloc(3000, 7), false);
  const out = peer.poll(0x1200);
  assert.deepEqual(out.map((d) => d.length), [1400, 1400, 8 + 24 + 3000 - 2 * 1368]);
  assert.deepEqual(out.map((d) => d[8]), [0x88, 0x88, 0x88]);
  assert.deepEqual(out.map((d) => d.readUInt32BE(20)), [1, 2, 3].map((_, i) => i));
});

test('an unacknowledged command is retransmitted with doubled timeout', () => {
  const { peer } = fresh();
  peer.rtt = 100;
  peer.rttVar = 0;
  peer.send(1, Buffer.from('x'));
  let sent = [];
  for (let t = 0x2000; t < 0x2000 + 1600; t += 10) for (const d of peer.poll(t)) if (d[8] === 0x86) sent.push(t - 0x2000);
  assert.deepEqual(sent, [0, 100, 300, 700, 1500]);
  peer.receive(plain(ack(1, 1, (0x2000 + 300) & 0xffff)), 0x2000 + 1600);
  assert.equal(peer.sent.size, 0);
  assert.deepEqual(peer.violations, []);
});

test('a silent server times out', () => {
  const { peer, events } = fresh();
  peer.rtt = 500;
  peer.rttVar = 0;
  peer.send(1, Buffer.from('x'));
  let t = 0x2000;
  for (; peer.state !== 'closed' && t < 0x2000 + 60000; t += 10) peer.poll(t);
  assert.equal(events.at(-1).by, 'timeout');
  assert.ok(t - 0x2000 >= 5000 && t - 0x2000 <= 31520, `${t - 0x2000} ms`);
});

test('an idle connection sends a PING every 500 ms', () => {
  const { peer } = fresh();
  assert.deepEqual(peer.poll(0x1000 + 499), []);
  const [d] = peer.poll(0x1000 + 500);
  assert.equal(d.subarray(8).toString('hex'), '85ff0003');
});

test('bytes in flight do not exceed the window', () => {
  const { peer } = fresh();
  for (let i = 0; i < 100; i++) peer.send(1, Buffer.alloc(1000));
  peer.poll(0x1200);
  assert.equal(peer.inFlight, 32000);
});

test('an ack of an unknown sequence or sent time is a violation', () => {
  const { peer, what } = fresh();
  peer.receive(plain(ack(1, 9, 0x1000)), 0x1100);
  assert.match(what()[0], /was not sent/);
  peer.send(1, Buffer.from('x'));
  peer.poll(0x1200);
  peer.receive(plain(ack(1, 1, 0x1234)), 0x1201);
  assert.match(what()[1], /echoes sent time/);
});

test('the ack of DISCONNECT closes the connection, and other acks before it end the datagram', () => {
  const { peer, events } = fresh();
  peer.disconnect();
  const [d] = peer.poll(0x1200);
  assert.equal(d.subarray(8).toString('hex'), '84ff000300000000');
  peer.receive(plain(ack(1, 7, 0x1000), ack(0xff, 3, 0x1200)), 0x1201);
  assert.equal(peer.state, 'disconnecting', 'the C client stops at an ack that is not the awaited one');
  peer.receive(plain(ack(0xff, 3, 0x1200)), 0x1202);
  assert.equal(peer.state, 'closed');
  assert.deepEqual(events.at(-1), { type: 'disconnect', by: 'us', data: 0 });
});

test('a DISCONNECT of the server is acknowledged as 0x84, not as 0x44', () => {
  const polite = fresh();
  polite.peer.receive(timed(hex('84ff0002 00000005')), 1);
  assert.equal(polite.peer.poll(2).length, 1);
  assert.deepEqual(polite.events.at(-1), { type: 'disconnect', by: 'server', data: 5 });
  const abrupt = fresh();
  abrupt.peer.receive(plain(hex('44ff0000 00000000')), 1);
  assert.deepEqual(abrupt.peer.poll(2), []);
  assert.equal(abrupt.peer.state, 'closed');
});

test('bytes that a C client would reject or misread are recorded as a violation', () => {
  const cases = [
    ['short datagram', hex('44332211 0000'), /less than 8/],
    ['wrong session', Buffer.concat([hex('44332212 8000 1002'), reliable(1, 1, 'a')]), /session/],
    ['wrong peer id', Buffer.concat([session, hex('8001 1002'), reliable(1, 1, 'a')]), /peer id/],
    ['no sent time for a reliable command', plain(reliable(1, 1, 'a')), /no sent time/],
    ['sent time for nothing', timed(unreliable(2, 0, 1, 'a')), /no command wants an ack/],
    ['command 0', plain(hex('00000000')), /unknown command 0/],
    ['command 12', plain(hex('0c000000')), /unknown command 12/],
    ['reliable without the ack flag', timed(hex('06010001 0001 61')), /wrong flags/],
    ['unreliable with the ack flag', timed(hex('87020000 0001 0001 61')), /wrong flags/],
    ['cut header', plain(hex('0100')), /cut off|command header/],
    ['cut ack', plain(hex('01010000 0001')), /cut off/],
    ['data past the datagram', timed(hex('86010001 0002 61')), /past the datagram/],
    ['channel 254', timed(reliable(254, 1, 'a')), /channel 254/],
    ['ping on a data channel', timed(hex('85010002')), /not 255/],
    ['CONNECT to the client', timed(Buffer.concat([hex('82ff0001'), Buffer.alloc(36)])), /CONNECT/],
    ['unsequenced', plain(hex('49010000 0001 0000')), /unsequenced/],
    ['far ahead', timed(reliable(1, 9000, 'a')), /sequence 9000/],
    ['larger than the mtu', timed(reliable(1, 1, 'x'.repeat(1390))), /mtu/],
    ['empty', timed(), /without a command/],
  ];
  for (const [name, datagram, want] of cases) {
    const { peer, what } = fresh();
    peer.receive(datagram, 0x1100);
    assert.match(what()[0] ?? 'nothing', want, name);
  }
});

test('data before VERIFY_CONNECT is a violation', () => {
  const { peer, what } = fresh({ connected: false });
  peer.poll(0x1000);
  peer.receive(timed(reliable(1, 1, 'a')), 0x1001);
  assert.match(what()[0], /before VERIFY/);
});

test('throwOnViolation throws at a violation', () => {
  const { peer } = fresh();
  peer.throwOnViolation = true;
  assert.throws(() => peer.receive(plain(hex('00000000')), 1), /protocol violation/);
});

test('random datagrams never throw', () => {
  let seed = 12345;
  const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 2 ** 32;
  for (let i = 0; i < 3000; i++) {
    const { peer } = fresh();
    const b = Buffer.from(Array.from({ length: Math.floor(random() * 80) }, () => Math.floor(random() * 256)));
    const d = random() < 0.5 ? timed(b) : plain(b);
    peer.receive(d, 0x1100);
    peer.poll(0x1101);
    peer.finish(0x1102);
  }
});
