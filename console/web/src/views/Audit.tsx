import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Ban, AuditEntry } from "../api/types";
import { clock, day, plural, stamp } from "../lib/format";
import { useLoaded } from "../lib/load";
import { useStore } from "../lib/store";
import { access, updateRoute, atLeast, route } from "../state";
import { Button, Empty, Failure, Loading } from "../ui/basics";
import { BanIcon } from "../ui/icons";
import { BanDialog, ActionDialog } from "./Actions";

// Audit shows the actions of operators, including refused ones, and the banned accounts.
export function Audit() {
  useStore(access);
  const { query } = useStore(route);
  const tab = query.tab === "bans" ? "bans" : "actions";
  if (!atLeast("moderator")) {
    return (
      <div class="page">
        <Empty title="This is for moderators and administrators">Your token is a viewer's. Ask an administrator for another one.</Empty>
      </div>
    );
  }
  return (
    <div class="page page-pad">
      <header class="page-head">
        <h1>Audit</h1>
        <div class="segments" role="radiogroup" aria-label="What to show">
          <button type="button" role="radio" aria-checked={tab === "actions"} onClick={() => updateRoute({ tab: null })}>
            Actions
          </button>
          <button type="button" role="radio" aria-checked={tab === "bans"} onClick={() => updateRoute({ tab: "bans" })} data-testid="tab-bans">
            Bans
          </button>
        </div>
      </header>
      {tab === "actions" ? <ActionLog /> : <Bans />}
    </div>
  );
}

function ActionLog() {
  const { data, error, reload } = useLoaded("audit", (signal) => api.audit(undefined, signal), 5000);
  const [older, setOlder] = useState<AuditEntry[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  if (data === null) return error ? <Failure error={error} what="The audit" retry={reload} /> : <Loading what="the audit" />;
  if (data.entries.length === 0) {
    return <Empty title="No operator has done anything yet">Messages, teleports, freezes, kicks and bans are listed here with their operator; so are refused attempts.</Empty>;
  }
  const first = new Set(data.entries.map((d) => d.id));
  const list = [...data.entries, ...older.filter((d) => !first.has(d.id))];
  const more = older.length > 0 ? next : data.next;
  const load = async () => {
    try {
      const page = await api.audit(more ?? undefined);
      setOlder([...older, ...page.entries]);
      setNext(page.next);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <div class="table-wrap">
      <table class="table" data-testid="audit">
        <thead>
          <tr>
            <th>Time</th>
            <th>Operator</th>
            <th>Action</th>
            <th>Player</th>
            <th class="minor">Detail</th>
            <th>Result</th>
          </tr>
        </thead>
        <tbody>
          {list.map((d) => (
            <tr key={d.id} data-testid="audit-row">
              <td class="nowrap">
                <span class="wide-only">{day(Date.parse(d.at))} </span>
                {clock(Date.parse(d.at))}
              </td>
              <td>
                {d.operator} {d.role !== "" && <span class={`tag wide-only role-${d.role}`}>{d.role}</span>}
              </td>
              <td>
                <b>{d.action}</b>
              </td>
              <td>
                {d.player || d.account}
                {d.player && d.account && d.account !== d.player && <span class="faint wide-only"> {d.account}</span>}
              </td>
              <td class="minor detail-cell">{d.detail}</td>
              <td class={d.result === "ok" ? "good" : "bad"}>{d.result}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more !== null && (
        <p class="table-more">
          <Button onClick={() => void load()}>Load older ones</Button>
          {failed && <span class="form-error">Older ones could not be loaded. Try again.</span>}
        </p>
      )}
    </div>
  );
}

function Bans() {
  const { data, error, reload } = useLoaded("bans", api.bans, 10_000);
  const [pardon, setPardon] = useState<Ban | null>(null);
  const [account, setAccount] = useState("");
  const [banning, setBanning] = useState("");
  const denied = atLeast("admin") ? null : "Only an administrator can ban and pardon.";
  const done = () => {
    setPardon(null);
    setBanning("");
    setAccount("");
    reload();
  };
  if (data === null) return error ? <Failure error={error} what="The bans" retry={reload} /> : <Loading what="the bans" />;
  return (
    <>
      <form
        class="filters"
        onSubmit={(e) => {
          e.preventDefault();
          if (account.trim() !== "" && !denied) setBanning(account.trim());
        }}
      >
        <input class="input" placeholder="Account" aria-label="Account to ban" value={account} onInput={(e) => setAccount(e.currentTarget.value)} data-testid="ban-account" />
        <Button type="submit" icon={<BanIcon size={16} />} why={denied} disabled={account.trim() === ""}>
          Ban account
        </Button>
        <span class="page-sub">{plural(data.bans.length, "account")} banned</span>
      </form>
      {data.bans.length === 0 ? (
        <Empty title="Nobody is banned">Banned accounts cannot log in at any door until they are pardoned here.</Empty>
      ) : (
        <div class="table-wrap">
          <table class="table" data-testid="bans">
            <thead>
              <tr>
                <th>Account</th>
                <th>Since</th>
                <th class="num" />
              </tr>
            </thead>
            <tbody>
              {data.bans.map((b) => (
                <tr key={b.account}>
                  <td>
                    <b>{b.account}</b>
                  </td>
                  <td>{b.since ? stamp(Date.parse(b.since)) : "–"}</td>
                  <td class="num">
                    <Button why={denied} onClick={() => setPardon(b)} data-testid="pardon">
                      Pardon
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {banning !== "" && <BanDialog account={banning} name="" onClose={() => setBanning("")} onDone={done} />}
      {pardon && (
        <ActionDialog title={`Pardon ${pardon.account}`} verb="Pardon" act={() => api.pardon(pardon.account)} doneText={`The account ${pardon.account} may log in again.`} onClose={() => setPardon(null)} onDone={done}>
          <p>
            The account <b>{pardon.account}</b> may log in again through every door.
          </p>
        </ActionDialog>
      )}
    </>
  );
}

