import { posix } from 'node:path'
import type { Plan } from './plan.ts'

/**
 * Lists the imports of files that the plan deletes, in scripts that stay, and uses of `member` in the container and the
 * routes: `src/report.ts:3: ./domain/post.js`. `paths` are the project's files.
 */
export function danglingUses(
  { actions }: Plan,
  paths: readonly string[],
  readFile: (path: string) => string | undefined,
  member: string,
): readonly string[] {
  const use = new RegExp(`\\b\\w+\\.${member}\\b`)
  const deleted = new Set(
    actions.filter(({ kind }) => kind === 'delete').map(({ path }) => withoutExtension(path)),
  )
  const texts = new Map(
    actions.flatMap((action) => ('after' in action ? [[action.path, action.after] as const] : [])),
  )
  return paths
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !deleted.has(withoutExtension(path)))
    .flatMap((path) =>
      (texts.get(path) ?? readFile(path) ?? '').split('\n').flatMap((line, index) => {
        const [, from = ''] = /\bfrom\s+['"](\.[^'"]+)['"]/.exec(line) ?? []
        const target = withoutExtension(posix.join(posix.dirname(path), from))
        if (from !== '') return deleted.has(target) ? [`${path}:${index + 1}: ${from}`] : []
        const [used] = (wiring.has(path) && use.exec(line)) || []
        return used === undefined ? [] : [`${path}:${index + 1}: ${used}`]
      }),
    )
}

/** The files in which `container.posts` is the service of a feature. */
const wiring = new Set(['src/container.ts', 'src/routes.ts'])

function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '')
}
