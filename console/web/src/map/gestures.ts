// listenGestures turns pointer, wheel and touch events on the map into pan, zoom and click. Positions are CSS pixels of the element.
export interface Gestures {
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number, smooth: boolean): void;
  click(x: number, y: number, touch: boolean): void;
  double(x: number, y: number): void;
  hover(x: number, y: number, inside: boolean): void;
}

const tapSlop = 5; // maximum movement of the pointer during a tap, in pixels

export function listenGestures(element: HTMLElement, to: Gestures): () => void {
  const down = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let pinched = false;
  const at = (e: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...down.values()];
    return { far: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  const press = (e: PointerEvent) => {
    if (e.pointerType === "mouse" && e.button !== 0) return;
    element.setPointerCapture(e.pointerId);
    down.set(e.pointerId, at(e));
    if (down.size === 1) {
      moved = 0;
      pinched = false;
    } else {
      pinched = true;
    }
  };
  const move = (e: PointerEvent) => {
    const p = at(e);
    const old = down.get(e.pointerId);
    if (old === undefined) {
      to.hover(p.x, p.y, true);
      return;
    }
    if (down.size === 2) {
      const before = spread();
      down.set(e.pointerId, p);
      const after = spread();
      to.pan(after.x - before.x, after.y - before.y);
      to.zoom(after.far / before.far, after.x, after.y, false);
      return;
    }
    moved += Math.hypot(p.x - old.x, p.y - old.y);
    if (moved < tapSlop) return;
    down.set(e.pointerId, p);
    to.pan(p.x - old.x, p.y - old.y);
  };
  const release = (e: PointerEvent) => {
    if (!down.delete(e.pointerId)) return;
    if (down.size === 0 && !pinched && moved < tapSlop && e.type === "pointerup") {
      const p = at(e);
      to.click(p.x, p.y, e.pointerType !== "mouse");
    }
  };
  const wheel = (e: WheelEvent) => {
    e.preventDefault();
    const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : e.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 300 : 1;
    const p = at(e);
    const turn = Math.max(-300, Math.min(300, e.deltaY * lines));
    to.zoom(Math.exp(-turn * (e.ctrlKey ? 0.01 : 0.002)), p.x, p.y, !e.ctrlKey);
  };
  const twice = (e: MouseEvent) => {
    const p = at(e);
    to.double(p.x, p.y);
  };
  const leave = () => to.hover(0, 0, false);

  element.addEventListener("pointerdown", press);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", leave);
  element.addEventListener("wheel", wheel, { passive: false });
  element.addEventListener("dblclick", twice);
  return () => {
    element.removeEventListener("pointerdown", press);
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", release);
    element.removeEventListener("pointercancel", release);
    element.removeEventListener("pointerleave", leave);
    element.removeEventListener("wheel", wheel);
    element.removeEventListener("dblclick", twice);
  };
}
