/** A folder inside a repository with no `.`, doubled slashes or slash at an end; undefined when it leads out of it. */
export function contextPath(text: string): string | undefined {
  if (text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return undefined
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  // `.git` in any spelling is git's own.
  return parts.some((part) => part === '..' || part.toLowerCase() === '.git')
    ? undefined
    : parts.join('/')
}

/** What a project is called: the last part of its repository, and of its folder in it if it has one. */
export function projectName(source: string, context: string): string {
  const repository = lastPart(source).replace(/\.git$/i, '')
  const folder = lastPart(context)
  return [repository, folder].filter((part) => part !== '').join('-') || 'app'
}

function lastPart(path: string): string {
  return path.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? ''
}
