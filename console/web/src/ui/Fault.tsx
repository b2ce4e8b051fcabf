import { Component, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pageReplaced } from "../lib/build";
import { useStore } from "../lib/store";
import { isLost, reach, route } from "../state";
import { Button } from "./basics";
import { WarnIcon } from "./icons";

// Fault shows that a part of the page has failed, and why: the server has another build of the page, it cannot be reached, or
// the page has a defect, whose message is shown. again retries.
export function Fault({ what, error, again }: { what: string; error: unknown; again: () => void }) {
  const at = useStore(route);
  const lost = isLost(useStore(reach), at);
  const [replaced, setReplaced] = useState<boolean | null>(null); // null: not known yet
  useEffect(() => {
    let stopped = false;
    if (!lost) void pageReplaced().then((yes) => !stopped && setReplaced(yes));
    return () => {
      stopped = true;
    };
  }, [lost]);
  useEffect(() => {
    if (lost) return again; // the server can be reached again
  }, [lost]);
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div class="empty" role="alert" data-testid="fault" data-cause={lost ? "unreachable" : replaced === null ? "unknown" : replaced ? "updated" : "page"}>
      <WarnIcon size={24} />
      <h1 class="empty-title">{what} could not be shown</h1>
      {lost ? (
        <p class="empty-text">The server cannot be reached. This page tries again by itself.</p>
      ) : replaced ? (
        <>
          <p class="empty-text">The server was updated since this page was opened.</p>
          <Button onClick={() => location.reload()}>Load the new page</Button>
        </>
      ) : (
        <>
          <p class="empty-text">This is a defect of the page, not of the server: {message}</p>
          <Button onClick={again}>Try again</Button>
        </>
      )}
    </div>
  );
}

// FaultBoundary shows a Fault in place of a view that throws. Its key is the view, so that another view is not affected.
export class FaultBoundary extends Component<{ what: string; children: ComponentChildren }, { error: unknown; failed: boolean }> {
  override state = { error: null as unknown, failed: false };

  static override getDerivedStateFromError(error: unknown) {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (this.state.failed) return <Fault what={this.props.what} error={this.state.error} again={() => this.setState({ error: null, failed: false })} />;
    return this.props.children;
  }
}
