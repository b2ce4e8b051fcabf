// Reads keyboard, mouse and touch input.

/** The present state of the player's controls. */
export class Controls {
  forward = 0;
  strafe = 0;
  jump = false;
  sprint = false;
  sneak = false;
  turn = 0.6; // direction of the camera, radians
  tilt = 0.96; // angle of the camera above the horizon, radians: 55 degrees
  distance = 13; // distance of the camera from the player, blocks
  onClick: (x: number, y: number) => void = () => {};
  onTalk: () => void = () => {};
  onNumbers: () => void = () => {};
  private held = new Set<string>();
  private drag: { id: number; x: number; y: number } | undefined;

  constructor(view: HTMLElement, stick: HTMLElement, jump: HTMLElement) {
    addEventListener('keydown', (e) => this.key(e, true));
    addEventListener('keyup', (e) => this.key(e, false));
    addEventListener('blur', () => {
      this.held.clear();
      this.read();
    });
    view.addEventListener('contextmenu', (e) => e.preventDefault());
    view.addEventListener('wheel', (e) => (this.distance = Math.min(Math.max(this.distance * (e.deltaY > 0 ? 1.1 : 0.9), 5), 40)), { passive: true });
    view.addEventListener('pointerdown', (e) => {
      if (e.pointerType === 'mouse' && e.button === 2) this.drag = { id: e.pointerId, x: e.clientX, y: e.clientY };
      else if (e.button === 0) this.onClick(e.clientX, e.clientY);
    });
    addEventListener('pointermove', (e) => {
      if (this.drag?.id !== e.pointerId) return;
      this.turn += (e.clientX - this.drag.x) * 0.006;
      this.tilt = Math.min(Math.max(this.tilt + (e.clientY - this.drag.y) * 0.004, 0.35), 1.4);
      this.drag = { id: e.pointerId, x: e.clientX, y: e.clientY };
    });
    addEventListener('pointerup', () => (this.drag = undefined));
    if (matchMedia('(pointer: coarse)').matches || navigator.maxTouchPoints > 0) this.touch(stick, jump);
  }

  private key(e: KeyboardEvent, down: boolean): void {
    if (e.target instanceof HTMLInputElement && e.target.id === 'line' || document.querySelector('dialog[open]')) return;
    if (down && e.code === 'Enter') {
      e.preventDefault();
      this.onTalk();
      return;
    }
    if (down && e.code === 'F3') {
      e.preventDefault();
      this.onNumbers();
      return;
    }
    if (e.code === 'Space') e.preventDefault();
    if (down) this.held.add(e.code);
    else this.held.delete(e.code);
    this.read();
  }

  private read(): void {
    const on = (...codes: string[]): number => (codes.some((c) => this.held.has(c)) ? 1 : 0);
    this.forward = on('KeyW', 'ArrowUp') - on('KeyS', 'ArrowDown');
    this.strafe = on('KeyA', 'ArrowLeft') - on('KeyD', 'ArrowRight');
    this.jump = this.held.has('Space');
    this.sprint = this.held.has('ShiftLeft') || this.held.has('ShiftRight');
    this.sneak = this.held.has('KeyC');
  }

  private touch(stick: HTMLElement, jump: HTMLElement): void {
    stick.hidden = jump.hidden = false;
    const knob = stick.firstElementChild as HTMLElement;
    const move = (e: PointerEvent): void => {
      const r = stick.getBoundingClientRect();
      const x = Math.max(-1, Math.min(((e.clientX - r.left) / r.width) * 2 - 1, 1)), y = Math.max(-1, Math.min(((e.clientY - r.top) / r.height) * 2 - 1, 1));
      knob.style.transform = `translate(${x * 38}px, ${y * 38}px)`;
      this.forward = Math.abs(y) > 0.2 ? -y : 0;
      this.strafe = Math.abs(x) > 0.2 ? -x : 0;
    };
    stick.addEventListener('pointerdown', (e) => {
      stick.setPointerCapture(e.pointerId);
      move(e);
    });
    stick.addEventListener('pointermove', (e) => {
      if (stick.hasPointerCapture(e.pointerId)) move(e);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      stick.addEventListener(end, () => {
        this.forward = this.strafe = 0;
        knob.style.transform = '';
      });
    }
    jump.addEventListener('pointerdown', () => (this.jump = true));
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) jump.addEventListener(end, () => (this.jump = false));
  }
}
