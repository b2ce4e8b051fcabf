import type { Area, Ground } from "../api/types";
import type { Theme } from "./palette";

// A tile of GET /ground: x counts from the west, z from the south.
export interface Tile {
  level: number;
  x: number;
  z: number;
}

// Range is the part of an area that is shown, in world units.
export interface Range {
  minX: number;
  minZ: number;
  maxX: number;
  maxZ: number;
}

// levelFor returns the level of tiles whose pixels are about as large as the screen's. density is the number of device pixels
// per world unit.
export function levelFor(ground: Ground, density: number): number {
  const exact = Math.log2((density * ground.size) / ground.tile);
  return Math.max(0, Math.min(ground.levels - 1, Math.ceil(exact - 0.3)));
}

// tilesIn returns the tiles of a level that a range touches, those near its middle first.
export function tilesIn(ground: Ground, level: number, seen: Range): Tile[] {
  const n = 2 ** level;
  const edge = ground.size / n;
  const cell = (v: number) => Math.max(0, Math.min(n - 1, Math.floor(v / edge)));
  if (seen.maxX < ground.x || seen.minX > ground.x + ground.size || seen.maxZ < ground.z || seen.minZ > ground.z + ground.size) return [];
  const list: Tile[] = [];
  for (let z = cell(seen.minZ - ground.z); z <= cell(seen.maxZ - ground.z); z++) {
    for (let x = cell(seen.minX - ground.x); x <= cell(seen.maxX - ground.x); x++) list.push({ level, x, z });
  }
  const midX = ((seen.minX + seen.maxX) / 2 - ground.x) / edge - 0.5;
  const midZ = ((seen.minZ + seen.maxZ) / 2 - ground.z) / edge - 0.5;
  const far = (t: Tile) => (t.x - midX) ** 2 + (t.z - midZ) ** 2;
  return list.sort((a, b) => far(a) - far(b));
}

export const tileUrl = (area: number, theme: Theme, tag: string, t: Tile): string =>
  `/api/v1/ground?area=${area}&theme=${theme}&level=${t.level}&x=${t.x}&z=${t.z}&tag=${tag}`;

const mostLoading = 4;
const mostKept = 96; // maximum number of cached tile images, about 1 MiB each
const retryMs = 4000;

// GroundTiles loads the tile images of one area's ground and caches the most recently used ones.
export class GroundTiles {
  private readonly kept = new Map<string, HTMLImageElement>(); // cached images, least recently used first
  private readonly loading = new Map<string, HTMLImageElement>();
  private readonly failed = new Map<string, number>(); // time of the failure
  private wanted: Tile[] = [];
  private timer = 0;
  private closed = false;

  constructor(
    readonly area: Area,
    readonly theme: Theme,
    private readonly changed: () => void,
  ) {}

  // close stops loading.
  close(): void {
    this.closed = true;
    window.clearTimeout(this.timer);
    for (const picture of this.loading.values()) picture.src = "";
  }

  // want replaces the list of tiles to load, the most important first.
  want(tiles: Tile[]): void {
    this.wanted = tiles.filter((t) => !this.kept.has(this.key(t)));
    this.next();
  }

  // get returns the picture of a tile, or undefined until it is loaded.
  get(t: Tile): HTMLImageElement | undefined {
    const key = this.key(t);
    const picture = this.kept.get(key);
    if (picture !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, picture);
    }
    return picture;
  }

  get size(): number {
    return this.kept.size;
  }

  private key(t: Tile): string {
    return `${t.level} ${t.x} ${t.z}`;
  }

  private next(): void {
    while (!this.closed && this.loading.size < mostLoading) {
      const now = performance.now();
      const tile = this.wanted.find((t) => !this.loading.has(this.key(t)) && now - (this.failed.get(this.key(t)) ?? -retryMs) >= retryMs);
      if (tile === undefined) return;
      this.load(tile);
    }
  }

  private load(tile: Tile): void {
    const key = this.key(tile);
    const picture = new Image();
    this.loading.set(key, picture);
    this.wanted = this.wanted.filter((t) => this.key(t) !== key);
    picture.onload = () => {
      this.loading.delete(key);
      this.failed.delete(key);
      this.kept.set(key, picture);
      for (const old of this.kept.keys()) {
        if (this.kept.size <= mostKept) break;
        this.kept.delete(old);
      }
      if (!this.closed) this.changed();
      this.next();
    };
    picture.onerror = () => {
      this.loading.delete(key);
      this.failed.set(key, performance.now());
      if (this.closed) return;
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(this.changed, retryMs); // the map is then painted again and requests the tile again
      this.next();
    };
    picture.src = tileUrl(this.area.id, this.theme, this.area.ground!.tag, tile);
  }
}
