/** Renders the page that visitors see while an environment wakes. It loads no resources and reloads itself. */
export function wakePage(host: string, branch: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="1">
<title>Waking ${escapeHtml(host)}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
main { padding: 2rem; text-align: center; overflow-wrap: anywhere }
h1 { font-size: 1.25rem; font-weight: 600; margin: 1.5rem 0 .25rem }
p { margin: 0; opacity: .7 }
i { display: inline-block; width: 2rem; height: 2rem; border-radius: 50%;
  border: 3px solid color-mix(in srgb, CanvasText 20%, transparent);
  border-top-color: #3b82f6; animation: turn 1s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-reduced-motion: reduce) { i { animation: none } }
</style>
</head>
<body>
<main>
<i></i>
<h1>${escapeHtml(host)} is waking up</h1>
<p>Branch ${escapeHtml(branch)} was asleep. This page reloads until it answers.</p>
</main>
</body>
</html>
`
}

/** The Content-Security-Policy of the wake page: allows its inline style only. */
export const wakePagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
