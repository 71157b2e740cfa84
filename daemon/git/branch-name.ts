/**
 * True for what git takes as the name of a branch: the rules of `git check-ref-format --branch`, without its
 * shorthands for other branches (`@{-1}`).
 */
export function isValidBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name.startsWith('-')) return false
  // Half a surrogate pair has no bytes that git could be given.
  if (!name.isWellFormed() || forbidden.test(name) || name.endsWith('.')) return false
  return name
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** Control characters, space and what has a meaning in revisions and patterns; `..` and `@{` too. */
const forbidden = /[^\P{Cc}\u0080-\u009f]|[ ~^:?*[\\]|\.\.|@\{/u
