import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "../ui/basics";
import { Fault } from "../ui/Fault";

// LazyCharts loads the charts on first use: their library is a third of the size of the page.
export function LazyCharts() {
  const [body, setBody] = useState<{ Charts: () => JSX.Element } | null>(null);
  const [failed, setFailed] = useState<{ error: unknown } | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    setFailed(null);
    import("./Charts").then(setBody, (error: unknown) => setFailed({ error }));
  }, [turn]);
  if (failed !== null) return <Fault what="The charts" error={failed.error} again={() => setTurn((n) => n + 1)} />;
  if (body === null) {
    return (
      <div class="page charts">
        <header class="page-head">
          <h1>Charts</h1>
        </header>
        <Loading what="the charts" />
      </div>
    );
  }
  return <body.Charts />;
}
