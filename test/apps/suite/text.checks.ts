import assert from 'node:assert/strict'
import { assertFaults } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { create, find, freshBody, list, post, type Resource, recordOf, update } from './resource.ts'

const scripts: readonly string[] = [
  'Grüße, Ærøskøbing, Łódź',
  'Ωμέγα, Москва, ქართული',
  '日本語, 中文, 한국어, ไทย',
  'مرحبا بالعالم, שלום עולם',
  '\u202emirrored\u202c and \u200fmarks\u200e',
  '🎉 👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇭 𝒳 𠮷',
  'composed \u00e9, decomposed e\u0301, stacked z\u0351\u036b\u0343',
  'zero\u200bwidth\u200djoiner\ufeff and nbsp\u00a0',
  'line\nbreak\ttab\rreturn \u2028 \u2029 \u0085 \u007f',
  ' leading and trailing ',
  'İstanbul ıI ß ﬀ ǅ',
]

const suspicious: readonly string[] = [
  `'; DROP TABLE users; --`,
  `" OR "1"="1`,
  `\`id\`, $(id), \${7*7}, {{7*7}}, <%= 7*7 %>`,
  '{"$gt": ""}',
  '$where: this.age > 0',
  '%_*?.\\',
  '\\',
  '\\u0000 \\x00 \\n',
  '<script>alert("x")</script> & &amp; &lt;',
  'null',
  'undefined',
  'true',
  '0',
  '2024-01-01T00:00:00.000Z',
  '__proto__',
  '../../etc/passwd',
  '=1+1',
]

/** Checks of texts: accepted texts read back unchanged. */
export function textChecks(resource: Resource): readonly Check[] {
  const { plural } = resource
  const fields = resource.fields.filter(({ kind }) => kind === 'string')
  const names = fields.map(({ name }) => name)
  const kept = (title: string, texts: readonly string[]): Check => ({
    title: `${plural}: ${title}`,
    run: async (app) => {
      for (const name of names) {
        const { id: other } = await create(app, resource)
        for (const text of texts) {
          const { id } = await create(app, resource, { [name]: text })
          assert.equal((await find(app, resource, id))[name], text)
          assert.equal((await update(app, resource, other, { [name]: text }))[name], text)
          const [first] = (await list(app, resource, 'page_size=1')).records
          assert.equal(first?.[name], text)
        }
      }
    },
  })
  const keptOrRefused = (title: string, texts: readonly string[]): Check => ({
    title: `${plural}: ${title}`,
    run: async (app) => {
      for (const { name, optional } of fields) {
        // An optional field may be empty; each resource defines the meaning of an empty value.
        const meant = texts.filter((text) => text !== '' || optional !== true)
        for (const text of meant) await assertKeptOrRefused(app, resource, name, text)
      }
    },
  })
  return [
    kept('text of every script reads back unchanged', scripts),
    kept('text that looks like a query, a path or a template reads back unchanged', suspicious),
    keptOrRefused('NUL and unpaired surrogates are stored unchanged or rejected by name', [
      'nul \u0000 inside',
      '\u0000',
      'half \ud83d alone',
      '\udc00 first',
      'control \u0001\u001f',
    ]),
    keptOrRefused('an empty or long text is stored unchanged or rejected by name', [
      '',
      'x'.repeat(256),
      'x'.repeat(5000),
      '🎉'.repeat(20_000),
      'x'.repeat(900_000),
    ]),
  ]
}

async function assertKeptOrRefused(
  app: AppUnderTest,
  resource: Resource,
  name: string,
  text: string,
): Promise<void> {
  const said = `with ${name} ${JSON.stringify(text.slice(0, 30))} of length ${text.length}`
  const reply = await post(app, resource, { ...freshBody(resource), [name]: text })
  if (reply.status !== 201) return assertFaults(reply, [name], said)
  const record = recordOf(resource, reply)
  assert.ok(record[name] === text, `the create answered another text ${said}`)
  assert.ok((await find(app, resource, record.id))[name] === text, `read back another text ${said}`)
}
