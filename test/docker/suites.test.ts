import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dockerSuites, processSuites } from '../../scripts/docker-suites.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('each suite that starts a daemon runs on both runtimes, or has a reason', () => {
  const suites = ['test/daemon', 'test/cli-client'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`)
      .filter((path) =>
        /\b(startDaemon|buildKillable)\b/.test(readFileSync(`${root}/${path}`, 'utf8')),
      ),
  )
  const listed = [...dockerSuites, ...Object.keys(processSuites)]
  expect(listed.toSorted()).toEqual(suites.toSorted())
})
