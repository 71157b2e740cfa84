import { Transform } from 'node:stream'
import { DaemonError } from '../errors.ts'

/** Longer lines are rows: a definition is a small part of this. */
const longestDefinition = 4 * 2 ** 20
const newLine = 0x0a
const definer = /DEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`/g
/** How the lines of a dump begin that name a definer. Rows begin otherwise, and their texts have no line end. */
const definitions = ['/*!', 'CREATE ']
const longestBeginning = 7
const lastLine = '-- Dump completed'

/**
 * Returns a stream that makes a dump of mysqldump or mariadb-dump loadable by another user: views, triggers and routines
 * belong to whoever loads them. Rows pass unchanged.
 */
export function portableDump(): Transform {
  let line: Buffer[] = []
  let length = 0
  /** Passes the rest of the line on unread. */
  let isPassing = false

  const emit = (stream: Transform, part: Buffer, isEnd: boolean) => {
    if (isPassing) {
      stream.push(part)
    } else {
      line.push(part)
      length += part.length
      if (isEnd || isOther(line, length) || length > longestDefinition) {
        const whole = Buffer.concat(line)
        // A line that goes on holds rows, or is too long for a definition.
        isPassing = !isEnd
        stream.push(isEnd && isDefinition(whole) ? withoutDefiner(whole) : whole)
        line = []
        length = 0
      }
    }
    if (isEnd) isPassing = false
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (let at = chunk.indexOf(newLine); at !== -1; at = chunk.indexOf(newLine, from)) {
        emit(this, chunk.subarray(from, at + 1), true)
        from = at + 1
      }
      if (from < chunk.length) emit(this, chunk.subarray(from), false)
      done()
    },
    flush(done) {
      if (length > 0) emit(this, Buffer.alloc(0), true)
      done()
    },
  })
}

/** Returns a stream that fails at its end, before the reader ends, if the last line of a dump is missing. */
export function requireWhole(): Transform {
  let end = ''
  return new Transform({
    transform(chunk: Buffer, _, done) {
      end = `${end}${chunk.subarray(-256).toString('latin1')}`.slice(-256)
      done(null, chunk)
    },
    flush(done) {
      const isWhole = end.trimEnd().split('\n').at(-1)?.startsWith(lastLine) === true
      done(
        isWhole
          ? null
          : new DaemonError(
              'unprocessable',
              `the dump ends too early: its last line is not "${lastLine}", which mysqldump and mariadb-dump write at the end`,
            ),
      )
    },
  })
}

/** Returns whether the beginning of a line shows that it is no definition. */
function isOther(line: readonly Buffer[], length: number): boolean {
  return length >= longestBeginning && !isDefinition(Buffer.concat(line))
}

function isDefinition(line: Buffer): boolean {
  const beginning = line.toString('latin1', 0, longestBeginning)
  return definitions.some((one) => beginning.startsWith(one))
}

function withoutDefiner(line: Buffer): Buffer {
  // Latin 1 keeps every byte.
  const text = line.toString('latin1')
  return text.includes('DEFINER=`')
    ? Buffer.from(text.replace(definer, 'DEFINER=CURRENT_USER'), 'latin1')
    : line
}
