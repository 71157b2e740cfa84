import { ClientError } from '../errors/client-error.ts'

const maxBytes = 1024 * 1024

/**
 * Reads all of standard input. On a terminal, prints `prompt` on stderr and reads one line without echo. `signal` aborts
 * the read. Throws ClientError if the input is larger than 1 MiB.
 */
export async function readStdin(prompt: string, signal: AbortSignal): Promise<string> {
  return process.stdin.isTTY ? readHiddenLine(prompt, signal) : readAll(signal)
}

async function readAll(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const stop = () => process.stdin.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of process.stdin) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) throw new ClientError('standard input is larger than 1 MiB')
    }
  } finally {
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads one line without echo. Ctrl-C interrupts, Ctrl-D ends the line. */
function readHiddenLine(prompt: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process
  stdin.setRawMode(true)
  stderr.write(prompt)
  stdin.setEncoding('utf8').resume()
  return new Promise((resolve, reject) => {
    let text = ''
    const end = () => {
      stdin.setRawMode(false)
      stdin.off('data', onData).pause()
      stderr.write('\n')
    }
    const onData = (typed: string) => {
      for (const key of typed) {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          end()
          return resolve(text)
        }
        // A terminal in raw mode sends no signal for Ctrl-C.
        if (key === '\u0003') process.kill(process.pid, 'SIGINT')
        else text = key === '\u007f' || key === '\b' ? text.slice(0, -1) : text + key
      }
    }
    signal.addEventListener('abort', () => {
      end()
      reject(signal.reason)
    })
    stdin.on('data', onData)
  })
}
