import { isValidBranchName } from '../../git/branch-name.ts'
import type { BranchChange, HostedBranches, PushedRef } from '../../ports.ts'

const branchPrefix = 'refs/heads/'
const maxBranchLength = 255

/** Returns the branch of a ref; undefined for tags and other refs. */
export function branchOfRef(ref: string): string | undefined {
  return ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : undefined
}

export function isAbsentId(id: string): boolean {
  return /^0+$/.test(id)
}

/** Returns the reason to refuse a ref of a push; undefined if the ref may change. */
export function refusalOf({ ref, newId }: PushedRef, branches: HostedBranches): string | undefined {
  const branch = branchOfRef(ref)
  if (branch === undefined) return 'only branches can be pushed here'
  if (!isValidBranchName(branch) || branch.length > maxBranchLength) return 'invalid branch name'
  if (isAbsentId(newId) && branch === branches.defaultBranch) {
    return 'the default branch stays: strata down destroys its environment'
  }
  return undefined
}

/** Returns the change for an accepted ref. A branch keeps the commit before the first push that is still pending. */
export function acceptedChange(
  { ref, oldId, newId }: PushedRef,
  branches: HostedBranches,
  isDeployed: boolean,
): BranchChange {
  const branch = branchOfRef(ref) ?? ''
  const expected = isAbsentId(oldId) ? null : oldId
  if (isAbsentId(newId)) return { branch, expected, head: null, pending: null, before: null }
  if (!isDeployed) return { branch, expected, head: newId, pending: null, before: null }
  const isPending = branches.pending.has(branch)
  const before = isPending ? {} : { before: expected }
  return { branch, expected, head: newId, pending: newId, ...before }
}

/** A push whose deploy has ended, or was removed from the queue. */
export interface EndedPush {
  readonly branch: string
  readonly commitSha: string
  readonly isOk: boolean
  /** The commit of an earlier push whose deploy still runs. */
  readonly running?: string | undefined
}

/**
 * Returns the change after the deploy of a pushed commit has ended. A failed deploy takes the branch back to the commit
 * before the push, so that the same push can be repeated. Undefined if a newer push replaced the commit, or nothing is
 * pending.
 */
export function settledChange(
  branches: HostedBranches,
  { branch, commitSha, isOk, running }: EndedPush,
): BranchChange | undefined {
  const pending = branches.pending.get(branch)
  const head = branches.heads.get(branch) ?? null
  if (pending === undefined) return undefined
  if (pending !== commitSha) return isOk ? { branch, expected: head, before: commitSha } : undefined
  const settled = { branch, expected: head, pending: null, before: null }
  if (isOk || head !== commitSha) return settled
  if (running !== undefined) return { branch, expected: head, head: running, pending: running }
  return { ...settled, head: branches.before.get(branch) ?? null }
}
