import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, Empty, Loading } from "../ui/basics";

// LazyCharts loads the charts on first use: their library is a third of the size of the page.
export function LazyCharts() {
  const [body, setBody] = useState<{ Charts: () => JSX.Element } | "failed" | null>(null);
  useEffect(() => {
    import("./Charts").then(setBody, () => setBody("failed"));
  }, []);
  if (body === null) return <Loading what="the charts" />;
  if (body === "failed") {
    return (
      <Empty title="The charts could not be loaded">
        The server may have been updated since this page was opened. <Button onClick={() => location.reload()}>Load the page again</Button>
      </Empty>
    );
  }
  return <body.Charts />;
}
