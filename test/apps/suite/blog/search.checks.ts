import assert from 'node:assert/strict'
import type { AppUnderTest, Check } from '../check.ts'
import { create, list, update } from '../resource.ts'
import { type Caller, register } from './caller.ts'
import { posts } from './resources.ts'

/** Texts with a special meaning in patterns, queries or URLs. */
const powerful = [
  ...['%', '_', '*', '.', '?', '\\', "'", '"', '`', '[', ']', '(', ')', '{', '}', '^', '$', '|'],
  ...['+', '-', '~', '#', '&', '=', '<', '>', '/', ':', ';', ',', '!', '@', '🎉', '\u0301'],
  ...['%_', '.*', '\\%', '\\_', '\\\\', '[a-z]', '[^x]', '(?i)', "''", "' OR 1=1 --", `\${x}`],
  ...['%25', '&amp;', '\\x25', '\\u0025', '%%', '??', '**', '\\n', 'AND', 'NOT', ' '],
] as const

/** A text with other spellings that must find it. */
const cases = [
  ['Ärger Öl Über', 'ärger öl über'],
  ['ärger', 'ÄRGER'],
  ['Жизнь и Судьба', 'ЖИЗНЬ И СУДЬБА'],
  ['ЁЛКА', 'ёлка'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
  ['ÇA, ÉTÉ, ŁÓDŹ, ÅRHUS', 'ça, été, łódź, århus'],
  ['Ǆ и Ԁ', 'ǆ и ԁ'],
  ['İstanbul ıI Straße ﬀ ǅ', 'İstanbul ıI Straße ﬀ ǅ'],
] as const

/** Checks of search. */
export const searchChecks: readonly Check[] = [
  {
    title: 'search finds a substring of title or content in any case',
    run: async (app) => {
      const author = await register(app)
      const title = await titled(author, 'The Quick brown fox', 'nothing')
      const content = await titled(author, 'nothing', 'a QUICKsilver\nlining')
      await titled(author, 'nothing', 'slow')
      for (const text of ['quick', 'QUICK', 'uIcK']) {
        assert.deepEqual(await found(app, author, text), [content, title], text)
      }
      assert.deepEqual(await found(app, author, 'brown fox'), [title])
      assert.deepEqual(await found(app, author, 'ksilver\nlin'), [content])
      const absent = ['quick fox', 'brownfox', 'quickest', 'foxn', 'fox nothing', 'fox\nno']
      for (const text of [...absent, 'fox ', ' the']) {
        assert.deepEqual(await found(app, author, text), [], text)
      }
    },
  },
  {
    title: 'search ignores case beyond ASCII',
    run: async (app) => {
      const author = await register(app)
      for (const [text, typed] of cases) {
        const inTitle = await titled(author, `before ${text} after`, 'x')
        const inContent = await titled(author, 'x', `before ${text} after`)
        for (const each of [text, typed]) {
          const ids = await found(app, author, each)
          assert.ok(ids.includes(inTitle), `${each} does not find ${text} in a title`)
          assert.ok(ids.includes(inContent), `${each} does not find ${text} in a content`)
        }
      }
      assert.deepEqual(await found(app, author, 'ärger жизнь'), [])
    },
  },
  {
    title: 'search treats final and medial Greek sigma as one letter',
    run: async (app) => {
      const author = await register(app)
      const id = await titled(author, 'ΣΊΣΥΦΟΣ', 'x')
      for (const text of ['σίσυφος', 'σίσυφοσ', 'ΣΊΣΥΦΟΣ', 'φος', 'φοσ', 'ς', 'Σ']) {
        assert.deepEqual(await found(app, author, text), [id], text)
      }
    },
  },
  {
    title: 'search text is literal and has no wildcards',
    run: async (app) => {
      const author = await register(app)
      for (const decoy of ['qz', 'qxz', 'qAz', 'qxxz', 'QZ z', 'q%z%', 'q_z_']) {
        await titled(author, decoy, decoy)
      }
      for (const text of powerful) {
        const id = await titled(author, 'plain', `in q${text}z here`)
        assert.deepEqual(await found(app, author, `in q${text}z he`), [id], JSON.stringify(text))
        const other = await titled(author, `At q${text}z`, '')
        assert.deepEqual(await found(app, author, `at q${text}z`), [other], JSON.stringify(text))
      }
    },
  },
  {
    title: 'searching for a single wildcard character finds the texts that contain it',
    run: async (app) => {
      const author = await register(app)
      for (const text of ['%', '_', '*', '.', '?', '\\', "'", '"', '[', '$', '^', '|', '🎉']) {
        const id = await titled(author, `a${text}b`, 'plain')
        assert.deepEqual(await found(app, author, text), [id], JSON.stringify(text))
        await update(author.app, posts, id, { title: 'ab' })
        assert.deepEqual(await found(app, author, text), [], JSON.stringify(text))
      }
    },
  },
  {
    title: 'search finds the end of 100 kB of text and accepts a long search text',
    run: async (app) => {
      const author = await register(app)
      const long = `${'0123456789 '.repeat(9000)}Needle`
      const id = await titled(author, 'x', long)
      assert.deepEqual(await found(app, author, 'needle'), [id])
      assert.deepEqual(await found(app, author, long.slice(-200)), [id])
      assert.deepEqual(await found(app, author, `${long.slice(-200)}x`), [])
    },
  },
]

async function titled({ app }: Caller, title: string, content: string): Promise<number> {
  return (await create(app, posts, { title, content, published: false })).id
}

/** Returns the ids of the author's posts that a search finds, newest first. */
async function found(app: AppUnderTest, author: Caller, text: string): Promise<readonly number[]> {
  const query = `author_id=${author.id}&page_size=100&search=${encodeURIComponent(text)}`
  const { records, total } = await list(app, posts, query)
  assert.equal(total, records.length, `the total of a search for ${text}`)
  return records.map(({ id }) => id)
}
