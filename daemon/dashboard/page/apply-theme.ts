// Runs before the first paint, so that the page never shows the other theme first.
try {
  const kept = localStorage.getItem('strata-theme')
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept
} catch {
  // The browser forbids storage: the theme of the operating system applies.
}
