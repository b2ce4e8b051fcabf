import { describe, expect, it } from "vitest";
import { connectionLost } from "../src/lib/lingering";

describe("connectionLost", () => {
  const now = Date.parse("2026-01-02T03:04:05.678Z");
  it("connectionLost says how long the body stays, rounded up to seconds", () => {
    expect(connectionLost("2026-01-02T03:04:17.000Z", now)).toBe("connection lost, 12 s");
    expect(connectionLost("2026-01-02T03:05:05.678Z", now)).toBe("connection lost, 1 min");
  });
  it("connectionLost says 0 s if the time is over", () => {
    expect(connectionLost("2026-01-02T03:04:00.000Z", now)).toBe("connection lost, 0 s");
  });
  it("connectionLost omits the time while it is unknown", () => {
    expect(connectionLost(null, now)).toBe("connection lost");
  });
});
