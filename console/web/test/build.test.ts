import { expect, test } from "vitest";
import { isReplaced, scriptOf } from "../src/lib/build";

const html = (name: string) => `<!doctype html><head><script src="/theme.js"></script><script type="module" crossorigin src="/assets/${name}.js"></script></head>`;

test("the build of the page is identified by the path of its main script", () => {
  expect(scriptOf(html("index-Ab3_x"))).toBe("/assets/index-Ab3_x.js");
  expect(scriptOf("<h1>502 Bad Gateway</h1>")).toBe("");
});

test("the page counts as replaced only if its main script has another name", () => {
  const running = "http://127.0.0.1:8080/assets/index-Ab3_x.js";
  expect(isReplaced(running, html("index-Ab3_x"))).toBe(false);
  expect(isReplaced(running, html("index-Zz9"))).toBe(true);
  expect(isReplaced(running, "<h1>502 Bad Gateway</h1>")).toBe(false);
  expect(isReplaced("", html("index-Zz9"))).toBe(false);
});
