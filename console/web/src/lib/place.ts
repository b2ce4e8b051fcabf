import { parseDecimal } from "./route";

// PlaceText is a position as the operator types it. An empty y stands for the height of the ground.
export interface PlaceText {
  x: string;
  z: string;
  y: string;
}

// parsePlace returns coordinates in world units; y is null if its text is empty. It returns null if a text is not a number.
export function parsePlace(text: PlaceText): { x: number; y: number | null; z: number } | null {
  const [x, z, y] = [text.x, text.z, text.y].map((t) => parseDecimal(t.trim()));
  const onGround = text.y.trim() === "";
  return x === null || z === null || (y === null && !onGround) ? null : { x, y: onGround ? null : y, z };
}
