// onKeys calls what belongs to a key, or to two keys one after the other ("g c"). Keys that are typed into a field or
// pressed while a dialog is open belong to those.
export function onKeys(deeds: Record<string, (e: KeyboardEvent) => void>): () => void {
  let lead = "";
  let leadAt = 0;
  const press = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || typing(e.target) || document.querySelector("dialog[open]")) return;
    const pair = e.timeStamp - leadAt < pairMs ? `${lead} ${e.key}` : "";
    lead = e.key;
    leadAt = e.timeStamp;
    const deed = deeds[pair] ?? (pair.startsWith("g ") ? undefined : deeds[e.key]);
    if (deed === undefined) return;
    lead = "";
    e.preventDefault();
    deed(e);
  };
  window.addEventListener("keydown", press);
  return () => window.removeEventListener("keydown", press);
}

const pairMs = 900;

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
