// Resolves the SQLite driver to the one that records. That module itself gets the real driver.
const recorder = new URL('./recording-driver.mjs', import.meta.url).href

export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context)
  if (specifier !== '@photostructure/sqlite' || context.parentURL.startsWith(recorder))
    return resolved
  return { ...resolved, url: recorder, format: 'module' }
}
