import type { Environment } from '../../../../client/contract.ts'
import { stateText } from '../../text/state-text.ts'

/** Returns true if each word of a search is in the branch, the project, the state, the address or the commit. */
export function matches(search: string, row: Environment, projectName: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const parts = [row.branch.name, projectName, stateText(row.state), row.url]
  const text = parts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word) || row.branch.commit_sha.startsWith(word))
}
