import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { toast, useDenied } from "../state";
import { Button, Dialog } from "./basics";

interface ActionDialogProps {
  title: string;
  children: ComponentChildren;
  verb: string;
  danger?: boolean;
  ready?: boolean;
  act: () => Promise<void>;
  doneText: string; // text of the toast after success
  missing?: string; // error text if the server answers 404 for the object of the action; by default the server's message
  onClose: () => void;
  onDone: () => void;
}

// ActionDialog asks for confirmation of an action, runs it, and reports the result. It cannot be confirmed while the server
// cannot be reached.
export function ActionDialog({ title, children, verb, danger, ready = true, act, doneText, missing, onClose, onDone }: ActionDialogProps) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const lost = useDenied("viewer", "");
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!ready || busy || lost) return;
    setBusy(true);
    try {
      await act();
      toast("good", doneText);
      onDone();
    } catch (error) {
      setBusy(false);
      setFailed(error instanceof ApiError && error.code === "not_found" && missing ? missing : failure(error));
    }
  };
  return (
    <Dialog title={title} onClose={onClose} testid="action-dialog">
      <form class="form" onSubmit={submit}>
        {children}
        {failed && (
          <p class="form-error" role="alert" data-testid="action-error">
            {failed}
          </p>
        )}
        <div class="form-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? "danger" : "primary"} type="submit" why={lost} disabled={busy || !ready} data-testid="action-confirm">
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

// failure returns a text that explains why an action has failed.
export function failure(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Nothing may have been done.";
  if (error.code === "forbidden") return "Your role does not allow this.";
  return error.message;
}

export function ReasonField({ value, set, hint = "shown to the player and kept in the audit", focus = true }: { value: string; set: (v: string) => void; hint?: string; focus?: boolean }) {
  return (
    <>
      <label class="label" for="why">
        Reason <span class="faint">{hint}</span>
      </label>
      <input id="why" class="input" maxLength={150} autofocus={focus} value={value} onInput={(e) => set(e.currentTarget.value)} data-testid="action-reason" />
    </>
  );
}
