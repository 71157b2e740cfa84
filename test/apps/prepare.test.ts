import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { prepareApp } from '../support/apps/prepare.ts'

describe('prepareApp', () => {
  let folder = ''

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-prepare-'))
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src/main.ts'), 'one')
    await writeFile(join(folder, 'build.mjs'), appendToBuilds)
    const scripts = { build: 'node build.mjs' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('builds once for the same sources, even for concurrent calls', async () => {
    await Promise.all([prepareApp(folder), prepareApp(folder), prepareApp(folder)])
    await prepareApp(folder)
    expect(await builds()).toBe('b')
  })

  test('builds again when a source has changed', async () => {
    await prepareApp(folder)
    await writeFile(join(folder, 'src/main.ts'), 'two')
    await prepareApp(folder)
    expect(await builds()).toBe('bb')
  })

  test('throws if the build fails, and builds again at the next call', async () => {
    await writeFile(join(folder, 'build.mjs'), 'process.exit(3)')
    await expect(prepareApp(folder)).rejects.toThrow('npm run build')
    await expect(prepareApp(folder)).rejects.toThrow('npm run build')
  })

  const builds = () => readFile(join(folder, 'dist/builds'), 'utf8')
})

const appendToBuilds = `
import { appendFileSync, mkdirSync } from 'node:fs'
mkdirSync('dist', { recursive: true })
appendFileSync('dist/builds', 'b')
`
