// The HTTP API of the operator console. Tests compare what clients and the page show with its answers.

const LIMIT_MS = 30000;

export class ConsoleApi {
  constructor(base, token) {
    Object.assign(this, { base, token });
  }

  /** Sends any API request; resolves with {status, body}. */
  async call(method, path, body) {
    // The server closes connections that are idle for 5 s. A request that is sent over one at that moment gets no answer: a GET is sent again.
    const { status, text } = await this.#send(method, path, body).catch((e) => {
      if (method === 'GET' && e.cause) return this.#send(method, path);
      throw e;
    }).catch((e) => {
      throw new Error(`console API: ${method} ${path}: ${e.message}${e.cause ? `: ${e.cause.message}` : ''}`);
    });
    return { status, body: text && JSON.parse(text) };
  }

  async #send(method, path, body) {
    const res = await fetch(`${this.base}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    return { status: res.status, text: await res.text() };
  }

  async get(path) {
    const { status, body } = await this.call('GET', path);
    if (status !== 200) throw new Error(`console API: GET ${path} is answered with status ${status} ${body.error?.message}`);
    return body;
  }

  /** The entry of a player in GET players, by name; undefined if the player is not in the world. */
  async player(name) {
    const { players } = await this.get(`/players?q=${encodeURIComponent(name)}`);
    return players.find((p) => p.name === name);
  }

  async area(id) {
    return (await this.get('/overview')).areas.find((a) => a.id === id);
  }
}
