/** A process for the tests: `child.ts <action> <root> [number]`. Each step reads and writes one line. */
import { mkdirSync, rmdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { applyPlan } from '../../../../src/generator/write/apply-plan.ts'
import { createProject } from '../../../../src/generator/write/create-project.ts'
import { withProjectLock } from '../../../../src/generator/write/project-lock.ts'
import { recoverProject } from '../../../../src/generator/write/recover-project.ts'
import { watchedDisk } from './disks.ts'
import { newProjectPlan, samplePlan, textAt } from './sample.ts'

const [action = '', root = '', number = '0'] = process.argv.slice(2)

const actions: Readonly<Record<string, () => unknown>> = { apply, count, hold, init, rounds }

await actions[action]?.()

/** Applies the sample plan and kills this process at change `number`. */
async function apply(): Promise<void> {
  const disk = diskThatKills(Number(number))
  const work = async () => {
    await recoverProject(root, disk)
    applyPlan(samplePlan(root), disk)
  }
  await withProjectLock(root, work, { disk })
}

function init(): void {
  createProject(root, newProjectPlan(root), { disk: diskThatKills(Number(number)) })
}

/** Increments `counter.txt` `number` times, each time in a separate run. */
async function count(): Promise<void> {
  for (let done = 0; done < Number(number); done++) {
    await withProjectLock(
      root,
      async () => {
        await recoverProject(root)
        const before = textAt(root, 'counter.txt')
        const after = `${Number(before) + 1}\n`
        const action = { kind: 'edit', path: 'counter.txt', before, after, reason: 'one' } as const
        applyPlan({ root, actions: [action] })
      },
      { waitMs: 60_000, pollMs: 1 },
    )
  }
}

/** Takes the lock and holds it until the process is killed. */
async function hold(): Promise<void> {
  await withProjectLock(root, async () => {
    process.stdout.write('locked\n')
    await new Promise(() => setInterval(() => {}, 60_000))
  })
}

/** Takes the lock once for each input line. Creating the folder `alone` fails if two processes hold the lock. */
async function rounds(): Promise<void> {
  process.stdout.write('ready\n')
  for await (const _ of createInterface({ input: process.stdin })) {
    const alone = () => {
      mkdirSync(`${root}/alone`)
      rmdirSync(`${root}/alone`)
    }
    await withProjectLock(root, alone, { waitMs: 60_000, pollMs: 1 })
    process.stdout.write('done\n')
  }
}

function diskThatKills(at: number) {
  return watchedDisk(({ index }) => {
    if (index === at) process.kill(process.pid, 'SIGKILL')
  })
}
