import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Rule } from "../../api/types";
import { plural } from "../../lib/format";
import { useLoaded } from "../../lib/load";
import { ruleTarget } from "../../lib/rules";
import { useDenied } from "../../state";
import { Button, Empty, Failure, Loading } from "../../ui/basics";
import { MuteIcon } from "../../ui/icons";
import { NewRuleDialog, UnmuteDialog } from "./RuleDialogs";
import { RuleTable } from "./RuleTable";

// Mutes lists the muted accounts, and mutes others.
export function Mutes() {
  const { data, error, reload } = useLoaded("mutes", api.mutes, 10_000);
  const [lift, setLift] = useState<Rule | null>(null);
  const [adding, setAdding] = useState(false);
  const denied = useDenied("moderator", "Only moderators can mute.");
  const close = () => {
    setLift(null);
    setAdding(false);
  };
  const done = () => {
    close();
    reload();
  };
  if (data === null) return error ? <Failure error={error} what="The mutes" retry={reload} /> : <Loading what="the mutes" />;
  return (
    <>
      <div class="filters">
        <Button icon={<MuteIcon size={16} />} why={denied} onClick={() => setAdding(true)} data-testid="mute-account">
          Mute account
        </Button>
        <span class="page-sub">{plural(data.mutes.length, "account")} muted</span>
      </div>
      {data.mutes.length === 0 ? (
        <Empty title="Nobody is muted">What a muted player says in the chat is not passed on. A player can also be muted from its panel.</Empty>
      ) : (
        <RuleTable rules={data.mutes} label="Muted accounts" testid="mutes" verb="Unmute" why={denied} onLift={setLift} />
      )}
      {adding && <NewRuleDialog kind="mute" onClose={close} onDone={done} />}
      {lift && <UnmuteDialog account={ruleTarget(lift)} onClose={close} onDone={done} />}
    </>
  );
}
