import { execFileSync } from 'node:child_process'
import {
  chmodSync,
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
import {
  addFeature,
  project,
  sharedProject,
  temporaryFolder,
} from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { program, type RunOptions, strata } from '../../support/generator/strata.ts'

const author = ['feature', 'Author', 'name:string']
const noPermission = 'error: strata has no permission to write here: nothing was changed'
const init = ['init', 'shop', '--no-install', '--no-git']

test('a feature changes nothing in a project without write permission', async (context) => {
  const options = await asSomebody(context)
  const root = await project()
  const folders = [dirname(root), root, join(root, '.strata'), join(root, 'src/domain')]
  await whileReadOnly(folders, async () => {
    const lines = await refused(root, author, 1, options)
    expect(lines).toEqual([noPermission, expect.stringMatching(/^EACCES: /)])
    await refused(root, [...author, '--dry-run'], 1, options)
  })
})

test('init creates nothing in a folder without write permission', async (context) => {
  const options = await asSomebody(context)
  const folder = temporaryFolder()
  await whileReadOnly([folder], async () => {
    const lines = await refused(folder, init, 1, options)
    expect(lines).toEqual([noPermission, expect.stringMatching(/^EACCES: /)])
  })
})

test('a feature and an init change nothing on a full disk, and succeed once there is space', async (context) => {
  const disk = smallDisk(context)
  const root = join(disk, 'project')
  cpSync(await sharedProject(), root, { recursive: true })
  fill(disk)
  const full = ['error: the disk is full: nothing was changed', expect.stringMatching(/^ENOSPC: /)]
  expect(await refused(disk, init, 1)).toEqual(full)
  expect(await refused(root, author, 1)).toEqual(full)
  rmSync(join(disk, 'ballast'))
  await addFeature(root, 'Author name:string')
})

/** Runs as another user if this user is root, because root may write everywhere. */
async function asSomebody(context: TestContext): Promise<RunOptions> {
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65534 }
  const run = await strata(tmpdir(), ['--version'], nobody).catch((error: unknown) => ({
    code: 1,
    stderr: String(error),
  }))
  if (run.code !== 0) context.skip(`another user cannot run ${program} here: ${run.stderr}`)
  return nobody
}

async function whileReadOnly(folders: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const folder of folders) chmodSync(folder, 0o555)
  try {
    await work()
  } finally {
    for (const folder of folders) chmodSync(folder, 0o755)
  }
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

/** Leaves enough space for a lock but not for a feature. */
function fill(disk: string): void {
  const { bfree, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'ballast'), Buffer.alloc((bfree - 8) * bsize))
}
