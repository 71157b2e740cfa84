import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const app = fileURLToPath(new URL('../../examples/user-app/', import.meta.url))

test.each([
  ['generate', process.execPath],
  // Prisma downloads the real engine, unless the user has set a path.
  ['migrate status', 'unset'],
  ['studio', 'unset'],
])('prisma.config.ts gives `prisma %s` the schema engine %s', (command, engine) => {
  expect(engineOf(command.split(' '))).toBe(engine)
})

test('prisma.config.ts keeps a schema engine that the user has set', () => {
  expect(engineOf(['generate'], { PRISMA_SCHEMA_ENGINE_BINARY: '/engine' })).toBe('/engine')
})

/** Loads the emitted configuration in a process with Prisma's arguments. Returns the path of the schema engine. */
function engineOf(argv: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const code = `await import('./prisma.config.ts'); console.log(process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? 'unset')`
  const { PRISMA_SCHEMA_ENGINE_BINARY: _, ...inherited } = process.env
  const args = ['--import', 'tsx', '--input-type=module', '-e', code, '--', ...argv]
  return execFileSync(process.execPath, args, {
    cwd: app,
    env: { ...inherited, ...env },
    encoding: 'utf8',
  }).trim()
}
