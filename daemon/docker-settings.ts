import { type ImageSettings, readImageSettings } from './build/recognize/images/image-settings.ts'
import { type EngineAddress, readDockerHost } from './engine/docker-host.ts'

/** Settings of the docker runtime. */
export interface DockerSettings {
  readonly address: EngineAddress
  /** Base images of recognized apps. */
  readonly images: ImageSettings
}

/** Reads the settings of the docker runtime. Returns the faults, one sentence each, without values of keys. */
export function readDockerSettings(
  env: Readonly<Record<string, string | undefined>>,
  options: { allowInsecure: boolean },
): { readonly settings: DockerSettings | undefined; readonly faults: readonly string[] } {
  const { address, faults } = readDockerHost(env, options)
  const { images, faults: imageFaults } = readImageSettings(env)
  const all = [...faults, ...imageFaults]
  if (!address || all.length > 0) return { settings: undefined, faults: all }
  return { settings: { address, images }, faults: [] }
}
