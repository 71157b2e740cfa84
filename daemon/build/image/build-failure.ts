import { DaemonError } from '../../errors.ts'
import { failureLine, isTemporaryFailure } from '../failure-line.ts'

/** Settings of base images, by the kind of app. */
const imageSettings: Readonly<Record<string, string>> = {
  node: 'SERVICE_IMAGE_NODE',
  python: 'SERVICE_IMAGE_PYTHON',
  go: 'SERVICE_IMAGE_GO',
  static: 'SERVICE_IMAGE_STATIC',
}

/** Returns the reason of a failed image build. `output` is the end of the build's output. */
export function buildFailure(
  error: string,
  { output, kind, mask }: { output: string; kind: string; mask: (text: string) => string },
): DaemonError {
  const message = mask(error).trim()
  const line = failureLine(output, mask)
  if (/no space left on device|disk quota exceeded/i.test(`${message} ${line}`)) {
    return new DaemonError(
      'unprocessable',
      "the engine's disk is full: free some space, for example with docker system prune",
    )
  }
  const missing = missingImage(message)
  if (missing !== undefined) {
    const setting = imageSettings[kind]
    const next =
      setting === undefined
        ? 'correct FROM in the Dockerfile, or load the image into the engine'
        : `set ${setting} to an image that the engine has or can pull`
    return new DaemonError(
      'unprocessable',
      `the base image ${missing} can't be pulled (${shortReason(message)}): ${next}`,
    )
  }
  const [, command, code] = failedCommands.map((each) => each.exec(message)).find(Boolean) ?? []
  const detail = line === undefined ? '' : `: ${line}`
  if (command !== undefined) {
    const shown = command
      .replace(/^\/bin\/(?:ba)?sh -c /, '')
      .trim()
      .slice(0, 200)
    return new DaemonError(
      isTemporaryFailure(output) ? 'transient' : 'unprocessable',
      `\`${shown}\` failed with exit code ${code} in the image build${detail}`,
    )
  }
  const short = message.replace(/^failed to solve(?: with frontend \S+)?: /, '').slice(0, 300)
  return new DaemonError('unprocessable', `the image build failed: ${short}`)
}

/** Messages of BuildKit in Docker 20.10, of its later versions, and of the classic builder. */
const failedCommands = [
  /executor failed running \[(.*)\]: exit code: (\d+)/s,
  /process "(.*)" did not complete successfully: exit code: (\d+)/s,
  /The command '(.*)' returned a non-zero code: (\d+)/s,
]

/** URL of an image's manifest, which the engine asks for. */
const manifestUrl = /https?:\/\/([^/"\s]+)\/v2\/(\S+?)\/manifests\/([^"\s]+)/

const missingImages = [
  /source metadata for (\S+?): /,
  /([\w.-]+(?::\d+)?(?:\/[\w./-]+)?(?::[\w.-]+|@sha256:\w+)): (?:not found|failed to (?:do request|authorize|resolve)|pull access denied|unexpected status)/,
  /pull access denied for ([^\s,]+)/,
  /manifest for (\S+) not found/,
]

/** Returns the name of the base image that the engine could not get; undefined for another fault. */
function missingImage(message: string): string | undefined {
  if (failedCommands.some((each) => each.test(message))) return undefined
  const [, host, path, tag] = manifestUrl.exec(message) ?? []
  if (host !== undefined) {
    const place = host === 'registry-1.docker.io' ? '' : `${host}/`
    return `${place}${path?.replace(/^library\//, '')}:${tag}`
  }
  for (const pattern of missingImages) {
    const name = pattern.exec(message)?.[1]
    if (name !== undefined) return name.replace(/^docker\.io\/(?:library\/)?/, '')
  }
  const registry = /(?:Get|Head) "?https?:\/\/([^/"\s]+)/.exec(message)?.[1]
  return registry === undefined ? undefined : `of the registry ${registry}`
}

function shortReason(message: string): string {
  if (/no such host|lookup/.test(message)) return 'the name of its registry is unknown'
  if (/dial tcp|i\/o timeout|connection refused|timeout|deadline/i.test(message)) {
    return 'its registry does not answer'
  }
  if (/denied|authoriz|authentic/i.test(message)) return 'its registry denies access'
  if (/not found|manifest unknown/i.test(message)) return 'its registry does not have it'
  return message.slice(-120)
}
