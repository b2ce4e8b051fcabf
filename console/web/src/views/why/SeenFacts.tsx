import type { Entry } from "../../api/types";
import { place } from "../../lib/format";

// SeenFacts says where the target of an attack was on the attacker's screen and where it was when the attack arrived. Lag
// compensation has judged the attack by the former position. SeenFacts is empty for other entries.
export function SeenFacts({ entry: e }: { entry: Pick<Entry, "reason" | "player" | "other" | "agoMs" | "seen" | "otherPos"> }) {
  if (!e.agoMs || !e.seen || !e.otherPos) return null;
  const target = e.reason === "rewound_hit_taken" ? e.player : e.other || "The target";
  return (
    <>
      <dt>{target} was seen</dt>
      <dd data-testid="detail-seen">
        {(e.agoMs / 1000).toFixed(2)} s ago at {place(e.seen)}
      </dd>
      <dt>{target} was then</dt>
      <dd data-testid="detail-then">at {place(e.otherPos)}</dd>
    </>
  );
}
