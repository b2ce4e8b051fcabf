// The identity of a guest that a browser stores for a server. One tab plays this guest; each further tab becomes a new guest
// until it is closed.

const local = (): Storage | undefined => area('localStorage');
const tab = (): Storage | undefined => area('sessionStorage');

/** A storage of the browser; undefined if there is none, or if the page may not store anything. */
export function area(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    const s = globalThis[name];
    return (s?.getItem as unknown) ? s : undefined; // in Node without a storage file, the object has no methods
  } catch {
    return undefined;
  }
}

/** The guest of one world. */
export class Guest {
  id: string | undefined;
  private store: Storage | undefined;
  private release: (() => void) | undefined;

  constructor(private readonly key: string) {}

  /**
   * Chooses a stored guest that no other tab plays: the one of this tab, or else the one of the browser. Without Web Locks, as
   * on plain HTTP from another machine, all tabs share one guest.
   */
  async choose(): Promise<void> {
    for (const s of [tab(), local()]) {
      const id = s?.getItem(this.key);
      if (!id || !(await this.hold(id))) continue;
      [this.id, this.store] = [id, s];
      return;
    }
    this.store = local()?.getItem(this.key) ? tab() : local();
  }

  /** Stores the id of the guest that the server has assigned. */
  async keep(id: string): Promise<void> {
    if (id !== this.id) await this.hold(id);
    this.id = id;
    (this.store ??= local())?.setItem(this.key, id);
  }

  /** Releases the guest, so that other tabs may play it. */
  free(): void {
    this.release?.();
    this.release = undefined;
  }

  /** Takes the lock of a guest. It resolves with false if another tab has it. */
  private hold(id: string): Promise<boolean> {
    this.free();
    const locks = globalThis.navigator?.locks;
    if (!locks) return Promise.resolve(true);
    return new Promise((resolve) => {
      const held = (lock: Lock | null): Promise<void> | undefined => {
        resolve(lock !== null);
        return lock ? new Promise((release) => { this.release = release; }) : undefined;
      };
      locks.request(`${this.key} ${id}`, { ifAvailable: true }, held).catch(() => resolve(true));
    });
  }
}
