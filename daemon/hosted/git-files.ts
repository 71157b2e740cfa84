import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files outside the repositories that control git: settings and hooks. Readable for the user that reads pushes. */
export interface GitFiles {
  readonly config: string
}

/** Writes the files into `folder`. Each file is replaced atomically. */
export async function writeGitFiles(
  folder: string,
  { maxInputBytes }: { maxInputBytes: number },
): Promise<GitFiles> {
  const hooks = join(folder, 'hooks')
  for (const path of [folder, hooks]) {
    await mkdir(path, { recursive: true })
    await chmod(path, 0o755)
  }
  await replace(join(hooks, 'proc-receive'), hook, 0o755)
  const config = join(folder, 'config')
  await replace(config, configText(hooks, maxInputBytes), 0o644)
  return { config }
}

async function replace(path: string, text: string, mode: number): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return
  const staged = `${path}.${process.pid}.tmp`
  await writeFile(staged, text)
  // The umask restricts the mode of a new file.
  await chmod(staged, mode)
  await rename(staged, path)
}

/**
 * Connects git with the daemon, which serves the protocol of the hook on descriptor 3, and sends the lines for the pusher
 * on descriptor 4. The hook fails if the daemon ends.
 */
const hook = `#!/usr/bin/env node
const { Socket } = require('node:net')
const daemon = new Socket({ fd: 3 })
const notes = new Socket({ fd: 4, writable: false })
let open = 2
const done = () => {
  open -= 1
  if (open === 0) process.exit(0)
}
daemon.on('error', () => process.exit(1))
notes.on('error', () => process.exit(1))
notes.on('end', done).pipe(process.stderr)
daemon.on('end', done).pipe(process.stdout)
process.stdin.pipe(daemon, { end: false })
`

/**
 * Every ref of a push goes to the hook. `unpackLimit` keeps each push as a pack, so that no object is written without
 * its check. The three faults of `fsck` are harmless and frequent in old repositories.
 */
function configText(hooks: string, maxInputBytes: number): string {
  return `[core]
	hooksPath = ${JSON.stringify(hooks)}
	bigFileThreshold = 32m
	fsync = all
[safe]
	directory = *
[transfer]
	fsckObjects = true
	hideRefs = refs/strata
	unpackLimit = 1
[receive]
	procReceiveRefs = refs
	maxInputSize = ${maxInputBytes}
	autoGC = false
	keepAlive = 5
	advertisePushOptions = false
[receive "fsck"]
	badTimezone = warn
	missingSpaceBeforeDate = warn
	zeroPaddedFilemode = warn
[uploadpack]
	allowFilter = true
	keepAlive = 5
[http]
	receivepack = true
	getanyfile = false
[pack]
	threads = 2
	windowMemory = 64m
[gc]
	auto = 0
[protocol]
	allow = never
`
}
