// ENet 1.1 (2007), client side, as a state machine without a socket: datagrams and a millisecond clock go in,
// datagrams come out. It behaves as the C client does and is stricter: input that the C client would reject or
// misread, or that no C server would send, is recorded as a violation. Facts: docs/wire/rcce.md section 1.

import { CONTROL, HAS_TIME, InStream, NO_PEER, ahead, cmd, commandLength, key, limits } from './enet_commands.mjs';

export class EnetPeer {
  /**
   * @param {object} o
   * @param {Buffer} o.sessionID 4 raw bytes
   * @param {number} o.now       ms clock
   * @param {(event: object) => void} o.onEvent connect, message {channel, reliable, fragmented, data}, disconnect {data, by}
   * @param {boolean} [o.throwOnViolation] throw instead of recording
   */
  constructor({ sessionID, now, onEvent, throwOnViolation = false }) {
    this.sessionID = Buffer.from(sessionID);
    this.onEvent = onEvent;
    this.throwOnViolation = throwOnViolation;
    this.state = 'connecting'; // connecting, connected, disconnecting, acknowledging (an ack of a disconnect is due) or closed
    this.violations = [];
    this.stats = { in: 0, out: 0, bytesIn: 0, bytesOut: 0, resent: 0, duplicates: 0, staleUnreliable: 0, duplicateVerify: 0, maxAckMs: 0 };
    this.remoteID = NO_PEER;
    this.mtu = limits.mtu;
    this.window = limits.window;
    this.rtt = limits.initialRtt;
    this.rttVar = 0;
    this.lastAckAt = now;
    this.now = now;
    this.outSeq = new Map(); // channel -> last reliable sequence used
    this.outUnreliable = new Map();
    this.inStreams = new Map();
    this.acks = []; // acks to send: {channel, seq, time}
    this.queue = []; // reliable commands not sent yet
    this.loose = []; // unreliable commands
    this.sent = new Map(); // key -> reliable command in flight
    this.acked = new Map(); // acknowledged commands: key -> times at which each was sent
    this.inFlight = 0;
    this.#queueConnect();
  }

  violation(what, bytes) {
    const v = { at: this.now, what, hex: bytes ? bytes.subarray(0, 96).toString('hex') : '' };
    this.violations.push(v);
    if (this.throwOnViolation) throw new Error(`protocol violation: ${what} ${v.hex}`);
  }

  // ---- outgoing -------------------------------------------------------------

  /** Queues one message. A message too large for one datagram becomes reliable fragments. */
  send(channel, data, reliable = true) {
    if (this.state !== 'connected') throw new Error(`enet: send while ${this.state}`);
    const piece = this.mtu - limits.fragmentOverhead;
    if (data.length > piece) return this.#queueFragments(channel, data, piece);
    if (reliable) {
      const b = this.#command(0x86, channel, this.#nextSeq(channel), 6 + data.length);
      b.writeUInt16BE(data.length, 4);
      data.copy(b, 6);
      this.#enqueue(b, data.length);
      return;
    }
    const seq = ((this.outUnreliable.get(channel) ?? 0) + 1) & 0xffff;
    this.outUnreliable.set(channel, seq);
    const b = this.#command(0x07, channel, this.outSeq.get(channel) ?? 0, 8 + data.length);
    b.writeUInt16BE(seq, 4);
    b.writeUInt16BE(data.length, 6);
    data.copy(b, 8);
    this.loose.push(b);
  }

  /** Starts a graceful disconnect. As in the C library, everything still queued is dropped. */
  disconnect(data = 0) {
    if (this.state !== 'connected') return;
    this.#forgetQueues();
    this.state = 'disconnecting';
    const b = this.#command(0x84, CONTROL, this.#nextSeq(CONTROL), 8);
    b.writeUInt32BE(data, 4);
    this.#enqueue(b, 0);
  }

  /** Returns the datagrams that are due at now. */
  poll(now) {
    this.now = now;
    if (this.state === 'closed') return [];
    this.#resendLate();
    if (this.state === 'closed') return [];
    this.#pingWhenQuiet();
    this.#watchHoles();
    const out = [];
    let d = { size: 8, parts: [], reliable: false };
    const flush = () => {
      if (d.parts.length > 0) out.push(this.#datagram(d));
      d = { size: 8, parts: [], reliable: false };
    };
    const add = (b, reliable) => {
      if (d.size + b.length > this.mtu || d.parts.length >= limits.commandsPerDatagram) flush();
      d.parts.push(b);
      d.size += b.length;
      d.reliable ||= reliable;
    };
    for (const a of this.acks.splice(0)) add(this.#ackBytes(a), false);
    while (this.queue.length > 0 && this.inFlight + this.queue[0].length <= this.window) {
      const c = this.queue.shift();
      this.#markSent(c);
      add(c.bytes, true);
    }
    for (const b of this.loose.splice(0)) add(b, false);
    flush();
    if (this.state === 'acknowledging') this.#close(this.closing);
    return out;
  }

  /** Records violations that show only at the end of a connection without loss. */
  finish(now) {
    this.now = now;
    for (const [channel, s] of this.inStreams) {
      if (s.held.size > 0) this.violation(`channel ${channel}: sequence ${(s.delivered + 1) & 0xffff} never arrived, ${s.held.size} held`);
      if (s.assembly) this.violation(`channel ${channel}: message of ${s.assembly.total} bytes never completed`);
    }
    for (const c of this.sent.values()) {
      if (now - c.firstSent > 3000) this.violation(`no ack for 0x${c.bytes[0].toString(16)} seq ${c.seq} on channel ${c.channel} in ${now - c.firstSent} ms`, c.bytes);
    }
    return this.violations;
  }

  #command(first, channel, seq, size) {
    const b = Buffer.alloc(size);
    b[0] = first;
    b[1] = channel;
    b.writeUInt16BE(seq, 2);
    return b;
  }

  #nextSeq(channel) {
    const seq = ((this.outSeq.get(channel) ?? 0) + 1) & 0xffff;
    this.outSeq.set(channel, seq);
    return seq;
  }

  #enqueue(bytes, length) {
    this.queue.push({ bytes, length, channel: bytes[1], seq: bytes.readUInt16BE(2), firstSent: -1, lastSent: -1, rto: 0, rtoLimit: 0, times: [] });
  }

  #queueConnect() {
    const b = this.#command(0x82, CONTROL, this.#nextSeq(CONTROL), 40);
    b.writeUInt16BE(0, 4); // number of our peer slot; the C client has only one
    b.writeUInt16BE(limits.mtu, 6);
    b.writeUInt32BE(limits.window, 8);
    b.writeUInt32BE(limits.channels, 12);
    limits.throttle.forEach((v, i) => b.writeUInt32BE(v, 24 + 4 * i));
    this.sessionID.copy(b, 36);
    this.#enqueue(b, 0);
  }

  #queueFragments(channel, data, piece) {
    const count = Math.ceil(data.length / piece);
    const start = ((this.outSeq.get(channel) ?? 0) + 1) & 0xffff;
    for (let i = 0; i < count; i++) {
      const part = data.subarray(i * piece, Math.min(data.length, (i + 1) * piece));
      const b = this.#command(0x88, channel, this.#nextSeq(channel), 24 + part.length);
      b.writeUInt16BE(start, 4);
      b.writeUInt16BE(part.length, 6);
      b.writeUInt32BE(count, 8);
      b.writeUInt32BE(i, 12);
      b.writeUInt32BE(data.length, 16);
      b.writeUInt32BE(i * piece, 20);
      part.copy(b, 24);
      this.#enqueue(b, part.length);
    }
  }

  #markSent(c) {
    if (c.firstSent < 0) {
      c.firstSent = this.now;
      c.rto = this.rtt + 4 * this.rttVar;
      c.rtoLimit = 32 * c.rto;
    }
    c.lastSent = this.now;
    c.times.push(this.now & 0xffff);
    this.sent.set(key(c.channel, c.seq), c);
    this.inFlight += c.length;
  }

  #resendLate() {
    const again = [];
    for (const [k, c] of this.sent) {
      if (this.now - c.lastSent < c.rto) continue;
      const age = this.now - c.firstSent;
      if (age >= limits.deadAfter || (age >= limits.deadAfterBackoff && c.rto >= c.rtoLimit)) {
        const what = `0x${c.bytes[0].toString(16)} seq ${c.seq} on channel ${c.channel}, ${c.times.length} times in ${age} ms`;
        this.#close({ type: 'disconnect', by: 'timeout', data: 0, what });
        return;
      }
      c.rto *= 2;
      this.stats.resent++;
      this.sent.delete(k);
      this.inFlight -= c.length;
      again.push(c);
    }
    this.queue.unshift(...again);
  }

  #pingWhenQuiet() {
    if (this.state !== 'connected' || this.sent.size > 0 || this.queue.length > 0) return;
    if (this.now - this.lastAckAt < limits.pingAfter) return;
    this.#enqueue(this.#command(0x85, CONTROL, this.#nextSeq(CONTROL), 4), 0);
  }

  #ackBytes({ channel, seq, time }) {
    // bytes 2-3 are uninitialised memory in the C library: a server must not read them
    const b = this.#command(0x01, channel, (seq * 40503 + 0xbeef) & 0xffff, 8);
    b.writeUInt16BE(seq, 4);
    b.writeUInt16BE(time, 6);
    return b;
  }

  #datagram({ parts, reliable }) {
    const h = Buffer.alloc(reliable ? 8 : 6);
    this.sessionID.copy(h, 0);
    h.writeUInt16BE(this.remoteID | (reliable ? HAS_TIME : 0), 4);
    if (reliable) h.writeUInt16BE(this.now & 0xffff, 6);
    const b = Buffer.concat([h, ...parts]);
    this.stats.out++;
    this.stats.bytesOut += b.length;
    return b;
  }

  #forgetQueues() {
    this.queue = [];
    this.loose = [];
    this.acks = [];
    this.sent.clear();
    this.inFlight = 0;
  }

  #close(event) {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.onEvent(event);
  }

  #watchHoles() {
    for (const [channel, s] of this.inStreams) {
      if (s.holeSince > 0 && this.now - s.holeSince > limits.gapLimit) {
        s.holeSince = 0;
        this.violation(`channel ${channel}: sequence ${(s.delivered + 1) & 0xffff} missing for ${limits.gapLimit} ms`);
      }
    }
  }

  // ---- incoming -------------------------------------------------------------

  /** Handles one datagram from the server. */
  receive(b, now) {
    this.now = now;
    if (this.state === 'closed') return;
    this.stats.in++;
    this.stats.bytesIn += b.length;
    if (b.length < 8) return this.violation(`datagram of ${b.length} bytes, the C client drops less than 8`, b);
    if (!b.subarray(0, 4).equals(this.sessionID)) return this.violation('wrong session id', b);
    const word = b.readUInt16BE(4);
    if ((word & ~HAS_TIME) !== 0) return this.violation(`peer id ${word & ~HAS_TIME}, the client is slot 0`, b);
    if (b.length > this.mtu) this.violation(`datagram of ${b.length} bytes is larger than mtu ${this.mtu}`, b);
    const time = word & HAS_TIME ? b.readUInt16BE(6) : -1;
    let pos = time >= 0 ? 8 : 6;
    if (pos === b.length) this.violation('datagram without a command', b);
    let wantsAck = false;
    while (pos < b.length && this.state !== 'closed') {
      const { n, wrong } = commandLength(b, pos);
      if (wrong) return this.violation(`${wrong} at offset ${pos} of ${b.length}`, b);
      const c = b.subarray(pos, pos + n);
      pos += n;
      if (c[0] & 0x80) wantsAck = true;
      if (c[0] & 0x80 && time < 0) return this.violation('command wants an ack but the header has no sent time', b);
      if (!this.#handle(c)) return;
      if (c[0] & 0x80) this.#acknowledge(c, time);
    }
    if (time >= 0 && !wantsAck) this.violation('header has a sent time but no command wants an ack', b);
  }

  #acknowledge(c, time) {
    const id = c[0] & 0x0f;
    if (this.state === 'acknowledging' && id !== cmd.disconnect) return;
    if (this.state === 'disconnecting') return;
    this.acks.push({ channel: c[1], seq: c.readUInt16BE(2), time });
  }

  // Returns false when the C client ignores the rest of the datagram.
  #handle(c) {
    const id = c[0] & 0x0f;
    const connectionLevel = id !== cmd.ack && (id < cmd.reliable || id > cmd.unsequenced);
    if (connectionLevel && c[1] !== CONTROL) this.violation(`command ${id} on channel ${c[1]}, not 255`, c);
    switch (id) {
      case cmd.ack: return this.#onAck(c);
      case cmd.connect: return this.violation('CONNECT sent to a client', c), false;
      case cmd.verify: return this.#onVerify(c);
      case cmd.disconnect: return this.#onDisconnect(c);
      case cmd.ping:
      case cmd.bandwidth:
      case cmd.throttle: return this.#onControl(c);
      case cmd.unsequenced: return this.violation('unsequenced message, RCEnet uses none', c), false;
      default: return this.#onData(c, id);
    }
  }

  #onAck(c) {
    const seq = c.readUInt16BE(4);
    const time = c.readUInt16BE(6);
    const k = key(c[1], seq);
    if (this.state === 'connecting') return this.violation('ack before VERIFY_CONNECT', c), false;
    const command = this.sent.get(k) ?? this.queue.find((q) => q.firstSent >= 0 && q.channel === c[1] && q.seq === seq);
    const times = command?.times ?? this.acked.get(k);
    if (!times) {
      if (this.state !== 'disconnecting') this.violation(`ack for sequence ${seq} on channel ${c[1]}, which was not sent`, c);
      return this.state !== 'disconnecting';
    }
    if (!times.includes(time)) this.violation(`ack of sequence ${seq} echoes sent time ${time}, sent at ${times}`, c);
    if (!command) return true; // this command was already acknowledged: its retransmit crossed the first ack
    this.#sampleRtt((this.now - time) & 0xffff);
    this.stats.maxAckMs = Math.max(this.stats.maxAckMs, this.now - command.firstSent);
    if (this.sent.delete(k)) this.inFlight -= command.length;
    else this.queue.splice(this.queue.indexOf(command), 1);
    this.acked.set(k, command.times);
    if (this.acked.size > 512) this.acked.delete(this.acked.keys().next().value);
    this.lastAckAt = this.now;
    if (this.state === 'disconnecting' && (command.bytes[0] & 0x0f) === cmd.disconnect) this.#close({ type: 'disconnect', by: 'us', data: 0 });
    return true;
  }

  // Integer arithmetic as in C: on a fast network the retransmit timeout stays at about 20 ms instead of falling to 0.
  #sampleRtt(ms) {
    this.rttVar -= Math.trunc(this.rttVar / 4);
    this.rtt += Math.trunc((ms - this.rtt) / 8);
    this.rttVar += Math.trunc(Math.abs(ms - this.rtt) / 4);
  }

  #onVerify(c) {
    if (this.state !== 'connecting') {
      // The C client treats a repeated VERIFY_CONNECT as an error and does not acknowledge it again.
      this.stats.duplicateVerify++;
      return false;
    }
    const got = [c.readUInt32BE(12), c.readUInt32BE(24), c.readUInt32BE(28), c.readUInt32BE(32)];
    const want = [limits.channels, ...limits.throttle];
    if (!got.every((v, i) => v === want[i])) {
      this.violation(`VERIFY_CONNECT channelCount and throttle ${got}, want ${want}: the C client drops the connection`, c);
      this.#close({ type: 'disconnect', by: 'us', data: 0 });
      return false;
    }
    if (c.readUInt16BE(2) !== 1) this.violation('VERIFY_CONNECT is not sequence 1', c);
    const id = c.readUInt16BE(4);
    const mtu = c.readUInt16BE(6);
    const window = c.readUInt32BE(8);
    if (id >= NO_PEER) this.violation(`server slot ${id}`, c);
    if (mtu < 576 || mtu > limits.mtu) this.violation(`VERIFY_CONNECT mtu ${mtu} outside 576..${limits.mtu}`, c);
    if (window < 4096 || window > 32768) this.violation(`VERIFY_CONNECT window ${window} outside 4096..32768`, c);
    this.#trackControl(c);
    this.mtu = Math.min(this.mtu, Math.max(576, mtu));
    this.window = Math.min(this.window, Math.max(4096, window));
    this.remoteID = id;
    this.sent.clear(); // forget CONNECT: the server answers it by VERIFY_CONNECT, never by an ack
    this.queue = [];
    this.lastAckAt = this.now;
    this.state = 'connected';
    this.onEvent({ type: 'connect' });
    this.#enqueue(this.#command(0x8a, CONTROL, this.#nextSeq(CONTROL), 12), 0);
    return true;
  }

  #onDisconnect(c) {
    this.#forgetQueues();
    const event = { type: 'disconnect', by: 'server', data: c.readUInt32BE(4) };
    if (c[0] === 0x84 && this.state === 'connected') {
      this.state = 'acknowledging';
      this.closing = event;
      return true;
    }
    this.#close(event);
    return true;
  }

  #onControl(c) {
    if (this.state === 'connecting') return this.violation(`command ${c[0] & 15} before VERIFY_CONNECT`, c), false;
    this.#trackControl(c);
    return true;
  }

  #onData(c, id) {
    if (this.state === 'disconnecting' || this.state === 'acknowledging') return false; // the C client ignores data while it disconnects
    if (this.state !== 'connected') return this.violation(`data before VERIFY_CONNECT`, c), false;
    if (c[1] >= limits.channels) return this.violation(`channel ${c[1]} of ${limits.channels}`, c), false;
    if (id === cmd.unreliable) return this.#onUnreliable(c), true;
    if (id === cmd.reliable) return this.#track(c[1], c, { data: Buffer.from(c.subarray(6)) }), true;
    const f = {
      start: c.readUInt16BE(4), count: c.readUInt32BE(8), number: c.readUInt32BE(12),
      total: c.readUInt32BE(16), offset: c.readUInt32BE(20), data: Buffer.from(c.subarray(24)),
    };
    const seq = c.readUInt16BE(2);
    if (f.number >= f.count || f.offset >= f.total || f.offset + f.data.length > f.total || ahead(seq, f.start) !== f.number) {
      return this.violation(`fragment ${f.number}/${f.count} at ${f.offset}+${f.data.length}/${f.total}, seq ${seq}, start ${f.start}`, c), false;
    }
    this.#track(c[1], c, { fragment: f });
    return true;
  }

  #stream(channel) {
    let s = this.inStreams.get(channel);
    if (!s) this.inStreams.set(channel, (s = new InStream()));
    return s;
  }

  // The C client handles connection-level commands in order of arrival, so a server may give a PING any number (for example to
  // challenge a new port). Two different commands with one number are a violation.
  #trackControl(c) {
    const s = this.#stream(CONTROL);
    const seq = c.readUInt16BE(2);
    const known = s.recent.get(seq);
    if (known) this.stats.duplicates++;
    if (known && !known.equals(c)) this.violation(`connection-level sequence ${seq} sent again with other bytes`, c);
    s.remember(seq, Buffer.from(c));
  }

  // Handles one reliable command of a data channel.
  #track(channel, c, entry) {
    const s = this.#stream(channel);
    const seq = c.readUInt16BE(2);
    const distance = ahead(seq, s.delivered);
    const known = s.recent.get(seq);
    if (distance === 0 || distance >= 0x8000 || s.held.has(seq)) {
      this.stats.duplicates++;
      if (known && !known.equals(c)) this.violation(`channel ${channel}: sequence ${seq} sent again with other bytes`, c);
      if (!known && 0x10000 - distance > limits.aheadLimit && distance !== 0) this.violation(`channel ${channel}: sequence ${seq} after ${s.delivered}`, c);
      return;
    }
    if (distance > limits.aheadLimit) return this.violation(`channel ${channel}: sequence ${seq} after ${s.delivered}`, c);
    s.remember(seq, Buffer.from(c));
    s.held.set(seq, entry);
    for (let next = (s.delivered + 1) & 0xffff; s.held.has(next); next = (s.delivered + 1) & 0xffff) {
      const e = s.held.get(next);
      s.held.delete(next);
      s.delivered = next;
      this.#deliver(channel, s, next, e);
    }
    s.holeSince = s.held.size === 0 ? 0 : s.holeSince || this.now;
    this.#releaseUnreliable(channel, s);
  }

  #deliver(channel, s, seq, { data, fragment: f }) {
    if (data) {
      if (s.assembly) this.violation(`channel ${channel}: message between the fragments of another`, data);
      s.assembly = null;
      return this.onEvent({ type: 'message', channel, reliable: true, fragmented: false, data });
    }
    if (f.number === 0) s.assembly = { start: f.start, count: f.count, total: f.total, length: 0, parts: [] };
    const a = s.assembly;
    if (!a || a.start !== f.start || a.count !== f.count || a.total !== f.total || a.length !== f.offset || a.parts.length !== f.number) {
      s.assembly = null;
      return this.violation(`channel ${channel}: fragment ${f.number} at sequence ${seq} does not continue its message`, f.data);
    }
    a.parts.push(f.data);
    a.length += f.data.length;
    if (a.parts.length < a.count) return;
    s.assembly = null;
    if (a.length !== a.total) return this.violation(`channel ${channel}: fragments give ${a.length} of ${a.total} bytes`);
    this.onEvent({ type: 'message', channel, reliable: true, fragmented: true, data: Buffer.concat(a.parts) });
  }

  #onUnreliable(c) {
    const s = this.#stream(c[1]);
    s.heldUnreliable.push({ reliable: c.readUInt16BE(2), seq: c.readUInt16BE(4), data: Buffer.from(c.subarray(8)) });
    if (s.heldUnreliable.length > 256) this.violation(`channel ${c[1]}: 256 unreliable messages wait for reliable ${s.heldUnreliable[0].reliable}`, c);
    this.#releaseUnreliable(c[1], s);
  }

  #releaseUnreliable(channel, s) {
    const waiting = s.heldUnreliable;
    s.heldUnreliable = [];
    for (const u of waiting) {
      const wait = ahead(u.reliable, s.delivered);
      const step = ahead(u.seq, s.lastUnreliable);
      if (wait > 0 && wait < 0x8000) {
        s.heldUnreliable.push(u);
      } else if (wait >= 0x8000 || step === 0 || step >= 0x8000) {
        this.stats.staleUnreliable++;
      } else {
        s.lastUnreliable = u.seq;
        this.onEvent({ type: 'message', channel, reliable: false, fragmented: false, data: u.data });
      }
    }
  }
}
