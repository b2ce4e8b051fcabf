import { beforeEach, expect, test } from "vitest";
import type { Weight } from "../src/api/types";
import { excused, notable, reasonShade, reasonShades, reasonWeight, setReasons } from "../src/lib/reasons";

const sheets = import.meta.glob<string>("../src/styles/*.css", { query: "?raw", import: "default", eager: true });

const reason = (name: string, weight: Weight) => ({ name, weight });

beforeEach(() => setReasons([reason("none", "harmless"), reason("too_fast", "suspicious"), reason("landing", "harmless"), reason("mispredicted", "unusual"), reason("tick_forged", "suspicious"), reason("halted", "operator")]));

test("each reason has one colour, from the colours of its weight", () => {
  expect(["too_fast", "tick_forged", "mispredicted", "landing", "halted"].map(reasonShade)).toEqual([
    "reason-suspicious-1", "reason-suspicious-2", "reason-unusual-1", "reason-harmless-1", "reason-operator-1",
  ]);
});

test("a reason that the world does not list is unusual", () => {
  expect([reasonWeight("of_tomorrow"), reasonShade("of_tomorrow")]).toEqual(["unusual", "reason-unusual-1"]);
});

test("every colour of a reason is defined in the style sheets", () => {
  const [tokens, classes] = ["tokens", "reasons"].map((name) => sheets[`../src/styles/${name}.css`]);
  expect(reasonShades.filter((name) => !tokens.includes(`--${name}:`) || !classes.includes(`.${name} {`))).toEqual([]);
});

test("entries of a late server, with a harmless reason or by an operator are no evidence about the player", () => {
  const entry = (name: string, times = 1, lateTimes = 0) => ({ reason: name, times, lateTimes });
  expect(notable(entry("too_fast"))).toBe(true);
  expect(notable(entry("mispredicted", 3, 2))).toBe(true);
  expect(excused(entry("mispredicted", 3, 2))).toBe(false);
  expect(notable(entry("too_fast", 3, 3))).toBe(false);
  expect(excused(entry("too_fast", 3, 3))).toBe(true);
  expect(notable(entry("landing"))).toBe(false);
  expect(notable(entry("halted"))).toBe(false);
});
