import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ApiError } from "../api/client";
import type { Verdict, Weight } from "../api/types";
import { count } from "../lib/format";
import { reasonShade } from "../lib/reasons";
import { kindOf } from "../map/palette";
import { CheckIcon, CloseIcon, DoorMark, WarnIcon } from "./icons";
import { dismiss, toasts, world } from "../state";
import { useStore } from "../lib/store";

type ButtonProps = JSX.IntrinsicElements["button"] & {
  kind?: "plain" | "primary" | "danger" | "ghost";
  icon?: ComponentChildren;
  why?: string | null; // reason for which the button is disabled; null or absent if it is enabled
};

// Button is disabled if the parameter why is a reason. A disabled button stays in the tab order, shows why, and submits no form.
export function Button({ kind = "plain", icon, why, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button button-${kind} ${rest.class ?? ""}`}
      aria-disabled={why ? "true" : undefined}
      title={why ?? (rest.title as string | undefined)}
      onClick={why ? (e) => e.preventDefault() : onClick}
    >
      {icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

export function IconButton({ label, children, pressed, ...rest }: JSX.IntrinsicElements["button"] & { label: string; pressed?: boolean }) {
  return (
    <button type="button" {...rest} class={`icon-button ${rest.class ?? ""}`} aria-label={label} title={(rest.title as string) ?? label} aria-pressed={pressed}>
      {children}
    </button>
  );
}

// Dialog is a modal <dialog> of the browser, which keeps the focus inside and closes on Escape.
export function Dialog({ title, onClose, children, testid, wide }: { title: string; onClose: () => void; children: ComponentChildren; testid?: string; wide?: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const back = document.activeElement as HTMLElement | null;
    element.current!.showModal();
    return () => back?.focus?.();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${wide ? "dialog-wide" : ""}`}
      aria-label={title}
      data-testid={testid}
      onCancel={(e) => {
        e.preventDefault();
        onClose();
      }}
      onClick={(e) => {
        if (e.target === element.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2>{title}</h2>
          <IconButton label="Close" onClick={onClose}>
            <CloseIcon size={18} />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  );
}

// Empty is shown in place of an empty list. It says why the list is empty and what the operator can do.
export function Empty({ title, children, icon }: { title: string; children?: ComponentChildren; icon?: ComponentChildren }) {
  return (
    <div class="empty" data-testid="empty">
      {icon}
      <p class="empty-title">{title}</p>
      {children && <p class="empty-text">{children}</p>}
    </div>
  );
}

// Failure says what could not be loaded. If the server was not reached, useLoaded retries by itself.
export function Failure({ error, what, retry }: { error: ApiError; what: string; retry?: () => void }) {
  return (
    <div class="empty" role="alert" data-testid="failure">
      <WarnIcon size={24} />
      <p class="empty-title">{what} could not be loaded</p>
      <p class="empty-text">{error.unreachable ? "The server cannot be reached. This page tries again by itself." : error.message}</p>
      {retry && !error.unreachable && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div class="empty" role="status">
      <span class="spinner" aria-hidden="true" />
      <p class="empty-text">Loading {what}…</p>
    </div>
  );
}

export function DoorName({ door, short }: { door: string; short?: boolean }) {
  const known = useStore(world)?.doors.find((d) => d.name === door);
  return (
    <span class="door-name" title={known?.title ?? door}>
      <DoorMark kind={kindOf(door || null, door !== "")} />
      {short ? door : (known?.title ?? (door || "NPC"))}
    </span>
  );
}

export function VerdictTag({ verdict }: { verdict: Verdict }) {
  return <span class={`tag tag-${verdict}`}>{verdict}</span>;
}

// ReasonDot is a vertical bar in the colour of a reason, which is the same everywhere. Discs and squares stand for doors.
export function ReasonDot({ name, size = 11 }: { name: string; size?: number }) {
  return (
    <svg class={`reason-dot ${reasonShade(name)}`} width={5} height={size} aria-hidden="true">
      <rect width="4" height={size} rx="2" />
    </svg>
  );
}

export const weightTexts: Record<Weight, string> = {
  suspicious: "an honest client causes it rarely or never",
  unusual: "an honest client on a bad connection causes it, too",
  harmless: "normal play, or a small difference that the protocol causes",
  operator: "an operator did it",
};

// WeightTag shows the weight of a reason. The weight "unusual" has no tag.
export function WeightTag({ weight }: { weight: Weight }) {
  if (weight === "unusual") return null;
  return (
    <span class={`tag weight-${weight}`} title={weightTexts[weight]}>
      {weight}
    </span>
  );
}

// LateTag marks an entry whose decisions were made while the server was late, so it is not evidence against the player.
export function LateTag({ ms, some }: { ms: number; some?: boolean }) {
  return (
    <span class="tag tag-late" title={`The server was up to ${count(ms)} ms late${some ? " for some of these decisions" : ""}. That is no evidence against the player.`} data-testid="late">
      {some ? "partly " : ""}server late
    </span>
  );
}

export function Toasts() {
  const list = useStore(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {list.map((t) => (
        <div key={t.id} class={`toast toast-${t.kind}`} data-testid="toast">
          {t.kind === "good" ? <CheckIcon size={18} /> : <WarnIcon size={18} />}
          <span>{t.text}</span>
          <IconButton label="Dismiss" onClick={() => dismiss(t.id)}>
            <CloseIcon size={16} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}

// Spark is a sparkline of the last values, scaled from 0 to the maximum.
export function Spark({ values, label }: { values: number[]; label: string }) {
  const width = 96;
  const height = 22;
  const max = Math.max(1, ...values);
  const step = width / Math.max(1, sparkLength - 1);
  const from = width - (values.length - 1) * step;
  const points = values.map((v, i) => `${(from + i * step).toFixed(1)},${(height - 1.5 - (v / max) * (height - 4)).toFixed(1)}`).join(" ");
  return (
    <svg class="spark" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <line class="spark-base" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      {values.length > 1 && <polyline points={points} />}
    </svg>
  );
}

export const sparkLength = 60;
