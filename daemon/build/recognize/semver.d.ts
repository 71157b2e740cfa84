/** The functions of semver that the daemon uses. */
declare module 'semver' {
  export function validRange(range: string): string | null
  export function satisfies(version: string, range: string): boolean
  export function intersects(a: string, b: string): boolean
}
