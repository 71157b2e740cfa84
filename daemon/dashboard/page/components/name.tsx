import type { JSX } from 'preact'
import { visible } from '../text/visible.ts'

/**
 * Shows a text from a repository, an app or a person, such as a branch name. Its direction and its length do not disturb the
 * text around it.
 */
export function Name({
  children,
  mono = false,
}: {
  children: string
  mono?: boolean
}): JSX.Element {
  return <bdi class={mono ? 'name mono' : 'name'}>{visible(children)}</bdi>
}

export { visible } from '../text/visible.ts'
