import type { JSX } from "preact";
import { useStore } from "../lib/store";
import { access, atLeast, route, updateRoute } from "../state";
import { Empty } from "../ui/basics";
import { AuditLog } from "./admin/AuditLog";
import { ChatLog } from "./admin/ChatLog";
import { Bans } from "./admin/Bans";
import { Mutes } from "./admin/Mutes";
import { ServerControl } from "./admin/ServerControl";
import { WhitelistTab } from "./admin/WhitelistTab";

const tabs: { id: string; name: string; body: () => JSX.Element }[] = [
  { id: "audit", name: "Audit", body: AuditLog },
  { id: "chat", name: "Chat", body: ChatLog },
  { id: "bans", name: "Bans", body: Bans },
  { id: "mutes", name: "Mutes", body: Mutes },
  { id: "whitelist", name: "Whitelist", body: WhitelistTab },
  { id: "server", name: "Server", body: ServerControl },
];

// Admin has tabs for the audit log, the chat, bans, mutes, the whitelist, and control of the server (announcements, restarts).
export function Admin() {
  useStore(access);
  const { query } = useStore(route);
  const tab = tabs.find((t) => t.id === query.tab) ?? tabs[0];
  if (!atLeast("moderator")) {
    return (
      <div class="page page-pad">
        <header class="page-head">
          <h1>Admin</h1>
        </header>
        <Empty title="This is for moderators and administrators">Your token is a viewer's. Ask an administrator for another one.</Empty>
      </div>
    );
  }
  const Body = tab.body;
  return (
    <div class="page page-pad">
      <header class="page-head">
        <h1>Admin</h1>
        <div class="segments" role="radiogroup" aria-label="What to show">
          {tabs.map((t, i) => (
            <button key={t.id} type="button" role="radio" aria-checked={t === tab} onClick={() => updateRoute({ tab: i === 0 ? null : t.id })} data-testid={`tab-${t.id}`}>
              {t.name}
            </button>
          ))}
        </div>
      </header>
      <Body key={tab.id} />
    </div>
  );
}
