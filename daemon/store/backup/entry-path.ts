/** Returns true if a relative path has only plain names: no `..`, no empty name, no NUL, no absolute path. */
export function isPlainPath(path: string): boolean {
  return (
    path !== '' &&
    !path.includes('\0') &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  )
}

/**
 * Returns true if a symlink at `path` stays inside its volume: `target` is relative, and its `..` come first and do not
 * pass the top. A `..` behind a name is refused, because the name may be a link.
 */
export function staysInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const names = target.split('/').filter((name) => name !== '' && name !== '.')
  const up = names.findIndex((name) => name !== '..')
  const ups = up === -1 ? names.length : up
  const depth = path.split('/').length - 1
  return ups <= depth && !names.slice(ups).includes('..')
}
