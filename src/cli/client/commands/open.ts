import { spawn } from 'node:child_process'
import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { addressOf, findTarget, type TargetOptions } from '../projects/environments.ts'
import { runWithDaemon } from '../run/run-command.ts'

/** `strata open`: prints the address of an environment, and opens it in a browser. */
export function open(
  target: string | undefined,
  options: CommonOptions & TargetOptions & { readonly browser?: boolean },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { environment } = await findTarget(session, target, options)
    const address = addressOf(environment)
    if (address === undefined) {
      throw new ClientError(
        `environment ${environment.id} is ${environment.state}: it has no address`,
        { next: [`strata logs ${environment.id}`, `strata up ${environment.branch.name}`] },
      )
    }
    session.output.result({ ...environment, address }, () => [address])
    const isWanted = options.browser !== false && options.json !== true
    const argv = browserCommand(process.env, process.platform)
    if (!isWanted || (process.env.BROWSER === undefined && !process.stdout.isTTY)) return
    if (!(await start([...argv, address]))) {
      session.output.note('no browser was found: set BROWSER to the name of one')
    }
  })
}

/** Returns the program that opens an address: the first of BROWSER, otherwise the one of the desktop. */
export function browserCommand(
  { BROWSER = '' }: Readonly<Record<string, string | undefined>>,
  platform: string,
): string[] {
  const [first = ''] = BROWSER.split(':')
  const words = first.split(' ').filter((word) => word !== '' && word !== '%s')
  if (words.length > 0) return words
  return [platform === 'darwin' ? 'open' : 'xdg-open']
}

/** Starts a program that outlives the command. Returns false if it is missing. */
function start([program = '', ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
