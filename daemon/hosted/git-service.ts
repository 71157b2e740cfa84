import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { delimiter, dirname, join } from 'node:path'
import type { Duplex, Readable, Writable } from 'node:stream'
import { repositoryVolume } from '../domain/hosted.ts'
import { DaemonError } from '../errors.ts'
import type { Cell, GitExchange, GitService, Logger } from '../ports.ts'
import { killMarked } from '../spawn/kill-marked.ts'
import { splitCgiHead } from './cgi-head.ts'
import { type GitFiles, writeGitFiles } from './git-files.ts'
import { serveProcReceive } from './proc-receive.ts'

export interface GitServiceOptions {
  readonly volumes: string
  /** Folder of git's settings and hooks. The user that reads pushes can read it. */
  readonly filesFolder: string
  readonly maxInputBytes: number
  readonly cell: () => Promise<Cell>
  /** Ends the processes of a group. */
  readonly endGroup: (group: string) => Promise<unknown>
  /** Lists the groups of all processes, also those of a previous daemon. */
  readonly groups: () => readonly string[]
  readonly logger: Pick<Logger, 'warn'>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Maximum time without data from client or git, until the objects of a push are stored. */
const silenceMs = 120_000
const totalMs = 3_600_000
/** Limits of one request with all processes of git. */
const limits = { memoryMb: 1_024, cpus: null, cpuWeight: 50, pids: 64 } as const
/** Maximum size of the list of commits in a fetch. */
const maxWantsBytes = 16 * 2 ** 20
/** A pusher that reads slower than the deploy writes loses lines. */
const maxUnreadBytes = 256 * 1024
const groupPrefix = 'git-'

/** Serves hosted repositories through the program `git http-backend`, in a cell of its own. */
export function createGitService(options: GitServiceOptions): GitService {
  const { volumes, filesFolder, maxInputBytes, endGroup, groups, logger } = options
  const mark = `STRATA_GIT_SERVICE=${filesFolder}`
  let ready: Promise<GitFiles> | undefined

  /** Runs once: ends what a previous daemon has left. */
  async function prepare(): Promise<GitFiles> {
    await killMarked(mark)
    for (const group of groups()) if (group.startsWith(groupPrefix)) await endGroup(group)
    return writeGitFiles(filesFolder, { maxInputBytes })
  }

  function environmentOf(exchange: GitExchange, { config }: GitFiles, cell: Cell) {
    const { projectId, service, step, req } = exchange
    const { PATH = '/usr/local/bin:/usr/bin:/bin' } = options.env
    return {
      // The hook needs node.
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      HOME: cell.home ?? filesFolder,
      LC_ALL: 'C',
      ...Object.fromEntries([mark.split(/=(.*)/s, 2)]),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: config,
      GIT_ATTR_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: join(volumes, String(projectId)),
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: protocolOf(req.headers['git-protocol']),
      PATH_INFO: `/${repositoryVolume}/${step === 'refs' ? 'info/refs' : service}`,
      REQUEST_METHOD: step === 'refs' ? 'GET' : 'POST',
      QUERY_STRING: step === 'refs' ? `service=${service}` : '',
      CONTENT_TYPE: step === 'refs' ? '' : String(req.headers['content-type'] ?? ''),
      HTTP_CONTENT_ENCODING: /gzip$/.test(req.headers['content-encoding'] ?? '') ? 'gzip' : '',
      REMOTE_USER: 'strata',
    }
  }

  async function start(exchange: GitExchange, group: string): Promise<ChildProcess> {
    ready ??= prepare()
    const files = await ready.catch((error) => {
      ready = undefined
      throw error
    })
    const cell = await options.cell()
    return cell.spawn('git', ['http-backend'], {
      cwd: '/',
      env: environmentOf(exchange, files, cell),
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      ...{ group, limits },
    })
  }

  async function serve(exchange: GitExchange): Promise<void> {
    const { projectId, res, receive } = exchange
    const group = `${groupPrefix}${randomBytes(6).toString('hex')}`
    const gone = new AbortController()
    const leave = () => gone.abort()
    res.once('close', leave)
    const child = await start(exchange, group)
    const patience = endIfSilent(child)
    let receiving: Promise<void> | undefined
    const [hook, notes] = [child.stdio[3] as Duplex, child.stdio[4] as Writable]
    for (const stream of [hook, notes, child.stdin]) stream?.on('error', () => {})
    const kill = () => endChild(child)
    try {
      gone.signal.addEventListener('abort', kill, { once: true })
      if (gone.signal.aborted) kill()
      if (receive) {
        const say = createSay(notes)
        receiving = serveProcReceive(hook, (push) => {
          patience.stop()
          return receive(push, { say, gone: gone.signal })
        })
          .catch((err) => {
            // The hook ends, and git refuses the push.
            logger.warn({ err, projectId }, 'could not answer a push')
            hook.destroy()
          })
          .finally(() => notes.end())
      } else notes.end()
      feed(exchange, child, maxInputBytes, patience.touch)
      const fault = collectTail(child)
      await Promise.all([relay(child, res, patience.touch), receiving])
      const code = await exitOf(child)
      if (code !== 0 && !gone.signal.aborted) {
        logger.warn({ projectId, code, said: fault() }, 'git could not serve a request')
      }
    } finally {
      patience.stop()
      res.off('close', leave)
      kill()
      await endGroup(group)
    }
  }

  return { serve }
}

/** Passes the body of a request to git. Disconnects a sender of more than a push may have. */
function feed(
  { req, step, service }: GitExchange,
  { stdin }: ChildProcess,
  maxInputBytes: number,
  touch: () => void,
): void {
  if (!stdin) return
  if (step === 'refs') return void stdin.end()
  const limit = service === 'git-upload-pack' ? maxWantsBytes : maxInputBytes + 64 * 2 ** 20
  let bytes = 0
  req.on('data', (chunk: Buffer) => {
    touch()
    bytes += chunk.length
    // git itself refuses a large pack, with a message. This ends what is no pack.
    if (bytes > limit) req.destroy()
  })
  req.pipe(stdin)
  // git may refuse a push before its end: read the rest, so that the client reads the answer.
  stdin.once('close', () => {
    req.unpipe(stdin)
    req.resume()
  })
  req.once('aborted', () => stdin.destroy())
}

/** Sends git's response. Resolves when git has closed its output. */
async function relay(
  { stdout }: ChildProcess,
  res: GitExchange['res'],
  touch: () => void,
): Promise<void> {
  if (!stdout) return
  let head = Buffer.alloc(0)
  let isBody = false
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    touch()
    if (isBody) await write(res, chunk)
    else {
      head = Buffer.concat([head, chunk])
      const split = splitCgiHead(head)
      if (!split) continue
      isBody = true
      res.statusCode = split.head.status
      for (const [name, value] of split.head.headers) res.setHeader(name, value)
      // nginx would keep the progress of a deploy back.
      res.setHeader('X-Accel-Buffering', 'no')
      await write(res, split.rest)
    }
  }
  if (!isBody && !res.closed) throw new DaemonError('internal', 'git sent no answer')
  res.end()
}

/** Resolves when the client takes more data. A client that is gone takes everything. */
async function write(res: GitExchange['res'], chunk: Buffer): Promise<void> {
  if (chunk.length === 0 || res.closed || res.write(chunk)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.on('drain', done).on('close', done)
  })
}

/** Returns a function that sends a line, or drops it if the pusher does not read. */
function createSay(notes: Writable): (line: string) => void {
  let skipped = 0
  return (line) => {
    if (notes.destroyed || notes.writableEnded) return
    if (notes.writableLength > maxUnreadBytes) {
      skipped += 1
      return
    }
    if (skipped > 0) notes.write(`(${skipped} lines are left out)\n`)
    skipped = 0
    notes.write(`${line}\n`)
  }
}

/** Ends git after `silenceMs` without a call of `touch`, and after `totalMs`, until `stop` is called. */
function endIfSilent(child: ChildProcess) {
  const end = () => endChild(child)
  const silence = setTimeout(end, silenceMs)
  const total = setTimeout(end, totalMs)
  let isStopped = false
  return {
    touch: () => void (isStopped || silence.refresh()),
    stop() {
      isStopped = true
      clearTimeout(silence)
      clearTimeout(total)
    },
  }
}

function endChild({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', resolve))
}

/** Collects the end of git's own messages. They contain no credential: git never gets one. */
function collectTail({ stderr }: { stderr: Readable | null }): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2_000)
  })
  return () => text.trim()
}

/** Passes a protocol version only: git's own clients send `version=2`. */
function protocolOf(header: string | string[] | undefined): string {
  return /^version=\d$/.test(String(header)) ? String(header) : ''
}
