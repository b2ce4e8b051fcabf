// readColors resolves CSS variables, including light-dark(), to colours for a canvas. A variable itself is only text, so it is
// set as the colour of a probe element, whose computed colour is read.
export function readColors<T>(read: (get: (name: string) => string) => T): T {
  const probe = document.createElement("i");
  probe.style.setProperty("transition", "none", "important"); // otherwise the computed colour may be one of a running transition
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
