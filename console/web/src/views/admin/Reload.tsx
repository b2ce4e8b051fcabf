import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Reloaded } from "../../api/types";
import { loadWorld, useDenied } from "../../state";
import { ActionDialog } from "../../ui/ActionDialog";
import { Button, Dialog } from "../../ui/basics";

// Reload makes the server read its settings and its world file again, and shows what changed and what needs a restart.
export function Reload() {
  const [asked, setAsked] = useState(false);
  const [result, setResult] = useState<Reloaded | null>(null);
  const denied = useDenied("admin", "Only an administrator can reload the settings.");
  const act = async () => {
    const done = await api.reload();
    if (done.world) await loadWorld();
    setResult(done);
  };
  return (
    <section class="card form" aria-label="Reload">
      <h2>Reload</h2>
      <p class="page-sub">Reads the settings and the world file again. Players stay in the world. What needs a restart stays as it is, and is named.</p>
      {denied && <p class="hint">{denied}</p>}
      <div class="form-buttons">
        <Button kind="primary" why={denied} onClick={() => setAsked(true)} data-testid="reload">
          Reload
        </Button>
      </div>
      {asked && (
        <ActionDialog title="Reload settings and world" verb="Reload" act={act} doneText="Settings and world were read again." onClose={() => setAsked(false)} onDone={() => setAsked(false)}>
          <p>The server reads its settings and its world file again. A changed world file is applied as a whole between two ticks, or not at all.</p>
        </ActionDialog>
      )}
      {result && !asked && <ReloadResult result={result} onClose={() => setResult(null)} />}
    </section>
  );
}

function ReloadResult({ result, onClose }: { result: Reloaded; onClose: () => void }) {
  const changes = result.world?.changes ?? [];
  return (
    <Dialog title="Reloaded" onClose={onClose} testid="reload-result" wide>
      {result.applied.length + result.kept.length + changes.length === 0 && <p>Nothing has changed.</p>}
      {changes.length > 0 && (
        <>
          <h3>Changed in the world</h3>
          <ul class="reload-list" data-testid="reload-world">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <p class="hint">The areas paused for {result.world?.pausedMs} ms.</p>
        </>
      )}
      {result.applied.length > 0 && (
        <>
          <h3>Changed settings</h3>
          <ul class="reload-list" data-testid="reload-applied">
            {result.applied.map((a) => (
              <li key={a.setting}>
                <b>{a.setting}</b> from {a.from} to {a.to}
              </li>
            ))}
          </ul>
        </>
      )}
      {result.kept.length > 0 && (
        <>
          <h3>Not changed: needs a restart</h3>
          <ul class="reload-list" data-testid="reload-kept">
            {result.kept.map((k) => (
              <li key={k.setting}>
                <b>{k.setting}</b>: {k.why}
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="form-buttons">
        <Button kind="primary" onClick={onClose} data-testid="reload-close">
          Close
        </Button>
      </div>
    </Dialog>
  );
}
