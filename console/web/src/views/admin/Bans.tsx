import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Rule } from "../../api/types";
import { plural } from "../../lib/format";
import { useLoaded } from "../../lib/load";
import { useDenied } from "../../state";
import { Button, Empty, Failure, Loading } from "../../ui/basics";
import { BanIcon } from "../../ui/icons";
import { NewRuleDialog, PardonDialog } from "./RuleDialogs";
import { RuleTable } from "./RuleTable";

// Bans lists the banned accounts and networks, and bans others.
export function Bans() {
  const { data, error, reload } = useLoaded("bans", api.bans, 10_000);
  const [pardon, setPardon] = useState<Rule | null>(null);
  const [adding, setAdding] = useState<"ban" | "ban-network" | null>(null);
  const denied = useDenied("admin", "Only an administrator can ban and pardon.");
  const close = () => {
    setPardon(null);
    setAdding(null);
  };
  const done = () => {
    close();
    reload();
  };
  if (data === null) return error ? <Failure error={error} what="The bans" retry={reload} /> : <Loading what="the bans" />;
  const networks = data.bans.filter((b) => b.network !== null).length;
  return (
    <>
      <div class="filters">
        <Button icon={<BanIcon size={16} />} why={denied} onClick={() => setAdding("ban")} data-testid="ban-account">
          Ban account
        </Button>
        <Button icon={<BanIcon size={16} />} why={denied} onClick={() => setAdding("ban-network")} data-testid="ban-network">
          Ban network
        </Button>
        <span class="page-sub">
          {plural(data.bans.length - networks, "account")} and {plural(networks, "network")} banned
        </span>
      </div>
      {data.bans.length === 0 ? (
        <Empty title="Nobody is banned">Banned accounts and networks cannot log in at any door until the ban ends or is lifted here.</Empty>
      ) : (
        <RuleTable rules={data.bans} label="Banned accounts and networks" testid="bans" verb="Pardon" why={denied} onLift={setPardon} />
      )}
      {adding && <NewRuleDialog kind={adding} onClose={close} onDone={done} />}
      {pardon && <PardonDialog ban={pardon} onClose={close} onDone={done} />}
    </>
  );
}
