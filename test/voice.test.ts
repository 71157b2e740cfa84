import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Openings that hide the subject of a sentence: CONTRIBUTING.md, "Voice". */
const riddle = /^(What|Whatever|Who|Whoever|Whose|Those|That which|One that|One who)\b/

const extensions = ['ts', 'tsx', 'mjs', 'cjs', 'js', 'hbs', 'prisma', 'sql', 'sh', 'yml', 'yaml']

/** Emitted trees repeat the templates, and fixtures are other people's texts. */
const excluded =
  /^examples\/[^/]+-app\/\.strata\/|snapshots\/trees\/|\/fixtures\/|package-lock\.json$/

const files = execFileSync('git', ['ls-files', '-z', ...extensions.map((name) => `*.${name}`)], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\0')
  .filter((path) => path !== '' && !excluded.test(path))

test('no comment opens with What, Who, Whoever, Those, That which or One that', () => {
  const comments = files.flatMap((path) => commentsOf(path))
  expect(comments.length).toBeGreaterThan(2000)
  expect(comments.filter(({ text }) => riddle.test(text)).map(shown)).toEqual([])
})

test('no test title opens with What, Who, Whoever, Those, That which or One that', () => {
  const titles = files.filter((path) => /\.(test|store|checks)\.ts/.test(path)).flatMap(titlesOf)
  expect(titles.length).toBeGreaterThan(1500)
  expect(titles.filter(({ text }) => riddle.test(text)).map(shown)).toEqual([])
})

interface Line {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** Returns the first line of every comment. Lines that continue a comment are left out. */
function commentsOf(path: string): Line[] {
  const marker = /\.(sh|ya?ml)$/.test(path)
    ? /^\s*#\s+/
    : /^\s*(\/\/+|\/\*\*?|--)\s+|(?<=\S\s+)\/\/\s+/
  const lines = linesOf(path)
  return lines.flatMap((raw, at) => {
    // A block comment may open on one line and begin its text on the next.
    const isOpened = /^\s*\/\*\*?\s*$/.test(lines[at - 1] ?? '')
    const found = isOpened ? /^\s*\*\s+/.exec(raw) : marker.exec(raw)
    if (!found) return []
    const isContinued = /^\s*(\/\/|--|#)/.test(raw) && /^\s*(\/\/|--|#)\s/.test(lines[at - 1] ?? '')
    if (isContinued) return []
    return [{ path, line: at + 1, text: raw.slice(found.index + found[0].length) }]
  })
}

/** Returns the titles of `test`, `describe` and their variants. */
function titlesOf(path: string): Line[] {
  const text = readFileSync(`${root}/${path}`, 'utf8')
  const calls = text.matchAll(
    /(?:\b(?:test|describe|it|check)(?:\.\w+)*|\))\(\s*(['"`])(.+?)\1\s*,/g,
  )
  return [...calls].map((call) => ({
    path,
    line: text.slice(0, call.index).split('\n').length,
    text: call[2] ?? '',
  }))
}

function linesOf(path: string): string[] {
  return readFileSync(`${root}/${path}`, 'utf8').split('\n')
}

function shown({ path, line, text }: Line): string {
  return `${path}:${line} ${text.slice(0, 100)}`
}
