import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { plural, stamp } from "../../lib/format";
import { useNow } from "../../lib/load";
import { stopText } from "../../lib/rules";
import { useStore } from "../../lib/store";
import { loadPlannedStop, plannedStop, serverNow, toast, useDenied, world } from "../../state";
import { ActionDialog, failure, ReasonField } from "../../ui/ActionDialog";
import { Button } from "../../ui/basics";
import { CancelStopDialog } from "../../ui/CancelStopDialog";
import { MegaphoneIcon } from "../../ui/icons";
import { PeriodField, usePeriod } from "../../ui/PeriodField";
import { Reload } from "./Reload";

// ServerControl announces a text to players, reloads settings and world, and plans a stop or restart of the server.
export function ServerControl() {
  return (
    <div class="admin-cards">
      <Announce />
      <PlanStop />
      <Reload />
    </div>
  );
}

function Announce() {
  const areas = useStore(world)?.areas ?? [];
  const [text, setText] = useState("");
  const [area, setArea] = useState("");
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const denied = useDenied("moderator", "Only moderators can announce.");
  const send = async (e: Event) => {
    e.preventDefault();
    if (text.trim() === "" || busy || denied) return;
    setBusy(true);
    try {
      const { told, missing } = await api.announce(text.trim(), area);
      toast(missing.length > 0 ? "bad" : "good", `Announced to ${plural(told, "player")}${missing.length > 0 ? `, but not to those of node ${missing.join(", ")}, which has not answered` : ""}.`);
      setText("");
      setFailed("");
    } catch (cause) {
      setFailed(failure(cause));
    }
    setBusy(false);
  };
  return (
    <form class="card form" onSubmit={send} aria-label="Announce">
      <h2>Announce</h2>
      <p class="page-sub">Players read it as an announcement of the server, which differs from what players say.</p>
      <label class="label" for="announce-text">
        Text
      </label>
      <input id="announce-text" class="input" maxLength={200} value={text} onInput={(e) => setText(e.currentTarget.value)} data-testid="announce-text" />
      <label class="label" for="announce-area">
        To
      </label>
      <select id="announce-area" class="input" value={area} onChange={(e) => setArea(e.currentTarget.value)} data-testid="announce-area">
        <option value="">Everybody</option>
        {areas.map((a) => (
          <option key={a.id} value={String(a.id)}>
            Players in {a.name}
          </option>
        ))}
      </select>
      {failed && (
        <p class="form-error" role="alert">
          {failed}
        </p>
      )}
      <div class="form-buttons">
        <Button kind="primary" type="submit" icon={<MegaphoneIcon size={16} />} why={denied} disabled={busy || text.trim() === ""} data-testid="announce-send">
          Announce
        </Button>
      </div>
    </form>
  );
}

const delays: [string, string][] = [
  ["1m", "1 minute"],
  ["5m", "5 minutes"],
  ["15m", "15 minutes"],
  ["30m", "30 minutes"],
  ["1h", "1 hour"],
  ["", "At once"],
];
const maxDelay = 7 * 86_400_000; // ms

function PlanStop() {
  const plan = useStore(plannedStop);
  const now = useNow(500) + (serverNow() - Date.now());
  const [restart, setRestart] = useState(true);
  const [why, setWhy] = useState("");
  const [open, setOpen] = useState<"plan" | "cancel" | null>(null);
  const period = usePeriod("5m", maxDelay);
  const denied = useDenied("admin", "Only an administrator can stop the server.");
  const verb = restart ? "Restart" : "Stop";
  const close = () => setOpen(null);
  const done = () => {
    close();
    setWhy("");
  };
  return (
    <>
      <form
        class="card form"
        aria-label="Restart or stop"
        onSubmit={(e) => {
          e.preventDefault();
          if (period.ready && !denied) setOpen("plan");
        }}
      >
        <h2>Restart or stop</h2>
        {plan ? (
          <div class="planned" data-testid="planned">
            <p>
              <b>{stopText(plan, now)}</b> <span class="faint">at {stamp(Date.parse(plan.at))}</span>
            </p>
            <p class="page-sub">
              {plan.by && `planned by ${plan.by}`}
              {plan.reason && `: ${plan.reason}`}
            </p>
            <Button why={denied} onClick={() => setOpen("cancel")} data-testid="stop-cancel">
              Cancel it
            </Button>
          </div>
        ) : (
          <p class="page-sub">Players read the countdown. Everybody is saved before the end.</p>
        )}
        <div class="segments" role="radiogroup" aria-label="Restart or stop">
          <button type="button" role="radio" aria-checked={restart} onClick={() => setRestart(true)} data-testid="plan-restart">
            Restart
          </button>
          <button type="button" role="radio" aria-checked={!restart} onClick={() => setRestart(false)} data-testid="plan-stop">
            Stop
          </button>
        </div>
        <PeriodField id="stop-in" label="In" period={period} choices={delays} until="at" limit="7 days" />
        <ReasonField value={why} set={setWhy} hint="shown to all players" focus={false} />
        {denied && <p class="hint">{denied}</p>}
        <div class="form-buttons">
          <Button kind="danger" type="submit" why={denied} disabled={!period.ready} data-testid="plan-submit">
            {plan ? `${verb} instead` : verb}
          </Button>
        </div>
      </form>
      {open === "plan" && (
        <ActionDialog
          title={`${verb} the server`}
          verb={verb}
          danger
          act={() => api.planStop(restart, period.value, why.trim()).then(loadPlannedStop)}
          doneText={`The ${verb.toLowerCase()} is planned.`}
          onClose={close}
          onDone={done}
        >
          <p>
            The server {restart ? "restarts" : "stops"} {period.ms === null ? "at once" : `at ${stamp(serverNow() + period.ms)}`}. Every player is saved and disconnected.{" "}
            {restart ? "It starts again only if a service manager runs it." : "It must be started again by hand."}
            {plan && " The plan before is replaced."}
          </p>
        </ActionDialog>
      )}
      {open === "cancel" && plan && <CancelStopDialog plan={plan} onClose={close} onDone={close} />}
    </>
  );
}
