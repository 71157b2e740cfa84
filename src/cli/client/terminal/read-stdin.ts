import { ClientError } from '../client-error.ts'

const mostBytes = 1024 * 1024

/**
 * All of standard input. A terminal is asked with `prompt`, on stderr, and what is typed is not shown. `signal` ends the
 * wait. Throws ClientError for more than 1 MiB.
 */
export async function readStdin(prompt: string, signal: AbortSignal): Promise<string> {
  return process.stdin.isTTY ? askHidden(prompt, signal) : readAll(signal)
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
      if (size > mostBytes) throw new ClientError('standard input is larger than 1 MiB')
    }
  } finally {
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** One line, typed without an echo. Ctrl-C and Ctrl-D do what they do elsewhere. */
function askHidden(prompt: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process
  stdin.setRawMode(true)
  stderr.write(prompt)
  stdin.setEncoding('utf8').resume()
  return new Promise((resolve, reject) => {
    let text = ''
    const end = () => {
      stdin.setRawMode(false)
      stdin.off('data', take).pause()
      stderr.write('\n')
    }
    const take = (typed: string) => {
      for (const key of typed) {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          end()
          return resolve(text)
        }
        // A raw terminal sends no signal for it.
        if (key === '\u0003') process.kill(process.pid, 'SIGINT')
        else text = key === '\u007f' || key === '\b' ? text.slice(0, -1) : text + key
      }
    }
    signal.addEventListener('abort', () => {
      end()
      reject(signal.reason)
    })
    stdin.on('data', take)
  })
}
