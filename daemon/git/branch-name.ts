/**
 * Returns whether git accepts the name for a branch: the rules of `git check-ref-format --branch`, without its
 * shorthands for other branches (`@{-1}`).
 */
export function isValidBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name.startsWith('-')) return false
  // An unpaired surrogate has no UTF-8 bytes to pass to git.
  if (!name.isWellFormed() || forbidden.test(name) || name.endsWith('.')) return false
  return name
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** Matches control characters, spaces, and syntax of revisions and patterns, such as `..` and `@{`. */
const forbidden = /[^\P{Cc}\u0080-\u009f]|[ ~^:?*[\\]|\.\.|@\{/u
