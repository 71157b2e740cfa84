/**
 * Normalizes a folder inside a repository: removes `.` parts and doubled or trailing slashes. Returns undefined if it
 * leads outside.
 */
export function contextPath(text: string): string | undefined {
  if (text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return undefined
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  // Case-insensitive file systems treat `.GIT` as git's own folder.
  return parts.some((part) => part === '..' || part.toLowerCase() === '.git')
    ? undefined
    : parts.join('/')
}

/** Returns a project's name: the last part of its repository, and of its context folder if it has one. */
export function projectName(source: string, context: string): string {
  const repository = lastPart(source).replace(/\.git$/i, '')
  const folder = lastPart(context)
  return [repository, folder].filter((part) => part !== '').join('-') || 'app'
}

function lastPart(path: string): string {
  return path.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? ''
}
