// `npm run setup`: adds the missing settings of .env.example to .env, and a random text for each empty one.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const text = existsSync('.env') ? readFileSync('.env', 'utf8') : ''
const settings = parseEnv(text)
const added = []
const examples = Object.entries(parseEnv(readFileSync('.env.example', 'utf8')))
// Empty settings come first, because others refer to them.
for (const [name, example] of examples.sort(([, a], [, b]) => a.length - b.length)) {
  if (settings[name]) continue
  settings[name] = example.replace(/\$(\w+)/g, (_, other) => settings[other]) || randomSecret()
  added.push(name)
}

if (added.length === 0) console.log('.env has all settings')
else {
  const isKept = (line) => line !== '' && !added.includes(line.split('=')[0])
  const lines = [
    ...text.split('\n').filter(isKept),
    ...added.map((name) => `${name}=${settings[name]}`),
  ]
  writeFileSync('.env', `${lines.join('\n')}\n`, { mode: 0o600 })
  console.log(`added to .env: ${added.join(', ')}`)
}

/** Some servers require an upper-case letter, a lower-case letter and a digit in a password. */
function randomSecret() {
  return `Aa1-${randomBytes(32).toString('base64url')}`
}
