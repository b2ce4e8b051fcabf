import { Dialog } from "./basics";

const groups: { title: string; keys: [string[], string][] }[] = [
  {
    title: "Anywhere",
    keys: [
      [["/"], "Search players and areas"],
      [["g", "m"], "Map"],
      [["g", "p"], "Players"],
      [["g", "c"], "Corrections"],
      [["g", "h"], "Charts"],
      [["g", "b"], "Held back"],
      [["g", "u"], "Accounts"],
      [["g", "l"], "Cluster, if there is one"],
      [["g", "a"], "Admin: audit, chat, bans, server"],
      [["Esc"], "Close the panel"],
      [["?"], "This help"],
    ],
  },
  {
    title: "Map",
    keys: [
      [["←", "↑", "↓", "→"], "Pan; farther with Shift"],
      [["+", "−"], "Zoom"],
      [["0"], "Show the whole area"],
      [["1", "…", "9"], "Go to an area"],
      [["f"], "Follow the selected actor"],
      [["n"], "Select the next player"],
      [["l"], "Names on and off"],
      [["k"], "Grid on and off"],
    ],
  },
  {
    title: "Time",
    keys: [
      [["Space"], "Pause and play"],
      [["["], "One tick back; 20 with Shift"],
      [["]"], "One tick on; 20 with Shift"],
      [["<", ">"], "Slower, faster"],
      [["Home"], "The oldest recorded time"],
      [["End"], "Live"],
      [["←", "→"], "On the time bar: 1 s; 10 s with Shift"],
      [["PgDn", "PgUp"], "On the time bar: a minute back, on"],
    ],
  },
];

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose} testid="keys-help" wide>
      <div class="keys-columns">
        {groups.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl class="keys-list">
              {group.keys.map(([keys, what]) => (
                <div key={what}>
                  <dt>
                    {keys.map((k) => (
                      <kbd key={k}>{k}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="hint">On the map: drag to pan, turn the wheel or pinch to zoom, click to select, double-click to see the whole area. On the time bar: drag to look at the past, turn the wheel to zoom.</p>
    </Dialog>
  );
}
