import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { ConsoleApi } from './console_api.mjs';

/** A server that ends the connection of the first `lost` requests without an answer. */
async function server(t, lost) {
  const requests = [];
  const s = http.createServer((q, a) => {
    requests.push(`${q.method} ${q.url}`);
    if (requests.length <= lost) q.socket.destroy();
    else a.end('{"players":[]}');
  });
  await new Promise((done) => s.listen(0, '127.0.0.1', done));
  t.after(() => {
    s.closeAllConnections();
    s.close();
  });
  return { api: new ConsoleApi(`http://127.0.0.1:${s.address().port}`, 'token'), requests };
}

test('a GET whose connection ends without an answer is sent again, once', async (t) => {
  const { api, requests } = await server(t, 1);
  assert.deepEqual(await api.get('/players'), { players: [] });
  assert.deepEqual(requests, ['GET /api/v1/players', 'GET /api/v1/players']);
  const dead = await server(t, 9);
  await assert.rejects(dead.api.get('/players'), /^Error: console API: GET \/players: fetch failed: other side closed$/);
  assert.equal(dead.requests.length, 2);
});

test('a POST whose connection ends without an answer is not sent again, because it may have taken effect', async (t) => {
  const { api, requests } = await server(t, 1);
  await assert.rejects(api.call('POST', '/announce', { text: 'x' }), /^Error: console API: POST \/announce: fetch failed: other side closed$/);
  assert.deepEqual(requests, ['POST /api/v1/announce']);
});
