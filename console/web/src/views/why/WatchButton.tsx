import type { Entry } from "../../api/types";
import { watchEntry } from "../../past/go";
import { watchDenied, type Tapes } from "../../past/tapes";
import { Button, IconButton } from "../../ui/basics";
import { PlayIcon } from "../../ui/icons";

// WatchButton plays the recording around a correction. It is a button beside the correction in a list, and is shown only if
// there is a recording.
export function WatchButton({ entry, tapes }: { entry: Entry; tapes: Tapes }) {
  if (entry.id <= 0 || watchDenied(entry, tapes) !== null) return null;
  return (
    <IconButton label="Watch it" title="Watch it: five seconds before and after" class="watch-it" onClick={() => watchEntry(entry)} data-testid="watch-it">
      <PlayIcon size={15} />
    </IconButton>
  );
}

// WatchButtonWide is the button of a correction's page. It says why a correction cannot be watched.
export function WatchButtonWide({ entry, tapes }: { entry: Entry; tapes: Tapes }) {
  return (
    <Button kind="primary" icon={<PlayIcon size={15} />} why={watchDenied(entry, tapes)} onClick={() => watchEntry(entry)} data-testid="watch-it">
      Watch it
    </Button>
  );
}
