import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Rule } from "../../api/types";
import { networksOf } from "../../lib/network";
import { ruleTarget } from "../../lib/rules";
import { ActionDialog, ReasonField } from "../../ui/ActionDialog";
import { PeriodField, usePeriod } from "../../ui/PeriodField";

const periods: [string, string][] = [
  ["1h", "1 hour"],
  ["12h", "12 hours"],
  ["1d", "1 day"],
  ["3d", "3 days"],
  ["1w", "1 week"],
  ["30d", "30 days"],
  ["", "Without an end"],
];

type Closing = { onClose: () => void; onDone: () => void };

// BanDialog bans an account, or the address or network of its player.
export function BanDialog({ account, name = "", addr = "", ...rest }: Closing & { account: string; name?: string; addr?: string }) {
  const [network, setNetwork] = useState(""); // the network to ban; empty to ban the account
  const [why, setWhy] = useState("");
  const period = usePeriod("");
  const networks = networksOf(addr);
  const what = network === "" ? `The account ${account}` : network;
  return (
    <ActionDialog
      title={`Ban ${name || account}`}
      verb="Ban"
      danger
      ready={period.ready}
      act={() => api.ban(network === "" ? { account } : { network }, why.trim(), period.value)}
      doneText={`${what} is banned.`}
      {...rest}
    >
      {networks.length > 0 && (
        <>
          <label class="label" for="ban-what">
            What to ban
          </label>
          <select id="ban-what" class="input" value={network} onChange={(e) => setNetwork(e.currentTarget.value)} data-testid="ban-what">
            <option value="">The account {account}</option>
            {networks.map((n) => (
              <option key={n} value={n}>
                {n.includes("/") ? `The network ${n}` : `The address ${n}`}
              </option>
            ))}
          </select>
        </>
      )}
      {network === "" ? (
        <p>
          The account <b>{account}</b>
          {name !== account && name !== "" ? ` (now playing ${name})` : ""} is disconnected and cannot log in through any door until the ban ends or is lifted under Admin. All its characters are kept.
        </p>
      ) : (
        <NetworkNote network={network} />
      )}
      <PeriodField id="period" label="Period" period={period} choices={periods} />
      <ReasonField value={why} set={setWhy} />
    </ActionDialog>
  );
}

function NetworkNote({ network }: { network: string }) {
  return (
    <p>
      Every player who connects from {network === "" ? "there" : <b>{network}</b>} is disconnected, and no player can log in from there until the ban ends or is lifted under Admin. That may concern others than the one you mean: a household, a school or a provider.
    </p>
  );
}

// NewRuleDialog bans an account or a network, or mutes an account. The operator types the account or the network.
export function NewRuleDialog({ kind, ...rest }: Closing & { kind: "ban" | "ban-network" | "mute" }) {
  const [target, setTarget] = useState("");
  const [why, setWhy] = useState("");
  const mute = kind === "mute";
  const network = kind === "ban-network";
  const period = usePeriod(mute ? "1h" : "");
  const name = target.trim();
  return (
    <ActionDialog
      title={mute ? "Mute an account" : network ? "Ban an address or network" : "Ban an account"}
      verb={mute ? "Mute" : "Ban"}
      danger={!mute}
      ready={name !== "" && period.ready}
      act={() => (mute ? api.mute(name, why.trim(), period.value) : api.ban(network ? { network: name } : { account: name }, why.trim(), period.value))}
      doneText={`${network ? name : `The account ${name}`} is ${mute ? "muted" : "banned"}.`}
      {...rest}
    >
      <label class="label" for="rule-target">
        {network ? "Address or network" : "Account"}
      </label>
      <input id="rule-target" class="input" autofocus maxLength={100} placeholder={network ? "192.0.2.17, 192.0.2.0/24 or 2001:db8::/48" : ""} value={target} onInput={(e) => setTarget(e.currentTarget.value)} data-testid="rule-target" />
      {network ? <NetworkNote network={name} /> : <p>{mute ? muteText : "Its player is disconnected and cannot log in through any door until the ban ends or is lifted here. All its characters are kept."}</p>}
      <PeriodField id="period" label="Period" period={period} choices={periods} />
      <ReasonField value={why} set={setWhy} />
    </ActionDialog>
  );
}

const muteText = "What its player says in the chat is not passed on. The player is told so, with the reason and the end. Commands of the game still work.";

// MuteDialog mutes an account.
export function MuteDialog({ account, ...rest }: Closing & { account: string }) {
  const [why, setWhy] = useState("");
  const period = usePeriod("1h");
  return (
    <ActionDialog title={`Mute ${account}`} verb="Mute" ready={period.ready} act={() => api.mute(account, why.trim(), period.value)} doneText={`The account ${account} is muted.`} {...rest}>
      <p>{muteText}</p>
      <PeriodField id="period" label="Period" period={period} choices={periods} />
      <ReasonField value={why} set={setWhy} />
    </ActionDialog>
  );
}

// UnmuteDialog lifts the mute of an account.
export function UnmuteDialog({ account, ...rest }: Closing & { account: string }) {
  return (
    <ActionDialog title={`Unmute ${account}`} verb="Unmute" act={() => api.unmute(account)} doneText={`The account ${account} can talk again.`} {...rest}>
      <p>
        The account <b>{account}</b> can talk again at once, and its player is told so.
      </p>
    </ActionDialog>
  );
}

// PardonDialog lifts the ban of an account or a network.
export function PardonDialog({ ban, ...rest }: Closing & { ban: Rule }) {
  const target = ruleTarget(ban);
  const who = ban.network === null ? `The account ${target} may log in again.` : `Players may log in from ${target} again.`;
  return (
    <ActionDialog title={`Pardon ${target}`} verb="Pardon" act={() => api.pardon(target)} doneText={who} {...rest}>
      <p>{ban.network === null ? `The account ${target} may log in again through every door.` : `Players may log in from ${target} again through every door, unless their accounts are banned.`}</p>
    </ActionDialog>
  );
}
