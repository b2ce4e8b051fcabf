import { useEffect, useState } from "preact/hooks";
import { clock, duration, zone } from "../lib/format";
import { useNow } from "../lib/load";
import { useStore } from "../lib/store";
import { isLost, lastAnswer, overview, reach, route } from "../state";

const patience = 800; // minimum ms without a connection until the banner appears

// useLost returns whether the connection to the server is lost. While it is, useLost clears the server's values on the page,
// because they are outdated.
export function useLost(): boolean {
  const at = useStore(route);
  const now = useStore(reach);
  const lost = isLost(now, at);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return setShown(false);
    const timer = window.setTimeout(() => setShown(true), patience);
    return () => window.clearTimeout(timer);
  }, [lost]);
  useEffect(() => {
    if (shown && !now.api) overview.set(null);
  }, [shown, now.api]);
  return shown && lost;
}

// LostBanner says since when the server has been unreachable, so that the page is outdated.
export function LostBanner() {
  const now = useNow();
  const { api } = useStore(reach);
  const answered = lastAnswer();
  return (
    <div class="lost-banner" role="alert" data-testid="lost">
      <b>{api ? "The live map has no connection" : "The server cannot be reached"}</b>
      <span>
        since {clock(answered)} {zone(answered)} ({duration(now - answered)}). What is shown is from then. This page tries again by itself.
      </span>
    </div>
  );
}
