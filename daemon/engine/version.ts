import * as z from 'zod'
import { DaemonError } from '../errors.ts'
import type { Engine } from './engine.ts'

/** Oldest version of the Engine API with all operations that the daemon uses: Docker 20.10. */
const minApi = { version: '1.41', minor: 41 }

const versionSchema = z.object({ Version: z.string(), ApiVersion: z.string() })
const infoSchema = z.object({
  ID: z.string().default(''),
  MemTotal: z.number(),
  NCPU: z.number(),
  MemoryLimit: z.boolean().default(false),
  PidsLimit: z.boolean().default(false),
  CpuCfsQuota: z.boolean().default(false),
})

export interface EngineInfo {
  readonly version: string
  /** Identity of the engine, which stays over restarts. */
  readonly id: string
  readonly memoryBytes: number
  readonly cpuCount: number
  /** True if the kernel enforces these limits. */
  readonly limits: { readonly memory: boolean; readonly pids: boolean; readonly cpu: boolean }
}

/** Returns what the engine is. Throws a DaemonError that names the setting if it can't be used. */
export async function probeEngine(engine: Engine, timeoutMs = 5_000): Promise<EngineInfo> {
  const [versionAnswer, infoAnswer] = await Promise.all([
    engine.call({ path: '/version', timeoutMs }),
    engine.call({ path: '/info', timeoutMs }),
  ])
  const version = versionSchema.safeParse(versionAnswer)
  const info = infoSchema.safeParse(infoAnswer)
  if (!version.success || !info.success) {
    throw new DaemonError(
      'unavailable',
      `${engine.name} answers, but is not a Docker engine: check ${engine.settings.endpoint}`,
    )
  }
  const { Version, ApiVersion } = version.data
  const [major = 0, minor = 0] = ApiVersion.split('.').map(Number)
  if (major < 2 && minor < minApi.minor) {
    throw new DaemonError(
      'unavailable',
      `the engine ${engine.name} is Docker ${Version} with API ${ApiVersion}: expected API ${minApi.version} or later (Docker 20.10); update it, or set ${engine.settings.endpoint} to another engine`,
    )
  }
  const { ID, MemTotal, NCPU, MemoryLimit, PidsLimit, CpuCfsQuota } = info.data
  return {
    version: Version,
    id: ID,
    memoryBytes: MemTotal,
    cpuCount: NCPU,
    limits: { memory: MemoryLimit, pids: PidsLimit, cpu: CpuCfsQuota },
  }
}
