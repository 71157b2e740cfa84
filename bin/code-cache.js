/**
 * Keeps the code that V8 compiled for a generator command, so that its next run does not compile the chunks again. This
 * takes a sixth off `strata feature` (docs/adr/0095-speed-of-the-command-line.md).
 *
 * V8 refuses a cache of another version or of other flags; the chunk is then compiled as without a cache. Node 22 has this
 * built in. The caches are in the folder of the package, because whoever can write there can change the chunks as well;
 * they are not in `dist/`, which is hashed to tell builds apart.
 */
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const Module = require('node:module')
const { basename, dirname, join } = require('node:path')
const vm = require('node:vm')

const root = dirname(__dirname)
const caches = join(root, '.cache', 'code')

/** The commands that load most code. Others would fill the disk for a gain of few milliseconds. */
const commands = ['init', 'feature', 'remove', 'rename', 'sync', 'store', 'upgrade']

/** Folders of other versions of Node that are kept. */
const keptVersions = 3

exports.cacheCode = function cacheCode(command) {
  // Coverage is exact only for code that V8 compiles in the same process.
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env
  if (!commands.includes(command) || NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return
  // A run as root must not leave folders in a user's package that the user can't remove.
  const mayWrite = !process.getuid || process.getuid() === fs.statSync(root).uid
  if (!Module.enableCompileCache) cacheChunks(command, mayWrite)
  else if (mayWrite) Module.enableCompileCache(join(caches, command))
}

function cacheChunks(command, mayWrite) {
  const folder = join(caches, `${require('node:v8').cachedDataVersionTag()}`, command)
  const compile = Module.prototype._compile
  /** Compiled chunks without a valid cache, by the path of the cache. */
  const fresh = new Map()
  Module.prototype._compile = function (text, path, ...others) {
    // Code from a cache can't use `import()`. The build replaces it; chunks of an earlier build still have it.
    const isCacheable = dirname(path) === join(root, 'dist') && !text.includes('await import(`')
    if (!isCacheable) return compile.call(this, text, path, ...others)
    const { size, mtimeMs } = fs.statSync(path)
    // V8 compares no more of the source than its length.
    const cache = join(folder, `${basename(path)}.${size}.${mtimeMs}`)
    const cachedData = read(cache)
    const script = new vm.Script(Module.wrap(text), { filename: path, cachedData })
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(cache, script)
    const run = script.runInThisContext()
    run.call(this.exports, this.exports, Module.createRequire(path), this, path, dirname(path))
  }
  // At the end, the functions that the command called are compiled. A failed command called too few of them.
  process.on('exit', (code) => {
    if (code === 0 && mayWrite && fresh.size > 0) write(folder, fresh)
  })
}

/** Returns the bytes of a whole cache. V8 ends the process for some damaged ones, so they have a digest. */
function read(path) {
  try {
    const file = fs.readFileSync(path)
    const bytes = file.subarray(digestBytes)
    return digestOf(bytes).equals(file.subarray(0, digestBytes)) ? bytes : undefined
  } catch {
    return undefined
  }
}

const digestBytes = 32

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest()
}

/** Writes caches. A cache is never needed, so errors are ignored: a read-only or full disk, or a concurrent run. */
function write(folder, scripts) {
  try {
    removeOldVersions(dirname(folder))
    fs.mkdirSync(folder, { recursive: true, mode: 0o755 })
    for (const [path, script] of scripts) {
      // A rename is atomic: concurrent runs read a whole file.
      const draft = `${path}.${process.pid}.draft`
      const bytes = script.createCachedData()
      fs.writeFileSync(draft, Buffer.concat([digestOf(bytes), bytes]))
      fs.renameSync(draft, path)
    }
  } catch {}
}

function removeOldVersions(folder) {
  if (fs.existsSync(folder) || !fs.existsSync(caches)) return
  const versions = fs.readdirSync(caches).map((name) => join(caches, name))
  const byAge = versions.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)
  for (const path of byAge.slice(keptVersions)) fs.rmSync(path, { recursive: true })
}
