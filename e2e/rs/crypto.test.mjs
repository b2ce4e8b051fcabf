import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import test from 'node:test';
import { Isaac, modPow, publicKey, rsaEncrypt, xteaEncrypt } from './crypto.mjs';
import { Reader, Writer } from './bytes.mjs';
import { FrameReader, clientFrame } from './framing.mjs';
import { clientSizes, serverSizes } from './tables.mjs';

const hex = (s) => Buffer.from(s.replace(/\s/g, ''), 'hex');

const streams = [
  [[1, 2, 3, 4], 'daf8863e 74a5cb37 afd4ed73 877c7c44 8fc83d9b 606024ad ff7a07aa 4fb9c0c7', '3c3d3009'],
  [[51, 52, 53, 54], '21fc9d18 7a803e6f 6370d89f c9958cfa 2b131a4c a2a67345 2e178a42 a2a92f61', 'ae464088'],
  [[0, 0, 0, 0], '182600f3 300b4a8d 301b6622 b08acd21', '7a68710f'],
];
for (const [seed, first, after] of streams) {
  test(`ISAAC seeded ${seed}`, () => {
    const isaac = new Isaac(seed);
    const want = first.split(' ');
    const got = Array.from({ length: 256 }, () => isaac.next().toString(16).padStart(8, '0'));
    assert.deepEqual(got.slice(0, want.length), want);
    assert.equal(isaac.peek().toString(16), after);
    assert.equal(isaac.next().toString(16), after);
  });
}

test('XTEA leaves a tail of less than 8 bytes unencrypted', () => {
  const key = [0x11111111, 0x22222222, 0x33333333, 0x44444444];
  const got = xteaEncrypt(key, Buffer.from('0123456789abcdefXYZ'));
  assert.equal(got.toString('hex'), '5b80d1e171c8eb55a7fca1c7f001191658595a');
});

test('RSA decrypts with the private key, and a block with its top bit set gets a sign byte', () => {
  const { privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 512 });
  const jwk = privateKey.export({ format: 'jwk' });
  const big = (s) => BigInt(`0x${Buffer.from(s, 'base64url').toString('hex')}`);
  const key = { exponent: big(jwk.e), modulus: big(jwk.n) };
  let signs = 0;
  for (let i = 0; i < 30; i++) {
    const plain = Buffer.concat([Buffer.from([10]), crypto.randomBytes(40)]);
    const sent = rsaEncrypt(key, plain);
    assert.ok(sent[0] < 128);
    signs += sent[0] === 0;
    const back = modPow(BigInt(`0x${sent.toString('hex')}`), big(jwk.d), key.modulus);
    assert.equal(back.toString(16), plain.toString('hex').replace(/^0/, ''));
  }
  assert.ok(signs > 0);
});

test('publicKey parses the text of rs-public.txt', () => {
  const key = publicKey('# comment\nexponent     65537\nexponent_hex 10001\nmodulus      123456789\n');
  assert.deepEqual(key, { exponent: 65537n, modulus: 123456789n });
});

const digest = (sizes) => crypto.createHash('sha256').update(sizes.join(',')).digest('hex');

test('size tables have an entry for every opcode', () => {
  assert.equal(clientSizes.length, 94);
  assert.equal(serverSizes.length, 145);
  assert.ok(digest(clientSizes).startsWith('16d43347dd6a0bacb4b940dd77245e70'));
  assert.ok(digest(serverSizes).startsWith('712675c63f27c466ac6e561575dab84d'));
});

test('clientFrame masks the opcode and adds the length', () => {
  const body = new Writer().u16LA(3222).u16LA(3218).u8(0).take();
  assert.equal(clientFrame(new Isaac([1, 2, 3, 4]), 12, body).toString('hex'), '4a160c120c00');
});

const server = (...parts) => {
  const r = new FrameReader(new Isaac([51, 52, 53, 54]));
  const out = [];
  for (const part of parts) {
    r.feed(hex(part));
    for (let f = r.next(); f; f = r.next()) out.push([f.op, f.body.toString('hex')]);
  }
  return out;
};

test('FrameReader reads opcodes of one and of two bytes', () => {
  assert.deepEqual(server('98 f5 00'), [[134, '00']]);
  assert.deepEqual(server('98 f6'), [[135, '']]);
  assert.deepEqual(server('5d 0001 aa ef 1f 0002 bbcc'), [[69, 'aa'], [128, 'bbcc']]);
});

test('FrameReader assembles frames from pieces', () => {
  const whole = '5d0003aabbccef1f00021234';
  for (let i = 2; i < whole.length; i += 2) {
    assert.deepEqual(server(whole.slice(0, i), whole.slice(i)), [[69, 'aabbcc'], [128, '1234']]);
  }
});

test('smarts are one byte below 128 and two from there', () => {
  const values = [0, 127, 128, 255, 256, 32767];
  const w = new Writer();
  for (const v of values) w.smart(v);
  assert.equal(w.take().toString('hex'), '007f808080ff8100ffff');
  const r = new Reader(hex('007f808080ff8100ffff'));
  assert.deepEqual(values.map(() => r.smart()), values);
});
