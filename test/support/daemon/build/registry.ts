import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import { onTestFinished } from 'vitest'

export interface Registry {
  readonly url: string
  /** Names of the packages that npm has downloaded, in order. */
  readonly downloads: readonly string[]
}

/** Serves packages of version 1.0.0 to npm: a manifest and files for each name. */
export async function startRegistry(
  folder: string,
  packages: Readonly<Record<string, { scripts?: object; files: Readonly<Record<string, string>> }>>,
): Promise<Registry> {
  const downloads: string[] = []
  const manifests = new Map<string, object>()
  const tarballs = new Map<string, Buffer>()
  for (const [name, { scripts, files }] of Object.entries(packages)) {
    const manifest = { name, version: '1.0.0', ...(scripts && { scripts }) }
    const root = join(folder, name)
    const all = { ...files, 'package.json': JSON.stringify(manifest) }
    for (const [path, text] of Object.entries(all)) {
      const full = join(root, 'package', path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, text)
    }
    const file = join(root, 'package.tgz')
    await create({ gzip: true, cwd: root, file }, ['package'])
    manifests.set(name, manifest)
    tarballs.set(name, readFileSync(file))
  }
  const server = createServer((request, response) => {
    const [, name = '', kind] = (request.url ?? '').split('/')
    const tarball = tarballs.get(name)
    if (!tarball) return void response.writeHead(404).end('{}')
    if (kind === 'package.tgz') {
      downloads.push(name)
      return void response.end(tarball)
    }
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const dist = { tarball: `${url()}${name}/package.tgz`, integrity }
    const version = { ...manifests.get(name), dist, hasInstallScript: true }
    const body = { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: url(), downloads }
}
