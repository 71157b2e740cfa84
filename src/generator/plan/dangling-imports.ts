import { posix } from 'node:path'
import type { Plan } from './plan.ts'

/**
 * Lists the imports of files that the plan deletes, in scripts that stay: `src/report.ts:3: ./domain/post.js`. `paths` are
 * the project's files.
 */
export function danglingImports(
  { actions }: Plan,
  paths: readonly string[],
  readFile: (path: string) => string | undefined,
): readonly string[] {
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
        return from !== '' && deleted.has(target) ? [`${path}:${index + 1}: ${from}`] : []
      }),
    )
}

function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '')
}
