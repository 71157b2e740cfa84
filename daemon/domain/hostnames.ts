import { createHash } from 'node:crypto'

/** Maximum length of a DNS label (RFC 1035). */
const maxLabelLength = 63
const hashLength = 8
/** Maximum length of the project name in a shortened label, so that the branch stays readable. */
const maxProjectLength = 30

/**
 * Returns the host name of a branch: `<branch>--<project>.<base>`, one label before the base domain. Both parts are
 * lower case; other characters become `-`. A shortened or empty part gets a hash of the original.
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
  if (left.length + 2 + right.length <= maxLabelLength) {
    // A label that starts with `xn--` would be Punycode.
    return `${left === 'xn' ? hashed(left, branch, maxLabelLength) : left}--${right}`
  }
  const shortRight =
    right.length > maxProjectLength ? hashed(right, project, maxProjectLength) : right
  const room = maxLabelLength - 2 - shortRight.length
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
