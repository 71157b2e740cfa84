import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

test.each(messages())('the message that troubleshooting explains is said: %s', (message) => {
  for (const part of message.split('…').map((each) => each.trim())) {
    expect(sources().some((text) => text.includes(part))).toBe(true)
  }
})

test.each(['README.md', ...markdownIn('docs')])('the links of %s lead to files', (path) => {
  const text = readFileSync(join(root, path), 'utf8')
  for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
    expect({ target, isThere: existsSync(join(root, path, '..', target)) }).toEqual({
      target,
      isThere: true,
    })
  }
})

/** The headings that quote a message; `…` stands for what differs. */
function messages(): string[] {
  const text = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
  return [...text.matchAll(/^### (.+)$/gm)].map(([, message = '']) => message)
}

let read: string[] | undefined

/** What says messages: the programs and what they emit. */
function sources(): string[] {
  read ??= ['src', 'daemon', 'templates'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|hbs)$/.test(path) && !/\.test\./.test(path))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  )
  return read
}

function markdownIn(path: string): string[] {
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(path, file))
}
