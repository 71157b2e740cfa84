import type { AppFiles } from './app-files.ts'

/** Versions of Python with security fixes, in order of preference. */
const supported = ['3.12', '3.13', '3.11', '3.10', '3.14', '3.9']

/**
 * Returns the version that a repository asks for: `.python-version`, `runtime.txt`, or the newest common version that
 * `requires-python` allows. `required` is null if nothing names a version.
 */
export function pythonVersionOf(
  { texts }: Pick<AppFiles, 'texts'>,
  requiresPython: string | undefined,
): { readonly version: string; readonly required: string | null; readonly source: string | null } {
  for (const source of ['.python-version', 'runtime.txt']) {
    const [, version] = /(?:^|-)(\d+\.\d+)/m.exec(texts.get(source) ?? '') ?? []
    if (version !== undefined) return { version, required: version, source }
  }
  const version = supported.find((each) => satisfies(each, requiresPython ?? ''))
  return { version: version ?? '3.12', required: null, source: null }
}

/** Compares major and minor numbers alone: images are tagged by them. */
function satisfies(version: string, specifiers: string): boolean {
  return specifiers.split(',').every((specifier) => {
    const [, sign, asked] = /^\s*(>=|<=|==|!=|~=|>|<)\s*(\d+(?:\.\d+)?)/.exec(specifier) ?? []
    if (sign === undefined || asked === undefined) return true
    const order = compare(version, asked)
    if (sign === '>=' || sign === '~=') return order >= 0
    if (sign === '>') return order >= 0
    if (sign === '<=') return order <= 0
    if (sign === '<') return order < 0
    return sign === '==' ? order === 0 : true
  })
}

function compare(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number)
  const [majorB = 0, minorB = minorA] = b.split('.').map(Number)
  return majorA - majorB || minorA - minorB
}
