import type { Area, Entry } from "../api/types";
import type { Frame, ActorInfo, Message } from "../live/decode";
import { flagDead } from "../live/decode";
import { Playhead } from "../live/playhead";
import { Sample, Timeline } from "../live/timeline";
import { drawHitMarks, hitMarkMs, type HitMark } from "./hitmarks";
import { content, fit, leastScale, leastScaleOf, panBy, screenX, screenY, worldX, worldZ, zoomAt, type Camera } from "./camera";
import { Crowd, npcKind } from "./crowd";
import { listenGestures } from "./gestures";
import { paintGround } from "./ground";
import { pickActor } from "./hit";
import { always, chooseLabels, labelDrop, LabelSheet, type Box } from "./labels";
import { drawBands, drawMarks, drawWatched, fadeMs, pickMark, type Mark, type Interest, type Watched } from "./marks";
import { Meter } from "./meter";
import { kindOf, kinds, readPalette, type Palette } from "./palette";
import { Pixels } from "./pixels";
import { GroundTiles } from "./tiles";

export interface Layers {
  kinds: boolean[]; // which kinds of actors are shown, indexed as kinds of map/palette
  names: boolean;
  grid: boolean;
  marks: boolean;
}

export interface EngineHandlers {
  select(id: number | null, player: boolean): void;
  openEntry(id: number): void;
  picked(x: number, z: number): void;
  moved(camera: Camera): void; // the operator has moved the camera, whose position is then stored in the address
  unfollowed(): void;
}

const mostMarks = 200;
const mostBlows = 200;
const labelsMs = 200;
const groundMargin = 128; // width in pixels of the border of the ground that is painted outside of the visible part
const maxPixels = 3_000_000; // maximum number of pixels up to which actors are drawn in memory (Pixels); a larger map uses canvas calls

// Engine draws the map on one canvas. It owns the camera, the last frames of the area, and the marks that fade. It does not
// depend on the page: the page sets the selection and receives clicks through callbacks. close stops its animation loop.
export class Engine {
  camera: Camera = { x: 0, z: 0, scale: 1, width: 1, height: 1 };
  readonly meter = new Meter();
  readonly sample = new Sample();
  readonly known = new Map<number, ActorInfo>();
  readonly playhead = new Playhead();
  selected: number | null = null;
  selectedName: string | null = null; // name by which the selected player is found in a recording, where its id may differ
  following = false;
  picking = false;
  viewer: Interest | null = null; // interest of the selected player's door, drawn around the player
  chosenEntry: number | null = null;
  watched: Watched | null = null; // a correction that is watched in a recording
  layers: Layers = { kinds: kinds.map(() => true), names: true, grid: true, marks: true };
  drawn = 0;
  drawnAt = 0; // local ms for which the last image was drawn

  private readonly g: CanvasRenderingContext2D;
  private readonly ground = document.createElement("canvas");
  private groundKey = "";
  private tiles: GroundTiles | null = null;
  private groundAt = { x: 0, z: 0 };
  private groundNames: Box[] = []; // boxes of the names on the painted ground, in pixels of its canvas
  private readonly groundPixels = new Pixels();
  private readonly pixels = new Pixels();
  private image: ImageData | null = null;
  private readonly timeline = new Timeline();
  private area: Area | null = null;
  private palette!: Palette;
  private crowd!: Crowd;
  private labels!: LabelSheet;
  private density = 1;
  private marks: Mark[] = [];
  private blows: HitMark[] = [];
  private named = new Set<number>();
  private namedAt = 0;
  private namedRow = -1; // row of the selected actor when the names were last chosen
  private past = false; // a recording is shown, not the live server
  private pending: Message[] = []; // events of a recording that belong to the next frame
  private stale = false; // the next list of actors replaces all known ones
  private hovered: { x: number; y: number } | null = null;
  private hoveredId: number | null = null;
  private zooming: { left: number; x: number; y: number } | null = null;
  private gliding: { to: Camera; left: number } | null = null;
  private last = 0;
  private request = 0;
  private framed = false; // the camera was set explicitly, so a resize must not fit it again
  private readonly watchers = new Set<() => void>();
  private readonly still = window.matchMedia("(prefers-reduced-motion: reduce)");
  private readonly stopGestures: () => void;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly areaName: (id: number) => string,
    private readonly to: EngineHandlers,
  ) {
    this.g = canvas.getContext("2d", { alpha: false })!;
    this.retheme();
    this.stopGestures = listenGestures(canvas, {
      pan: (dx, dy) => this.pan(dx, dy),
      zoom: (factor, x, y, smooth) => this.zoom(factor, x, y, smooth),
      click: (x, y, touch) => this.click(x, y, touch),
      double: () => this.fitArea(),
      hover: (x, y, inside) => this.hover(x, y, inside),
    });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
    this.resize();
    document.addEventListener("visibilitychange", this.onVisible);
    this.request = requestAnimationFrame(this.loop);
  }

  close(): void {
    cancelAnimationFrame(this.request);
    this.observer.disconnect();
    this.stopGestures();
    this.tiles?.close();
    document.removeEventListener("visibilitychange", this.onVisible);
  }

  private readonly onVisible = (): void => this.meter.pause();

  // ------------------------------------------------------------------------------------------- state

  setArea(area: Area, camera: { x: number; z: number; scale: number } | null): void {
    this.area = area;
    this.showLive();
    this.known.clear();
    this.named.clear();
    this.sample.count = 0;
    this.sample.frame = null;
    this.loadGround();
    this.gliding = this.zooming = null;
    this.framed = camera !== null;
    this.camera = camera === null ? fit(this.camera, content(area)) : { ...this.camera, ...camera };
  }

  // showLive begins to show the live server. The image stays until frames arrive.
  showLive(): void {
    this.past = false;
    this.playhead.reset();
    this.clearScene();
  }

  // showPast begins to show a recording, paused.
  showPast(): void {
    this.past = true;
    this.playhead.reset();
    this.playhead.pause();
    this.clearScene();
  }

  private clearScene(): void {
    this.timeline.clear();
    this.playhead.jump();
    this.stale = true;
    this.marks = [];
    this.blows = [];
    this.pending = [];
  }

  // forget drops the state of a lost connection; the image stays until new frames arrive.
  forget(): void {
    this.stale = true;
    this.playhead.jump();
  }

  // shownTime is the server time that the map shows; NaN before the first frame.
  get shownTime(): number {
    return this.playhead.time;
  }

  retheme(): void {
    this.palette = readPalette();
    this.density = Math.min(3, window.devicePixelRatio || 1);
    this.crowd = new Crowd(this.palette, this.density);
    this.labels = new LabelSheet(this.palette, this.density);
    this.loadGround();
  }

  // loadGround begins to load the ground of the area in the colours of the theme, unless it is loaded or loading.
  private loadGround(): void {
    this.groundKey = "";
    const { area, palette } = this;
    if (this.tiles !== null && this.tiles.area === area && this.tiles.theme === palette.theme) return;
    this.tiles?.close();
    this.tiles = area?.ground === undefined ? null : new GroundTiles(area, palette.theme, () => (this.groundKey = ""));
  }

  setLayers(change: Partial<Layers>): void {
    this.layers = { ...this.layers, ...change };
    for (const watcher of this.watchers) watcher();
  }

  // onLayers registers a callback for changes of the layers.
  onLayers(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  // pointer is the position of the mouse in pixels of the canvas, or null.
  get pointer(): { x: number; y: number } | null {
    return this.hovered;
  }

  get delayMs(): number {
    return this.playhead.delay;
  }

  frame(frame: Frame, arrived: number): void {
    this.playhead.observe(frame.time, arrived);
    this.dress(frame);
    this.timeline.push(frame);
    for (const message of this.pending) this.addEvent(message, frame.time);
    this.pending = [];
  }

  message(message: Message): void {
    switch (message.type) {
      case "reset":
        this.clearScene();
        break;
      case "actors":
        if (this.stale) this.known.clear();
        this.stale = false;
        for (const k of message.add) this.known.set(k.id, k);
        for (const id of message.remove) this.known.delete(id);
        if (message.add.length > 0 && this.timeline.newest) this.dress(this.timeline.newest);
        break;
      case "entry":
      case "hit":
      case "died":
        // Actors are drawn delayMs late, for interpolation. A hit is shown with the same delay.
        if (this.past) this.pending.push(message);
        else this.addEvent(message, performance.now() + (message.type === "entry" ? 0 : this.delayMs));
    }
  }

  // addEvent adds an event that the map shows from the time at on (see sceneTime).
  private addEvent(message: Message, at: number): void {
    if (message.type === "entry") this.addMark(message.entry, at);
    else if (message.type === "hit") this.addBlow({ by: message.by, on: message.on, damage: message.damage, at });
    else if (message.type === "died") this.addBlow({ by: 0, on: message.id, damage: 0, at });
  }

  // sceneTime returns the time by which marks fade: the local time, or in a recording the recording's time, so that marks do
  // not fade during a pause.
  private sceneTime(now: number): number {
    return this.past ? this.playhead.time : now;
  }

  // addMark adds a correction that the map shows from the time at on. It replaces an earlier mark with the same entry id.
  addMark(entry: Entry, at = this.sceneTime(performance.now())): void {
    const i = this.marks.findIndex((m) => m.entry.id === entry.id);
    if (i >= 0) this.marks.splice(i, 1);
    this.marks.push({ entry, at });
    if (this.marks.length > mostMarks) this.marks.shift();
  }

  private addBlow(blow: HitMark): void {
    this.blows.push(blow);
    if (this.blows.length > mostBlows) this.blows.shift();
  }

  private dress(frame: Frame): void {
    for (let i = 0; i < frame.count; i++) {
      const k = this.known.get(frame.ids[i]);
      frame.kind[i] = k === undefined ? ((frame.flags[i] & 1) !== 0 ? kinds.indexOf("other") : npcKind) : kinds.indexOf(kindOf(k.door, k.player));
    }
  }

  // ------------------------------------------------------------------------------------------- camera

  pan(dx: number, dy: number): void {
    this.gliding = null;
    this.framed = true;
    if (this.following) this.to.unfollowed();
    this.following = false;
    this.camera = panBy(this.camera, dx, dy);
    this.to.moved(this.camera);
  }

  zoom(factor: number, x: number, y: number, smooth: boolean): void {
    this.gliding = null;
    this.framed = true;
    if (this.following) {
      x = this.camera.width / 2;
      y = this.camera.height / 2;
    }
    if (smooth && !this.still.matches) {
      this.zooming = { left: (this.zooming?.left ?? 0) + Math.log(factor), x, y };
    } else {
      this.camera = zoomAt(this.camera, factor, x, y, this.leastScale());
      this.to.moved(this.camera);
    }
  }

  private leastScale(): number {
    return this.area === null ? leastScale : leastScaleOf(this.camera, content(this.area));
  }

  // step pans and zooms by keys and buttons, with animation.
  step(dx: number, dy: number, factor: number): void {
    if (factor !== 1) this.zoom(factor, this.camera.width / 2, this.camera.height / 2, true);
    if (dx === 0 && dy === 0) return;
    if (this.following) this.to.unfollowed();
    this.following = false;
    this.slewRate(panBy(this.gliding?.to ?? this.camera, dx, dy));
  }

  fitArea(): void {
    if (this.area === null) return;
    if (this.following) this.to.unfollowed();
    this.following = false;
    this.slewRate(fit(this.camera, content(this.area)));
    this.framed = false;
  }

  centre(x: number, z: number, scale?: number): void {
    this.slewRate({ ...this.camera, x, z, scale: scale ?? this.camera.scale });
  }

  private slewRate(to: Camera): void {
    this.framed = true;
    this.zooming = null;
    if (this.still.matches) {
      this.camera = to;
      this.to.moved(to);
    } else {
      this.gliding = { to, left: 1 };
    }
  }

  private moveCamera(dt: number): void {
    if (this.zooming !== null) {
      const { left, x, y } = this.zooming;
      const part = Math.abs(left) < 0.002 ? left : left * (1 - Math.exp(-dt / 55));
      this.camera = zoomAt(this.camera, Math.exp(part), x, y, this.leastScale());
      this.zooming = part === left ? null : { left: left - part, x, y };
      if (this.zooming === null) this.to.moved(this.camera);
    }
    if (this.gliding !== null) {
      const { to, left } = this.gliding;
      const share = left < 0.01 ? 1 : 1 - Math.exp(-dt / 80);
      const c = this.camera;
      this.camera = {
        ...c,
        x: c.x + (to.x - c.x) * share,
        z: c.z + (to.z - c.z) * share,
        scale: c.scale * (to.scale / c.scale) ** share,
      };
      this.gliding = share === 1 ? null : { to, left: left * (1 - share) };
      if (this.gliding === null) this.to.moved(this.camera);
    }
    if (this.following && this.selected !== null) this.chase(dt);
  }

  // selectedRow returns the row of the selected actor, -1 if it is not in the area.
  selectedRow(): number {
    if (this.selected === null) return -1;
    const row = this.sample.row(this.selected);
    if (row >= 0 || !this.past || this.selectedName === null) return row;
    for (const k of this.known.values()) if (k.player && k.name === this.selectedName) return this.sample.row(k.id);
    return -1;
  }

  private chase(dt: number): void {
    const row = this.selectedRow();
    if (row < 0) return;
    const dx = this.sample.x[row] - this.camera.x;
    const dz = this.sample.z[row] - this.camera.z;
    const near = Math.hypot(dx, dz) * this.camera.scale < 3 || this.still.matches;
    const share = near ? 1 : 1 - Math.exp(-dt / 90);
    this.camera = { ...this.camera, x: this.camera.x + dx * share, z: this.camera.z + dz * share };
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const density = Math.min(3, window.devicePixelRatio || 1);
    if (density !== this.density) this.retheme();
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
    this.ground.width = Math.round((width + 2 * groundMargin) * density);
    this.ground.height = Math.round((height + 2 * groundMargin) * density);
    this.camera = { ...this.camera, width, height };
    this.groundKey = "";
    if (!this.framed && this.area !== null) this.camera = fit(this.camera, content(this.area));
  }

  // ------------------------------------------------------------------------------------------- clicks

  private rowShown = (row: number): boolean => this.layers.kinds[this.sample.frame!.kind[row]];
  private rowPlayer = (row: number): boolean => this.sample.frame!.kind[row] !== npcKind;

  private click(x: number, y: number, touch: boolean): void {
    if (this.picking) {
      this.to.picked(worldX(this.camera, x), worldZ(this.camera, y));
      return;
    }
    const row = this.sample.frame === null ? -1 : pickActor(this.sample, this.camera, x, y, touch ? 26 : 14, this.rowShown, this.rowPlayer);
    const mark = this.layers.marks ? pickMark(this.marks, this.camera, x, y, this.sceneTime(performance.now()), touch ? 14 : 7) : null;
    if (row >= 0 && (mark === null || this.distance(row, x, y) < 10)) this.to.select(this.sample.frame!.ids[row], this.rowPlayer(row));
    else if (mark !== null && mark.entry.id > 0) this.to.openEntry(mark.entry.id);
    else this.to.select(null, false);
  }

  private distance(row: number, x: number, y: number): number {
    return Math.hypot(screenX(this.camera, this.sample.x[row]) - x, screenY(this.camera, this.sample.z[row]) - y);
  }

  private hover(x: number, y: number, inside: boolean): void {
    this.hovered = inside ? { x, y } : null;
  }

  private lookUnderPointer(): void {
    const at = this.hovered;
    const row = at === null || this.sample.frame === null ? -1 : pickActor(this.sample, this.camera, at.x, at.y, 14, this.rowShown, this.rowPlayer);
    const mark = row < 0 && at !== null && this.layers.marks && pickMark(this.marks, this.camera, at.x, at.y, this.sceneTime(performance.now()), 7) !== null;
    this.hoveredId = row < 0 ? null : this.sample.frame!.ids[row];
    const cursor = this.picking ? "crosshair" : row >= 0 || mark ? "pointer" : "";
    if (this.canvas.style.cursor !== cursor) this.canvas.style.cursor = cursor;
  }

  // ------------------------------------------------------------------------------------------- animation loop

  private readonly loop = (now: number): void => {
    this.request = requestAnimationFrame(this.loop);
    const begun = performance.now();
    const dt = Math.min(100, now - this.last);
    this.last = now;
    this.advance(begun);
    this.moveCamera(dt);
    if (this.area !== null && this.canvas.width > 1) this.draw(begun);
    this.meter.frame(now, performance.now() - begun);
  };

  private advance(now: number): void {
    const time = this.playhead.advance(now);
    if (!Number.isNaN(time)) this.timeline.sample(time, this.sample);
    this.drawnAt = now;
  }

  private draw(local: number): void {
    const now = this.sceneTime(local);
    const { g, camera: c, density } = this;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.imageSmoothingEnabled = false; // sprites are copied pixel for pixel
    this.drawGroundAndCrowd();
    const row = this.selectedRow();
    g.setTransform(density, 0, 0, density, 0, 0);
    if (row >= 0 && this.viewer !== null) {
      const kind = kinds[this.sample.frame!.kind[row]];
      drawBands(g, this.viewer, this.sample.x[row], this.sample.z[row], c, this.palette.kinds[kind], this.layers.grid);
    }
    if (row >= 0) this.drawSelection(row);
    if (this.sample.frame !== null) {
      g.setTransform(1, 0, 0, 1, 0, 0);
      this.drawNames(local);
      g.setTransform(density, 0, 0, density, 0, 0);
    }
    if (this.layers.marks) {
      this.marks = this.marks.filter((m) => now - m.at < fadeMs || m.entry.id === this.chosenEntry);
      drawMarks(g, this.marks, c, now, this.palette, this.chosenEntry);
    }
    if (this.watched !== null) drawWatched(g, this.watched, c, now, this.palette);
    const hitTime = Math.max(1, this.playhead.speed); // hits of a fast recording stay visible as long as live ones
    this.blows = this.blows.filter((b) => now - b.at < hitMarkMs * hitTime);
    if (this.blows.length > 0) drawHitMarks(g, this.blows, this.sample, c, now, hitTime, this.palette, this.still.matches);
  }

  // The ground is painted once with a margin around the visible part and copied in each frame, so that following an actor
  // costs no more than a fixed camera.
  private drawGroundAndCrowd(): void {
    const { g, canvas, pixels } = this;
    const small = canvas.width * canvas.height <= maxPixels;
    const { left, top } = this.refreshGround(small);
    if (!small) {
      g.drawImage(this.ground, -left, -top);
      this.drawn = this.sample.frame === null ? 0 : this.crowd.draw(g, this.sample, this.camera, this.layers.kinds);
      return;
    }
    if (pixels.width !== canvas.width || pixels.height !== canvas.height) {
      this.image = g.createImageData(canvas.width, canvas.height);
      pixels.use(this.image);
    }
    pixels.copy(this.groundPixels, left, top);
    this.drawn = this.sample.frame === null ? 0 : this.crowd.draw(pixels, this.sample, this.camera, this.layers.kinds);
    g.putImageData(this.image!, 0, 0);
  }

  // refreshGround paints the ground again if needed. It returns which pixel of the painted ground is at the canvas' top left corner.
  private refreshGround(read: boolean): { left: number; top: number } {
    const c = this.camera;
    const key = `${c.scale} ${c.width} ${c.height} ${this.layers.grid} ${read}`;
    let dx = (c.x - this.groundAt.x) * c.scale;
    let dy = (this.groundAt.z - c.z) * c.scale;
    if (key !== this.groundKey || Math.abs(dx) > groundMargin || Math.abs(dy) > groundMargin) {
      this.groundKey = key;
      this.groundAt = { x: c.x, z: c.z };
      dx = dy = 0;
      const g = this.ground.getContext("2d", { alpha: false, willReadFrequently: read })!;
      g.setTransform(this.density, 0, 0, this.density, 0, 0);
      const withMargin = { ...c, width: c.width + 2 * groundMargin, height: c.height + 2 * groundMargin };
      this.groundNames = paintGround(g, this.area!, withMargin, this.palette, this.layers.grid, this.areaName, groundMargin, this.tiles, this.density);
      if (read) this.groundPixels.use(g.getImageData(0, 0, this.ground.width, this.ground.height));
    }
    return { left: Math.round((dx + groundMargin) * this.density), top: Math.round((dy + groundMargin) * this.density) };
  }

  private drawSelection(row: number): void {
    const { g, camera: c } = this;
    const r = this.crowd.sizeAt(c.scale) + 7;
    g.lineWidth = 2;
    g.strokeStyle = this.palette.accent;
    g.beginPath();
    g.arc(screenX(c, this.sample.x[row]), screenY(c, this.sample.z[row]), r, 0, 2 * Math.PI);
    g.stroke();
    if (this.following) {
      g.setLineDash([3, 5]);
      g.beginPath();
      g.arc(screenX(c, this.sample.x[row]), screenY(c, this.sample.z[row]), r + 4, 0, 2 * Math.PI);
      g.stroke();
      g.setLineDash([]);
    }
  }

  private drawNames(now: number): void {
    const { sample: s, camera: c, g } = this;
    this.lookUnderPointer();
    if (now - this.namedAt > labelsMs) {
      this.namedAt = now;
      this.namedRow = this.selectedRow();
      this.named = chooseLabels(s, c, this.nameWorth, this.named, 70, this.nameWide, this.groundBoxes());
    }
    const frame = s.frame!;
    for (let i = 0; i < s.count; i++) {
      if (!this.named.has(frame.ids[i])) continue;
      const name = this.nameOf(i);
      if (name === "") continue;
      const strong = frame.kind[i] !== npcKind || frame.ids[i] === this.selected;
      const picture = this.labels.get(name, strong);
      const x = Math.round(screenX(c, s.x[i]) * this.density - picture.width / 2);
      const y = Math.round((screenY(c, s.z[i]) + labelDrop) * this.density - picture.height / 2);
      g.drawImage(picture, x, y);
    }
  }

  // groundBoxes returns the rectangles that the names painted on the ground now cover on the canvas.
  private groundBoxes(): Box[] {
    const { camera: c, groundAt } = this;
    const dx = groundMargin + (c.x - groundAt.x) * c.scale;
    const dy = groundMargin + (groundAt.z - c.z) * c.scale;
    return this.groundNames.map((b) => ({ left: b.left - dx, right: b.right - dx, top: b.top - dy, bottom: b.bottom - dy }));
  }

  private readonly nameWide = (row: number): number => {
    return this.labels.get(this.nameOf(row), this.sample.frame!.kind[row] !== npcKind).width / this.density;
  };

  private nameOf(row: number): string {
    return this.known.get(this.sample.frame!.ids[row])?.name ?? "";
  }

  private readonly nameWorth = (row: number): number => {
    const frame = this.sample.frame!;
    const id = frame.ids[row];
    if (!this.layers.kinds[frame.kind[row]]) return 0;
    if (row === this.namedRow) return always + 1;
    if (id === this.hoveredId) return always;
    if (!this.layers.names) return 0;
    const dead = (frame.flags[row] & flagDead) !== 0 ? 0.4 : 0;
    if (frame.kind[row] !== npcKind) return this.camera.scale > 0.25 ? 5 - dead : 0;
    return this.camera.scale > 1.1 ? 2 - dead : 0;
  };
}
