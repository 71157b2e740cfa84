import { DaemonError } from '../../errors.ts'
import { failureLine } from '../failure-line.ts'

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
  if (/no space left on device|disk quota exceeded/i.test(message)) {
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
  const step =
    /(?:executor failed running|process "?)\s*\[?([^\]"]+)\]?"?[^:]*: exit code: (\d+)/.exec(
      message,
    )
  const classic = /The command '([^']+)' returned a non-zero code: (\d+)/.exec(message)
  const [, command, code] = step ?? classic ?? []
  const line = failureLine(output, mask)
  const detail = line === undefined ? '' : `: ${line}`
  if (command !== undefined) {
    const shown = command
      .replace(/^\/bin\/(?:ba)?sh -c /, '')
      .trim()
      .slice(0, 200)
    return new DaemonError(
      'unprocessable',
      `\`${shown}\` failed with exit code ${code} in the image build${detail}`,
    )
  }
  const short = message.replace(/^failed to solve(?: with frontend \S+)?: /, '').slice(0, 300)
  return new DaemonError('unprocessable', `the image build failed: ${short}`)
}

/** Returns the name of the base image that the engine could not get; undefined for another fault. */
function missingImage(message: string): string | undefined {
  const patterns = [
    /failed to resolve source metadata for (\S+?):? /,
    /(?:^|[\s:])([\w./-]+:[\w.-]+): (?:failed to do request|not found|failed to authorize|pull access denied)/,
    /pull access denied for ([^\s,]+)/,
    /manifest for (\S+) not found/,
    /failed to (?:load cache key|create LLB definition|copy)?.*?((?:[\w.-]+\/)+[\w.-]+:[\w.-]+)/,
  ]
  if (
    !/resolve|pull|manifest|registry|dial tcp|failed to do request|not found: |lookup|authorize/i.test(
      message,
    )
  ) {
    return undefined
  }
  if (/executor failed|exit code/.test(message)) return undefined
  for (const pattern of patterns) {
    const name = pattern.exec(message)?.[1]
    if (name !== undefined) return name.replace(/^docker\.io\/library\//, '')
  }
  const registry = /Get "?https?:\/\/([^/"\s]+)/.exec(message)?.[1]
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
