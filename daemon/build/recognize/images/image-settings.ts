import * as z from 'zod'

/** Base images by kind of app. `{version}` in a name is replaced by the version that the app asks for. */
export interface ImageSettings {
  readonly node: string
  readonly python: string
  readonly go: string
  /** An image with Caddy. */
  readonly static: string
}

export const defaultImages: ImageSettings = {
  node: 'node:{version}-bookworm-slim',
  python: 'python:{version}-slim-bookworm',
  go: 'golang:{version}-bookworm',
  static: 'caddy:2-alpine',
}

const names = {
  SERVICE_IMAGE_NODE: 'node',
  SERVICE_IMAGE_PYTHON: 'python',
  SERVICE_IMAGE_GO: 'go',
  SERVICE_IMAGE_STATIC: 'static',
} as const

const image = z
  .string()
  .max(512)
  .regex(/^[a-z0-9][a-zA-Z0-9._/:@-]*(?:\{version\}[a-zA-Z0-9._/:@-]*)?$/)

/**
 * Reads `SERVICE_IMAGE_NODE`, `_PYTHON`, `_GO` and `_STATIC`. Returns the faults, one sentence each, of names that are no
 * image names.
 */
export function readImageSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly images: ImageSettings
  readonly faults: readonly string[]
} {
  const faults: string[] = []
  const images: Record<keyof ImageSettings, string> = { ...defaultImages }
  for (const [name, key] of Object.entries(names)) {
    const value = env[name]
    if (value === undefined || value === '') continue
    if (image.safeParse(value).success) images[key] = value
    else faults.push(`${name} must be an image name, such as ${defaultImages[key]}`)
  }
  return { images, faults }
}

/** Returns the base image of a kind with the version in its place. */
export function baseImage(name: string, version: string): string {
  return name.replace('{version}', version)
}
