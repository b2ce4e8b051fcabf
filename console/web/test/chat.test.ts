import { expect, it } from "vitest";
import type { ChatLine } from "../src/api/types";
import { chatFields, chatQuery, hasCriteria, speakerOf, withheldText } from "../src/lib/chat";

const line: ChatLine = {
  id: 1, at: "2026-01-02T03:04:05.678Z", channel: "area", area: "Vale", pos: null, account: "ann", player: "Ann", door: "rs",
  operator: "", toAccount: "", toPlayer: "", told: 0, text: "hi", withheld: "",
};

it("an address without search fields has no criteria", () => {
  expect(hasCriteria(chatFields({ tab: "chat" }))).toBe(false);
  expect(hasCriteria(chatFields({ tab: "chat", who: " " }))).toBe(false);
  expect(hasCriteria(chatFields({ tab: "chat", who: "ann" }))).toBe(true);
});

it("a period becomes the time since which lines are searched", () => {
  const fields = chatFields({ q: "sword", span: "1h" });
  expect(chatQuery(fields, Date.parse("2026-01-02T03:00:00Z"))).toEqual({ q: "sword", who: "", area: "", channel: "", withheld: "", since: "2026-01-02T02:00:00.000Z" });
  expect(chatQuery(chatFields({ span: "always" }), 0)).not.toHaveProperty("since");
});

it("the account of a speaker is shown unless it has the same name", () => {
  expect(speakerOf(line)).toBe("Ann");
  expect(speakerOf({ ...line, account: "family" })).toBe("Ann (family)");
  expect(speakerOf({ ...line, player: "" })).toBe("ann");
});

it("a line of an operator names its recipients", () => {
  const operator = { ...line, account: "", player: "", operator: "Zoe (console)" };
  expect(speakerOf({ ...operator, channel: "announcement", told: 1 })).toBe("Zoe (console) to 1 player");
  expect(speakerOf({ ...operator, channel: "announcement", told: 2 })).toBe("Zoe (console) to 2 players");
  expect(speakerOf({ ...operator, channel: "message", toPlayer: "Bob", toAccount: "b" })).toBe("Zoe (console) to Bob (b)");
});

it("a withheld line shows its reason, even one that this page does not know", () => {
  expect(withheldText("rate_limit")).toBe("withheld: too fast");
  expect(withheldText("new_reason")).toBe("withheld: new_reason");
});
