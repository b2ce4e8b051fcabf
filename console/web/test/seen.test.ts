import { expect, test } from "vitest";
import type { VNode } from "preact";
import { SeenFacts } from "../src/views/why/SeenFacts";

// textOf returns the text of a tree of elements, in display order. The tree must not contain components.
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (typeof node !== "object") return String(node);
  return textOf((node as VNode<{ children?: unknown }>).props.children);
}

// byTestid returns the elements of a tree by their data-testid.
function byTestid(node: unknown, found = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(node)) node.forEach((n) => byTestid(n, found));
  else if (node !== null && typeof node === "object") {
    const props = (node as VNode<Record<string, unknown>>).props;
    if (typeof props["data-testid"] === "string") found.set(props["data-testid"], textOf(node));
    byTestid(props.children, found);
  }
  return found;
}

const hit = { reason: "rewound_hit_taken", player: "Bob", other: "Ann", agoMs: 120, seen: { x: 10, y: 0, z: 2.25 }, otherPos: { x: 11.5, y: 0, z: 2.25 } };

test("the page of a hit says where the attacker saw the victim, how long ago, and where the victim was at the time of the hit", () => {
  const tree = SeenFacts({ entry: hit });
  expect(byTestid(tree)).toEqual(new Map([["detail-seen", "0.12 s ago at 10.0, 2.3"], ["detail-then", "at 11.5, 2.3"]]));
  expect(textOf(tree)).toBe("Bob was seen0.12 s ago at 10.0, 2.3Bob was thenat 11.5, 2.3");
});

test("if the player of the entry is the attacker, the target is the other actor", () => {
  expect(textOf(SeenFacts({ entry: { ...hit, reason: "out_of_range", player: "Ann", other: "Bob" } }))).toContain("Bob was seen0.12 s ago");
  expect(textOf(SeenFacts({ entry: { ...hit, reason: "rewound_hit", player: "Ann", other: "" } }))).toContain("The target was seen0.12 s ago");
});

test("an entry without lag compensation shows no position that the attacker saw", () => {
  expect(SeenFacts({ entry: { ...hit, agoMs: undefined, seen: undefined, otherPos: undefined } })).toBeNull();
});
