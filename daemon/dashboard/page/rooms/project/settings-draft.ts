import type { Project } from '../../../../client/contract.ts'
import { durationMs } from '../../../../client/duration.ts'

/** The texts of the form. */
export interface Draft {
  readonly pauseAfter: string
  readonly destroyAfter: string
  /** True if idle branches are never destroyed. */
  readonly isKept: boolean
  readonly maxEnvironments: string
  /** One pattern a line. */
  readonly branches: string
  readonly ignore: string
}

export interface SettingChanges {
  pause_after?: string
  destroy_after?: string | null
  max_environments?: number | null
  branches?: string[]
  ignore?: string[]
}

export function draftOf(project: Project): Draft {
  return {
    pauseAfter: project.pause_after,
    destroyAfter: project.destroy_after ?? '7d',
    isKept: project.destroy_after === null,
    maxEnvironments: project.max_environments === null ? '' : String(project.max_environments),
    branches: project.branches.join('\n'),
    ignore: project.ignore.join('\n'),
  }
}

/** Returns a sentence for each field with an invalid text. */
export function faultsOf(draft: Draft): { readonly [Field in keyof Draft]?: string } {
  const durationFault = 'Give a duration such as 30s, 30m, 2h or 7d.'
  return {
    ...(durationMs(draft.pauseAfter.trim()) === undefined && { pauseAfter: durationFault }),
    ...(!draft.isKept &&
      durationMs(draft.destroyAfter.trim()) === undefined && { destroyAfter: durationFault }),
    ...(!/^(|[1-9]\d{0,4}|100000)$/.test(draft.maxEnvironments.trim()) && {
      maxEnvironments: 'Give a whole number from 1 to 100,000, or nothing for no limit.',
    }),
  }
}

/** Returns the settings of the draft that differ from the project. */
export function changesOf(draft: Draft, project: Project): SettingChanges {
  const maximum = draft.maxEnvironments.trim()
  const wanted: SettingChanges = {
    pause_after: draft.pauseAfter.trim(),
    destroy_after: draft.isKept ? null : draft.destroyAfter.trim(),
    max_environments: maximum === '' ? null : Number(maximum),
    branches: linesOf(draft.branches),
    ignore: linesOf(draft.ignore),
  }
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) =>
        JSON.stringify(value) !== JSON.stringify(project[key as keyof SettingChanges]),
    ),
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
