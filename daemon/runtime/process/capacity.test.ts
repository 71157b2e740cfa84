import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCapacity } from './capacity.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-capacity-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const mb = 2 ** 20

/** Returns total and free memory in MiB of a simulated host with these files. */
async function capacityOf(files: Readonly<Record<string, string>>) {
  const meminfo = 'MemTotal:       8388608 kB\nMemFree: 1024 kB\nMemAvailable:    4194304 kB\n'
  for (const [path, text] of Object.entries({ 'proc/meminfo': meminfo, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { memoryBytes, memoryFreeBytes } = await readCapacity({
    proc: join(folder, 'proc'),
    cgroups: join(folder, 'cgroup'),
  })
  return [memoryBytes / mb, memoryFreeBytes / mb]
}

test('the capacity without control group limits is the memory of the host', async () => {
  expect(await capacityOf({})).toEqual([8192, 4096])
  expect(
    await capacityOf({
      'proc/self/cgroup': '0::/app.slice/daemon\n',
      'cgroup/app.slice/daemon/memory.max': 'max\n',
      'cgroup/app.slice/daemon/memory.current': '1000\n',
    }),
  ).toEqual([8192, 4096])
})

test('the capacity respects the limit of an ancestor control group (v2) and counts caches as free memory', async () => {
  expect(
    await capacityOf({
      'proc/self/cgroup': '0::/app.slice/daemon\n',
      'cgroup/app.slice/memory.max': `${1024 * mb}\n`,
      'cgroup/app.slice/memory.current': `${600 * mb}\n`,
      'cgroup/app.slice/memory.stat': `anon 1\ninactive_file ${200 * mb}\n`,
      'cgroup/app.slice/daemon/memory.max': 'max\n',
    }),
  ).toEqual([1024, 624])
})

test('the capacity respects a limit of control groups v1', async () => {
  expect(
    await capacityOf({
      'proc/self/cgroup': '4:memory:/box\n1:cpu:/\n0::/\n',
      'cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      'cgroup/memory/memory.usage_in_bytes': '5\n',
      'cgroup/memory/box/memory.limit_in_bytes': `${512 * mb}\n`,
      'cgroup/memory/box/memory.usage_in_bytes': `${700 * mb}\n`,
      'cgroup/memory/box/memory.stat': `cache 0\ntotal_inactive_file ${300 * mb}\n`,
    }),
  ).toEqual([512, 112])
})
