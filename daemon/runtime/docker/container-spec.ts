import type { ImageRelease } from '../../engine/image-release.ts'
import { DaemonError } from '../../errors.ts'
import type { AppSpec } from '../../ports.ts'

/** Folder of the branch's data in a container. */
export const dataFolder = '/data'

/** Port of an app whose image exposes none and whose `deploy.port` is not set. */
const defaultPort = 8080

/** User of an image without one, and of an image that wants root. */
export interface ContainerUser {
  readonly uid: number
  readonly gid: number
}

/** Returns the port on which the app listens in its container. */
export function portInside({ launch }: AppSpec, { exposedPort }: ImageRelease): number {
  return launch.port ?? exposedPort ?? defaultPort
}

/**
 * Returns the container of an app as a body of `POST /containers/create`, without labels. Throws `unprocessable` for an
 * invalid variable; the message omits the value.
 */
export function containerSpec(
  app: AppSpec,
  image: ImageRelease,
  place: {
    network: string
    publishOn: string
    user: ContainerUser
    /** Name of the engine's volume with the data; absent: the folder of this host. */
    volumeName?: string | undefined
  },
): Readonly<Record<string, unknown>> {
  const { launch, volume } = app
  const port = portInside(app, image)
  const memory = launch.memoryMb * 2 ** 20
  return {
    Image: image.imageId,
    ...(image.command && { Cmd: image.command }),
    Env: variablesOf(app, port),
    User: userOf(image, place.user),
    ExposedPorts: { [`${port}/tcp`]: {} },
    HostConfig: {
      // Reaps orphans, and passes SIGTERM on to programs that do not expect to be process 1.
      Init: true,
      Memory: memory,
      // The same value as `Memory`: no swap.
      MemorySwap: memory,
      ...(launch.cpus !== null && { NanoCpus: Math.round(launch.cpus * 1e9) }),
      PidsLimit: launch.pids,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      ...(launch.readOnly && {
        ReadonlyRootfs: true,
        Tmpfs: { '/tmp': 'rw,nosuid,nodev,mode=1777' },
      }),
      ...(volume !== undefined && {
        Mounts: [
          place.volumeName === undefined
            ? { Type: 'bind', Source: volume, Target: dataFolder }
            : { Type: 'volume', Source: place.volumeName, Target: dataFolder },
        ],
      }),
      NetworkMode: place.network,
      PortBindings: { [`${port}/tcp`]: [{ HostIp: place.publishOn, HostPort: '0' }] },
      // The daemon restarts apps itself, with back-off and a reason.
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } },
    },
  }
}

function variablesOf(app: AppSpec, port: number): string[] {
  const given = Object.entries({ ...app.launch.env, ...app.env }).map(
    ([name, value]) => [name, typeof value === 'string' ? value : value.reveal()] as const,
  )
  for (const [name, value] of given) {
    if (name !== '' && !/[=\0]/.test(name) && !value.includes('\0')) continue
    throw new DaemonError(
      'unprocessable',
      `the variable ${JSON.stringify(name)} can't be set: expected a non-empty name without "=", and no NUL in name or value`,
    )
  }
  const variables = {
    ...Object.fromEntries(given),
    PORT: String(port),
    ...(app.volume !== undefined && { STRATA_DATA: dataFolder }),
  }
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`)
}

/** Returns the image's user, unless the image wants root. */
function userOf({ user }: ImageRelease, { uid, gid }: ContainerUser): string {
  const [name = ''] = user.split(':')
  return name === '' || name === 'root' || Number(name) === 0 ? `${uid}:${gid}` : user
}
