import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Rule } from "../../api/types";
import { plural } from "../../lib/format";
import { useLoaded } from "../../lib/load";
import { ruleTarget } from "../../lib/rules";
import { toast, useDenied } from "../../state";
import { ActionDialog, failure } from "../../ui/ActionDialog";
import { Button, Empty, Failure, Loading } from "../../ui/basics";
import { RuleTable } from "./RuleTable";

// WhitelistTab switches the whitelist, and lists, adds and removes its accounts.
export function WhitelistTab() {
  const { data, error, reload } = useLoaded("whitelist", api.whitelist, 10_000);
  const [switching, setSwitching] = useState(false);
  const [remove, setRemove] = useState<Rule | null>(null);
  const [account, setAccount] = useState("");
  const [failed, setFailed] = useState("");
  const denied = useDenied("moderator", "Only moderators can change the whitelist.");
  const switchDenied = useDenied("admin", "Only an administrator can switch the whitelist.");
  const close = () => {
    setSwitching(false);
    setRemove(null);
  };
  const done = () => {
    close();
    reload();
  };
  const add = async (e: Event) => {
    e.preventDefault();
    const name = account.trim();
    if (name === "" || denied) return;
    try {
      await api.admitAccount(name);
      toast("good", `The account ${name} is on the whitelist.`);
      setAccount("");
      setFailed("");
      reload();
    } catch (cause) {
      setFailed(failure(cause));
    }
  };
  if (data === null) return error ? <Failure error={error} what="The whitelist" retry={reload} /> : <Loading what="the whitelist" />;
  return (
    <>
      <div class="filters">
        <span class={`tag ${data.on ? "tag-on" : ""}`} data-testid="whitelist-state">
          {data.on ? "on" : "off"}
        </span>
        <span class="page-sub">{data.on ? "Only the accounts listed here can log in." : "Every account can log in that is not banned."}</span>
        <Button why={switchDenied} onClick={() => setSwitching(true)} data-testid="whitelist-switch">
          {data.on ? "Switch off" : "Switch on"}
        </Button>
      </div>
      <form class="filters" onSubmit={add}>
        <input class="input" placeholder="Account" aria-label="Account to put on the whitelist" maxLength={100} value={account} onInput={(e) => setAccount(e.currentTarget.value)} data-testid="whitelist-account" />
        <Button type="submit" why={denied} disabled={account.trim() === ""} data-testid="whitelist-add">
          Add
        </Button>
        <span class="page-sub">{plural(data.accounts.length, "account")} listed</span>
        {failed && (
          <span class="form-error" role="alert">
            {failed}
          </span>
        )}
      </form>
      {data.accounts.length === 0 ? (
        <Empty title="The whitelist is empty">Accounts are named as in the panel of a player. An account can be listed before it exists.</Empty>
      ) : (
        <RuleTable rules={data.accounts} label="Accounts on the whitelist" testid="whitelist" listOnly verb="Remove" why={denied} onLift={setRemove} />
      )}
      {switching && (
        <ActionDialog
          title={data.on ? "Switch the whitelist off" : "Switch the whitelist on"}
          verb={data.on ? "Switch off" : "Switch on"}
          danger={!data.on}
          act={() => api.switchWhitelist(!data.on)}
          doneText={`The whitelist is ${data.on ? "off" : "on"}.`}
          onClose={close}
          onDone={done}
        >
          <p>
            {data.on
              ? "Every account that is not banned can log in again. The list is kept."
              : `Only the ${plural(data.accounts.length, "listed account")} can log in, register or reconnect, at every door. Players in the world stay.`}
          </p>
        </ActionDialog>
      )}
      {remove && (
        <ActionDialog title={`Remove ${ruleTarget(remove)}`} verb="Remove" act={() => api.excludeAccount(ruleTarget(remove))} doneText={`The account ${ruleTarget(remove)} is no longer on the whitelist.`} onClose={close} onDone={done}>
          <p>
            While the whitelist is on, the account <b>{ruleTarget(remove)}</b> cannot log in. If its player is in the world, it stays.
          </p>
        </ActionDialog>
      )}
    </>
  );
}
