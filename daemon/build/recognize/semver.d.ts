/** The two functions of semver that the daemon uses. */
declare module 'semver' {
  export function validRange(range: string): string | null
  export function intersects(a: string, b: string): boolean
}
