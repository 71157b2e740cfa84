import { createRequire } from 'node:module'
import { type FormatConfig, format } from 'oxfmt'
import { expect, test } from 'vitest'

// The command line contains a module in place of oxfmt: scripts/native-formatter.mjs.
const built: { format: typeof format } = createRequire(import.meta.url)(
  '../../../dist/scripts-oxfmt.cjs',
)

const styles: FormatConfig[] = [
  { printWidth: 100, semi: false, singleQuote: true },
  { printWidth: 80, useTabs: true, trailingComma: 'none' },
]

test.each([
  ['a script', 'export const a = {b:1, c: "two"  }'],
  ['a script that does not parse', 'export const = 1'],
  ['CSS in a template string', 'const a = css`a{color:red;b:  c}`'],
  ['HTML in a template string', 'const a = html`<p   class="a">b</p>`'],
  ['GraphQL in a template string', 'const a = gql`query   { a{b} }`'],
  ['Markdown in a template string', 'const a = markdown`\n  * a\n  * b\n`'],
])('the formatter of the command line formats %s as oxfmt does', async (_, text) => {
  for (const style of styles) {
    expect(await built.format('a.ts', text, style)).toEqual(await format('a.ts', text, style))
  }
})
