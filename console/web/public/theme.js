// Applies the operator's theme before the first paint, so that the other theme does not flash.
try {
  var theme = localStorage.getItem("truestep.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch (e) {
  // Storage is blocked: the system's theme is used.
}
