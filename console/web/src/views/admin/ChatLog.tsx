import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { ChatLine } from "../../api/types";
import { chatFields, chatQuery, hasCriteria, speakerOf, withheldText, type ChatFields } from "../../lib/chat";
import { clock, day, zone } from "../../lib/format";
import { useLoaded } from "../../lib/load";
import { useMorePages } from "../../lib/pages";
import { formatRoute } from "../../lib/route";
import { useStore } from "../../lib/store";
import { route, serverNow, updateRoute, world } from "../../state";
import { Button, Empty, Failure, Loading } from "../../ui/basics";
import { MoreButton, Table } from "../../ui/Table";
import { Select } from "../Players";

// ChatLog searches the chat lines of players and operators. It searches when the form is submitted, or at once if the address
// contains a search, but never repeats a search by itself, because the audit log records every search.
export function ChatLog() {
  const { query } = useStore(route);
  const asked = chatFields(query);
  const areas = useStore(world)?.areas ?? [];
  const [fields, setFields] = useState(asked);
  const [turn, setTurn] = useState(() => (hasCriteria(asked) ? 1 : 0));
  const set = (change: Partial<ChatFields>) => setFields({ ...fields, ...change });
  const search = (e: Event) => {
    e.preventDefault();
    updateRoute({ ...fields });
    setTurn(turn + 1);
  };
  return (
    <>
      <form class="filters" onSubmit={search} data-testid="chat-form">
        <div class="field">
          <input class="input" type="search" aria-label="Words, or beginnings of words" placeholder="Words" maxLength={200} value={fields.q} onInput={(e) => set({ q: e.currentTarget.value })} data-testid="chat-words" />
        </div>
        <div class="field">
          <input class="input" type="search" aria-label="Account or character" placeholder="Account or character" maxLength={100} value={fields.who} onInput={(e) => set({ who: e.currentTarget.value })} data-testid="chat-who" />
        </div>
        <Select label="Area" value={fields.area} all="All areas" options={areas.map((a) => [a.name, a.name])} set={(area) => set({ area })} testid="chat-area" />
        <Select label="Channel" value={fields.channel} all="All channels" options={[["area", "Players"], ["announcement", "Announcements"], ["message", "Messages"]]} set={(channel) => set({ channel })} testid="chat-channel" />
        <Select label="Shown or withheld" value={fields.withheld} all="All lines" options={[["false", "Shown"], ["true", "Withheld"]]} set={(withheld) => set({ withheld })} testid="chat-withheld" />
        <Select label="Time" value={fields.span} all="Any time" options={[["1h", "Last hour"], ["1d", "Last day"], ["7d", "Last week"]]} set={(span) => set({ span })} testid="chat-span" />
        <Button kind="primary" type="submit" data-testid="chat-search">
          Search
        </Button>
      </form>
      {turn === 0 ? (
        <Empty title="What was said">Search for words, a person, a place or a time; leave everything empty for the newest lines. Every search is in the audit.</Empty>
      ) : (
        <Lines key={`${turn} ${JSON.stringify(asked)}`} fields={asked} />
      )}
    </>
  );
}

function Lines({ fields }: { fields: ChatFields }) {
  const [query] = useState(() => chatQuery(fields, serverNow()));
  const { data, error, reload } = useLoaded(`chat ${JSON.stringify(query)}`, (signal) => api.chat(query, undefined, signal));
  const older = useMorePages(data?.next ?? null, async (before: number | string) => {
    const { lines, next } = await api.chat(query, before);
    return { items: lines, next };
  });
  if (data === null) return error ? <Failure error={error} what="The chat" retry={reload} /> : <Loading what="the chat" />;
  const missing = (data.missing ?? []).length > 0 && (
    <p class="planned" role="status" data-testid="chat-missing">
      Without the lines of node {data.missing?.join(", ")}, which has not answered.
    </p>
  );
  if (data.lines.length === 0)
    return (
      <>
        {missing}
        <Empty title="No such line">Chat is kept for {data.retain}.</Empty>
      </>
    );
  return (
    <>
      {missing}
      <Table
        columns={["Time", ["Area", "roomy"], ["Speaker", "roomy"], "Text"]}
        label={`Lines of chat, newest first; kept for ${data.retain}`}
        testid="chat"
        foot={<MoreButton pages={older} what="older ones" />}
      >
        {[...data.lines, ...older.items].map((l) => (
          <Line key={`${l.node ?? ""} ${l.id}`} line={l} />
        ))}
      </Table>
    </>
  );
}

function Line({ line }: { line: ChatLine }) {
  const at = Date.parse(line.at);
  const area = line.area || "everywhere";
  const account = line.account || line.toAccount;
  const speaker = account === "" ? <b>{speakerOf(line)}</b> : <a href={formatRoute("accounts", { account })}>{speakerOf(line)}</a>;
  return (
    <tr data-testid="chat-row">
      <td>
        <span class="nowrap">{day(at)}</span>{" "}
        <span class="nowrap">
          {clock(at)} <span class="faint">{zone(at)}</span>
        </span>
        <div class="narrow-only cell-lines">
          {speaker}
          <span>{area}</span>
        </div>
      </td>
      <td class="roomy">{area}</td>
      <td class="roomy detail-cell">{speaker}</td>
      <td class="detail-cell">
        {line.withheld !== "" && <span class="tag tag-withheld">{withheldText(line.withheld)}</span>} {line.text}
      </td>
    </tr>
  );
}
