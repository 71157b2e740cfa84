import { byName } from '../render/order.ts'

/**
 * The order of import sources in emitted code, for `sort`: Node's modules, packages, then relative
 * ones from far to near; by name within each.
 */
export function bySource(a: string, b: string): number {
  return rank(a) - rank(b) || byName(a, b)
}

/** Sources of a lower rank stand first. */
function rank(source: string): number {
  if (source.startsWith('node:')) return 0
  if (!source.startsWith('.')) return 1
  return 1000 - (source.match(/\.\.\//g)?.length ?? 0)
}
