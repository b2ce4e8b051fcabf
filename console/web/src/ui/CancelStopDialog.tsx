import { api } from "../api/client";
import type { PlannedStop } from "../api/types";
import { loadPlannedStop } from "../state";
import { ActionDialog } from "./ActionDialog";

// CancelStopDialog cancels the planned stop or restart of the server.
export function CancelStopDialog({ plan, onClose, onDone }: { plan: PlannedStop; onClose: () => void; onDone: () => void }) {
  const what = plan.restart ? "restart" : "stop";
  return (
    <ActionDialog title={`Cancel the ${what}`} verb={`Cancel the ${what}`} act={() => api.cancelStop().then(loadPlannedStop)} doneText={`The ${what} is cancelled.`} onClose={onClose} onDone={onDone}>
      <p>The server goes on running, and the players are told so.</p>
    </ActionDialog>
  );
}
