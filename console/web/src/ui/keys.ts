// onKeys calls the handler of a key, or of two keys in sequence ("g c"). It ignores keys that are typed into a field or pressed
// while a dialog is open, and the space bar on a focused control. The returned function removes the listener.
export function onKeys(bindings: Record<string, (e: KeyboardEvent) => void>): () => void {
  let lead = "";
  let leadAt = 0;
  const press = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || typing(e.target) || (e.key === " " && pressable(e.target)) || document.querySelector("dialog[open]")) return;
    const pair = e.timeStamp - leadAt < pairMs ? `${lead} ${e.key}` : "";
    lead = e.key;
    leadAt = e.timeStamp;
    const handler = bindings[pair] ?? (pair.startsWith("g ") ? undefined : bindings[e.key]);
    if (handler === undefined) return;
    lead = "";
    e.preventDefault();
    handler(e);
  };
  window.addEventListener("keydown", press);
  return () => window.removeEventListener("keydown", press);
}

const pairMs = 900;

function pressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, summary, [role=tab]") !== null;
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
