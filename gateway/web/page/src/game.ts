// Display of a game's own data: fields of the area and of the own player, and buttons for commands without arguments or with
// one argument that is a word from a list.

import type { CommandSchema, World } from '../../../../client/ts/src/index.ts';

const MAX_BUTTONS = 12;

/** The buttons for a command: one if it has no arguments, or one for each word of its only argument. */
function choices(c: CommandSchema): { label: string; args: Record<string, unknown> }[] {
  const args = c.args ?? [];
  if (args.length === 0) return [{ label: c.name, args: {} }];
  if (args.length > 1 || !args[0]!.words?.length) return [];
  const [arg] = args;
  return arg!.words!.map((w) => ({ label: `${c.name} ${w}`, args: { [arg!.name]: w } }));
}

export class GamePanel {
  private text = '';

  constructor(private root: HTMLElement, private log: (text: string, tone?: string) => void) {}

  /** Creates the buttons for the commands of a world, and subscribes to its events. */
  open(w: World): void {
    this.root.replaceChildren(document.createElement('p'));
    this.text = '';
    const all = (w.gameSchema.commands ?? []).flatMap((c) => choices(c).map((x) => ({ ...x, command: c })));
    for (const { label, args, command } of all.slice(0, MAX_BUTTONS)) {
      const b = document.createElement('button');
      b.textContent = label.replaceAll('_', ' ');
      b.title = command.help ?? '';
      b.addEventListener('click', () => {
        b.blur();
        void w.command(command.name, args).then((a) => a.ok || this.log(a.sentence, 'warning'));
      });
      this.root.append(b);
    }
    for (const e of w.gameSchema.events ?? []) {
      w.onGame(e.name, (x) => {
        const args = (e.args ?? []).map((a) => {
          const v = x[a.name];
          return `${a.name} ${v && typeof v === 'object' && 'name' in v ? v.name : String(v ?? 'somebody')}`;
        });
        this.log([x.who?.name, e.name.replaceAll('_', ' '), ...args].filter(Boolean).join(' · '), 'combat');
      });
    }
  }

  /** Shows the present values of the fields. */
  update(w: World): void {
    const text = [...Object.entries(w.area.fields), ...Object.entries(w.self.fields)].map(([k, v]) => `${k.replaceAll('_', ' ')} ${String(v)}`).join('  ·  ');
    this.root.hidden = text === '' && this.root.children.length < 2;
    if (text === this.text) return;
    this.text = text;
    this.root.firstElementChild!.textContent = text;
  }
}
