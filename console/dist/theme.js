// Before the first paint: the theme that the operator chose, so that no wrong one flashes up.
try {
  var theme = localStorage.getItem("truestep.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch (e) {
  // Storage is closed to this page: the system's theme serves.
}
