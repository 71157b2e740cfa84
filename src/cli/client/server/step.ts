import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'

/** One idempotent part of an installation. */
export interface Step {
  /** Verb and object, for example `write /etc/systemd/system/stratad.service`. */
  readonly text: string
  isDone(): boolean | Promise<boolean>
  run(): void | Promise<void>
}

/** Runs the steps that are not done. Returns their texts. A dry run runs none. */
export async function runSteps(steps: readonly Step[], isDryRun: boolean): Promise<string[]> {
  const changed: string[] = []
  for (const step of steps) {
    if (await step.isDone()) continue
    changed.push(step.text)
    if (!isDryRun) await step.run()
  }
  return changed
}

/** Creates a folder, or corrects its mode. */
export function folderStep(path: string, mode: number): Step {
  return {
    text: `create ${path} with mode ${mode.toString(8).padStart(4, '0')}`,
    isDone: () => existsSync(path) && (statSync(path).mode & 0o777) === mode,
    run: () =>
      reported(path, () => {
        mkdirSync(path, { recursive: true })
        chmodSync(path, mode)
      }),
  }
}

/** Writes a file atomically. */
export function fileStep(path: string, text: string, mode: number): Step {
  return {
    text: `write ${path}`,
    isDone: () =>
      existsSync(path) &&
      readFileSync(path, 'utf8') === text &&
      (statSync(path).mode & 0o777) === mode,
    run: () => reported(path, () => replaceFile(path, text, mode)),
  }
}

/** Points a symbolic link to `target`. */
export function linkStep(path: string, target: string): Step {
  return {
    text: `link ${path} to ${target}`,
    isDone: () => linkTarget(path) === target,
    run: () => reported(path, () => replaceLink(path, target)),
  }
}

/** Replaces a file atomically. The mode does not depend on the umask. */
export function replaceFile(path: string, text: string, mode: number): void {
  const part = `${path}.${process.pid}.part`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(part, text, { mode, flush: true })
  chmodSync(part, mode)
  renameSync(part, path)
}

/** Replaces a symbolic link atomically: readers see the old or the new target. */
export function replaceLink(path: string, target: string): void {
  const part = `${path}.${process.pid}.part`
  mkdirSync(dirname(path), { recursive: true })
  rmSync(part, { force: true })
  symlinkSync(target, part)
  renameSync(part, path)
}

/** Returns the target of a symbolic link; undefined if the path is none. */
export function linkTarget(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? readlinkSync(path)
    : undefined
}

function reported(path: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    throw new ClientError(`can't write ${path} (${codeOf(cause)})`, { cause })
  }
}
