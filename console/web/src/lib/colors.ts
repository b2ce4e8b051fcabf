// readColors resolves variables of the style sheet, light-dark() and the like included, to plain colours for a canvas.
// The variables themselves are only text, so an element wears each of them in turn.
export function readColors<T>(read: (get: (name: string) => string) => T): T {
  const probe = document.createElement("i");
  probe.style.setProperty("transition", "none", "important"); // a colour on its way is not the colour
  document.body.append(probe);
  const style = getComputedStyle(probe);
  try {
    return read((name) => {
      probe.style.color = `var(${name})`;
      return style.color;
    });
  } finally {
    probe.remove();
  }
}
