import { open, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Lock, type Manifest, readLock, readManifest } from '../manifest.ts'
import { readText } from '../read-text.ts'
import { workspaceFolder } from '../workspace.ts'

/** Everything of a checkout that decides how an app is built. Recognition is a pure function of it. */
export interface AppFiles {
  /** Folder of the app, relative to the checkout; empty for the checkout itself. */
  readonly root: string
  /** Names of the files and folders in the folder of the app. */
  readonly names: ReadonlySet<string>
  /** Texts of the files that recognition reads, by path relative to the folder of the app. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders with a Go program, such as `.` and `./cmd/web`. */
  readonly goPrograms: readonly string[]
  readonly manifest: Manifest | undefined
  readonly lock: Lock | undefined
  readonly workspace: WorkspaceFiles | null
}

/** The root of the npm, pnpm or Yarn workspace that has the app as a member. */
export interface WorkspaceFiles {
  /** Folder relative to the checkout; empty for the checkout itself. */
  readonly folder: string
  readonly names: ReadonlySet<string>
  readonly texts: ReadonlyMap<string, string>
  readonly manifest: Manifest | undefined
  readonly lock: Lock | undefined
}

/** Reads the files of an app. `checkout` and `folder` are real paths, and `folder` is inside `checkout`. */
export async function readAppFiles(checkout: string, folder: string): Promise<AppFiles> {
  const own = await readFolder(folder)
  const workspace = await workspaceFolder(checkout, folder)
  return {
    ...own,
    root: relative(checkout, folder),
    goPrograms: own.names.has('go.mod') ? await findGoPrograms(folder, own.names) : [],
    workspace:
      workspace === undefined
        ? null
        : { folder: relative(checkout, workspace), ...(await readFolder(workspace)) },
  }
}

async function readFolder(folder: string) {
  const names = new Set(await readdir(folder))
  const modules = [...names].filter((name) => name.endsWith('.py')).slice(0, maxModules)
  const [manifest, lock, texts] = await Promise.all([
    readManifest(folder),
    readLock(folder),
    Promise.all(
      [...textFiles.filter((name) => names.has(name)), ...modules].map(
        async (name) => [name, await readHead(folder, name)] as const,
      ),
    ),
  ])
  return { names, manifest, lock, texts: new Map(texts) }
}

/** Files that recognition reads whole. Others contribute only their names. */
const textFiles = [
  '.node-version',
  '.nvmrc',
  '.python-version',
  'Procfile',
  'go.mod',
  'pnpm-lock.yaml',
  'pyproject.toml',
  'requirements.txt',
  'runtime.txt',
  'yarn.lock',
  '.yarnrc.yml',
]

const maxModules = 30
const maxCharacters = 256 * 1024

/** Returns the start of a text file. The first lines of a lock file name its version. */
async function readHead(folder: string, name: string): Promise<string> {
  return ((await readText(folder, name)) ?? '').slice(0, maxCharacters).replace(/^\uFEFF/, '')
}

/** Finds `package main` in the folder of the app and in the folders below `cmd`. */
async function findGoPrograms(folder: string, names: ReadonlySet<string>): Promise<string[]> {
  const commands = names.has('cmd')
    ? (await readdir(join(folder, 'cmd')).catch(() => [])).sort()
    : []
  const candidates = ['.', ...commands.slice(0, maxModules).map((name) => `./cmd/${name}`)]
  const found = await Promise.all(
    candidates.map(async (path) => ((await hasGoMain(join(folder, path))) ? [path] : [])),
  )
  return found.flat()
}

async function hasGoMain(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  const sources = names.filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
  for (const name of sources.slice(0, maxModules)) {
    if (/^package main\b/m.test(await startOf(join(folder, name)))) return true
  }
  return false
}

/** Returns the first 16 KiB of a file; an empty text for anything but a file. */
async function startOf(path: string): Promise<string> {
  if (!(await stat(path).catch(() => undefined))?.isFile()) return ''
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16_384), 0, 16_384, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
