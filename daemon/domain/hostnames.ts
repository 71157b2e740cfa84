import { createHash } from 'node:crypto'

/** Longest label of a DNS name (RFC 1035). */
const labelLength = 63
const hashLength = 8
/** What a project may take of a label that is too long, so that something of the branch is left to read. */
const projectLength = 30

/**
 * The host name of a branch: `<branch>--<project>.<base>`, one label before the base domain. Both parts are lower
 * case, other characters become one `-`; a part that was cut, or of which nothing is left, carries a hash of the whole.
 */
export function branchHostname(names: {
  branch: string
  project: string
  baseDomain: string
}): string {
  return `${labelOf(names.branch, names.project)}.${names.baseDomain}`
}

function labelOf(branch: string, project: string): string {
  const [left, right] = [slugOf(branch), slugOf(project)]
  if (left.length + 2 + right.length <= labelLength) {
    // `xn--…` would be read as Punycode.
    return `${left === 'xn' ? hashed(left, branch, labelLength) : left}--${right}`
  }
  const shortRight = right.length > projectLength ? hashed(right, project, projectLength) : right
  const room = labelLength - 2 - shortRight.length
  const shortLeft = left.length > room ? hashed(left, branch, room) : left
  return `${shortLeft}--${shortRight}`
}

function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug === '' ? hashOf(text) : slug
}

function hashed(slug: string, original: string, length: number): string {
  const start = slug.slice(0, length - hashLength - 1).replace(/-$/, '')
  return `${start}-${hashOf(original)}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, hashLength)
}
