// A web server for the files of a folder.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves a folder, which may not exist yet, on a free port. Resolves with {origin, close}. */
export async function serveFolder(folder) {
  const s = http.createServer((q, a) => {
    const file = path.join(folder, path.normalize(new URL(q.url, 'http://x').pathname).replace(/\/$/, '/index.html'));
    fs.readFile(file, (err, bytes) => a.writeHead(err ? 404 : 200, { 'Content-Type': types[path.extname(file)] ?? 'text/plain' }).end(bytes));
  });
  await new Promise((resolve) => s.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${s.address().port}`, close: () => s.close() };
}
