import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The daemon's mark on what it makes in an engine. Apps can't forge it: the seal is a keyed hash over the name, and names
 * are unique in an engine. An image may have the same labels (`LABEL` in a Dockerfile), but no valid seal for another
 * name.
 */
export interface Ownership {
  /** Short id of this data folder, part of each name. A copied folder has another id. */
  readonly instance: string
  /** Returns the labels of an object. */
  labels(name: string, fields: OwnedFields): Record<string, string>
  /** Returns the fields of an object that this daemon made; undefined for any other. */
  read(
    name: string,
    labels: Readonly<Record<string, string>> | null | undefined,
  ): OwnedFields | undefined
  /** Filter of the Engine API for objects with this instance's label. */
  readonly filter: string
  /** Returns a hash of `text` that only this daemon can compute. */
  digest(text: string): string
}

export interface OwnedFields {
  readonly role: (typeof roles)[number]
  readonly projectId: number
  /** 0 for objects of a whole project. */
  readonly environmentId: number
  /** Digest of the specification with which a container was made; '' for other objects. */
  readonly spec: string
}

const prefix = 'dev.strata'
const roles = ['app', 'network', 'image', 'volume', 'proxy'] as const

/** Reads or creates the key in `folder`. `dataDir` is the data folder: moving it makes another instance. */
export function openOwnership(folder: string, dataDir: string): Ownership {
  const key = readKey(folder)
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest('hex')
  const place = realpathSync(dataDir)
  const instance = createHash('sha256')
    .update(`${hmac('instance')}:${place}`)
    .digest('hex')
    .slice(0, 8)

  function sealOf(name: string, { role, projectId, environmentId, spec }: OwnedFields): string {
    return hmac(JSON.stringify([instance, name, role, projectId, environmentId, spec]))
  }

  return {
    instance,
    digest: (text) => hmac(`digest:${text}`).slice(0, 32),
    filter: `${prefix}.instance=${instance}`,
    labels: (name, fields) => ({
      [`${prefix}.instance`]: instance,
      [`${prefix}.role`]: fields.role,
      [`${prefix}.project`]: String(fields.projectId),
      [`${prefix}.environment`]: String(fields.environmentId),
      [`${prefix}.spec`]: fields.spec,
      [`${prefix}.seal`]: sealOf(name, fields),
    }),
    read(name, labels) {
      const label = (key: string) => labels?.[`${prefix}.${key}`] ?? ''
      const role = roles.find((each) => each === label('role'))
      if (role === undefined) return undefined
      const fields: OwnedFields = {
        role,
        projectId: Number(label('project')),
        environmentId: Number(label('environment')),
        spec: label('spec'),
      }
      return isEqual(label('seal'), sealOf(name, fields)) ? fields : undefined
    },
  }
}

function readKey(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'engine.key')
  try {
    // An existing key stays: two daemons never share a data folder.
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new Error(`${file} is damaged: remove it and the containers`)
  return key
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
