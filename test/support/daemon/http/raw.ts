import { connect } from 'node:net'

/** Sends the bytes as they are and returns what comes back until the server closes or `isEnough` says so. */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  isEnough: (answer: string) => boolean = () => false,
  host = '127.0.0.1',
): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, host, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
      if (isEnough(answer)) socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
  })
}

/** Status and JSON of one raw answer. */
export function parsed(answer: string): { status: number; headers: string; json: unknown } {
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(headers.split(' ')[1]), headers, json: JSON.parse(body) }
}
