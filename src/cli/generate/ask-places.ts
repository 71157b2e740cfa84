import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Interface } from 'node:readline'
import { StrataError } from '../../generator/errors.ts'
import type { Decision, Place } from '../../generator/merge/decide-places.ts'

/** Asks a person about one place. */
export type AskPlace = (place: Place) => Promise<Decision>

/** A terminal: shows lines, and reads one. An ended input reads as undefined. */
export interface Terminal {
  readonly show: (lines: readonly string[]) => void
  readonly read: (prompt: string) => Promise<string | undefined>
  readonly edit: (place: Place) => readonly string[]
}

/** Returns a function that asks on the terminal until the answer is one of the choices. */
export function askOn({ show, read, edit }: Terminal): AskPlace {
  return async (place) => {
    show(linesOf(place))
    for (;;) {
      const answer = await read('[m]ine, [t]heirs, [b]oth, [e]dit, [l]ater? ')
      switch (answer?.trim().toLowerCase()) {
        case 'm':
        case 'mine':
          return place.mine
        case 't':
        case 'theirs':
          return place.theirs
        case 'b':
        case 'both':
          return [...place.mine, ...place.theirs]
        case 'e':
        case 'edit':
          return edit(place)
        case 'l':
        case 'later':
        case undefined:
          return 'later'
        default:
          show(['answer m, t, b, e or l'])
      }
    }
  }
}

/** Shows a place with both sides. */
function linesOf({ path, number, count, before, mine, theirs }: Place): readonly string[] {
  return [
    '',
    `${path} (${number} of ${count})`,
    ...before.map((line) => `  ${line}`),
    '<<<<<<< mine',
    ...mine.map((line) => `  ${line}`),
    '=======',
    ...theirs.map((line) => `  ${line}`),
    '>>>>>>> generated',
  ]
}

/** Returns the terminal of the process. Without `terminal`, Ctrl-C stays a signal and ends the run. */
export function processTerminal(lines: Interface): Terminal {
  const answers = lines[Symbol.asyncIterator]()
  return {
    show: (texts) => {
      process.stderr.write(`${texts.join('\n')}\n`)
    },
    read: async (prompt) => {
      process.stderr.write(prompt)
      const { value, done } = await answers.next()
      return done ? undefined : String(value)
    },
    edit: editPlace,
  }
}

/** Opens both sides in `$VISUAL` or `$EDITOR`, without a shell. Throws StrataError 'failure' if the editor fails. */
function editPlace({ path, mine, theirs }: Place): readonly string[] {
  const [editor = 'vi', ...args] = (process.env.VISUAL || process.env.EDITOR || 'vi').split(/\s+/)
  const folder = mkdtempSync(join(tmpdir(), 'strata-resolve-'))
  const file = join(folder, `place${extname(path)}`)
  try {
    writeFileSync(file, [...mine, ...theirs, ''].join('\n'))
    const { status, error } = spawnSync(editor, [...args, file], { stdio: 'inherit' })
    if (error || status !== 0) {
      const reason = error ? error.message : `it exited with ${status}`
      throw new StrataError(
        'failure',
        `the editor ${editor} failed, so nothing was changed: ${reason}`,
      )
    }
    return readFileSync(file, 'utf8').replace(/\n$/, '').split('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
