import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { addFeature, project, sharedProject, temporaryFolder } from './folders.ts'
import { refused } from './refusal.ts'
import { program, type RunOptions, strata } from './strata.ts'

const author = ['feature', 'Author', 'name:string']
const init = ['init', 'shop', '--no-install', '--no-git']

test('in a project that cannot be written a feature changes nothing', async (context) => {
  const options = await without(context)
  const root = await project()
  readOnly(dirname(root))
  for (const folder of ['src/domain', '.strata', '']) readOnly(join(root, folder))
  const lines = await refused(root, author, 1, options)
  expect(lines).toEqual(['error: strata has no permission to write here: nothing was changed'])
})

test('in a folder that cannot be written init makes nothing', async (context) => {
  const options = await without(context)
  const folder = temporaryFolder()
  readOnly(folder)
  const lines = await refused(folder, init, 1, options)
  expect(lines).toEqual(['error: strata has no permission to write here: nothing was changed'])
})

test('on a full disk a feature and an init change nothing, and work when there is room', async (context) => {
  const disk = smallDisk(context)
  const root = join(disk, 'project')
  cpSync(await sharedProject(), root, { recursive: true })
  fill(disk)
  const full = ['error: the disk is full: nothing was changed']
  expect(await refused(disk, init, 1)).toEqual(full)
  expect(await refused(root, author, 1)).toEqual(full)
  rmSync(join(disk, 'ballast'))
  await addFeature(root, 'Author name:string')
})

/** Root may write everywhere, so the run is then another user's. */
async function without(context: TestContext): Promise<RunOptions> {
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65534 }
  const run = await strata(tmpdir(), ['--version'], nobody).catch((error: unknown) => ({
    code: 1,
    stderr: String(error),
  }))
  if (run.code !== 0) context.skip(`another user cannot run ${program} here: ${run.stderr}`)
  return nobody
}

/** Until the test is done. */
function readOnly(folder: string): void {
  chmodSync(folder, 0o555)
  onTestFinished(() => chmodSync(folder, 0o755))
}

function smallDisk(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmdirSync(folder)
    context.skip(`a small tmpfs cannot be mounted here: ${String(error)}`)
  }
  onTestFinished(() => {
    execFileSync('umount', [folder])
    rmdirSync(folder)
  })
  return folder
}

/** Leaves room for a lock, and not for a feature. */
function fill(disk: string): void {
  const { bfree, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'ballast'), Buffer.alloc((bfree - 8) * bsize))
}
