import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = trackedFiles()
const folders = new Set(files.flatMap(foldersAbove))
const documents = files.filter((path) => /^([^/]+|docs\/.+|\.github\/.+)\.md$/.test(path))

test.each(quotedMessages())('the sources contain the message of troubleshooting: %s', (message) => {
  const missing = message
    .split('…')
    .map((part) => part.trim())
    .filter((part) => !sources().some((text) => text.includes(part)))
  expect(missing).toEqual([])
})

test('the documents are found', () => {
  const expected = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md']
  expect(documents).toEqual(expect.arrayContaining(expected))
})

describe.each(documents)('%s', (document) => {
  const text = read(document)

  test('links to existing files and anchors', () => {
    expect(relativeLinks(text).filter((link) => !isLinkTarget(document, link))).toEqual([])
  })

  test('names existing paths', () => {
    expect(namedPaths(text).filter((path) => !isPath(path))).toEqual([])
  })
})

test('the check of paths reports a path that does not exist', () => {
  expect(namedPaths('see `src/cli/none.ts`, `daemon/app/` and `npm test`')).toEqual([
    'src/cli/none.ts',
    'daemon/app',
  ])
  expect([isPath('src/cli/none.ts'), isPath('daemon/app')]).toEqual([false, true])
})

test.each(markdownIn('docs/adr/'))('%s has at most 40 lines', (path) => {
  expect(read(path).trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test('each decision has a number of its own', () => {
  const numbers = markdownIn('docs/adr/').map((path) => /\/(\d{4})-/.exec(path)?.[1])
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers).not.toContain(undefined)
})

/** The headings of troubleshooting that quote a message; `…` stands for a variable part. */
function quotedMessages(): string[] {
  const text = read('docs/troubleshooting.md')
  return [...text.matchAll(/^### (.+)$/gm)].map(([, message = '']) => message)
}

let cachedSources: string[] | undefined

/** The files that contain messages: the programs and the templates. */
function sources(): string[] {
  cachedSources ??= files
    .filter((path) => /^(src|daemon|templates)\/.*\.(ts|hbs)$/.test(path) && !/\.test\./.test(path))
    .map(read)
  return cachedSources
}

function relativeLinks(text: string): string[] {
  const links = withoutCodeBlocks(text).matchAll(/\]\((?!https?:)([^)]+)\)/g)
  return [...links].map(([, target = '']) => target)
}

function isLinkTarget(document: string, link: string): boolean {
  const [target = '', anchor] = link.split('#')
  const path = target === '' ? document : normalize(join(dirname(document), target))
  if (!isTracked(path)) return false
  return anchor === undefined || anchorsOf(read(path)).includes(anchor)
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): string[] {
  return [...withoutCodeBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The texts in backticks that begin with a folder of the repository. */
function namedPaths(text: string): string[] {
  const quoted = [...withoutCodeBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return quoted
    .filter((code) =>
      /^(bench|bin|daemon|docs|examples|scripts|src|templates|test|\.ci|\.github)\/[\w./[\]@-]*$/.test(
        code,
      ),
    )
    .map((path) => path.replace(/\/$/, ''))
}

/** Paths of emitted projects count too: templates and examples contain them. */
function isPath(path: string): boolean {
  if (isTracked(path)) return true
  return [path, `${path}.hbs`].some((end) =>
    [...files, ...folders].some((file) => file.endsWith(`/${end}`)),
  )
}

function isTracked(path: string): boolean {
  const name = path.replace(/\/$/, '')
  return files.includes(name) || folders.has(name)
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function markdownIn(folder: string): string[] {
  return files.filter((path) => path.startsWith(folder) && path.endsWith('.md'))
}

function withoutCodeBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '')
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Tracked files, and new files that git does not ignore. */
function trackedFiles(): string[] {
  const argv = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { status, stdout, stderr } = spawnSync('git', argv, { cwd: root, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}
