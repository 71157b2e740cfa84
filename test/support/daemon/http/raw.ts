import { connect } from 'node:net'

/** Sends raw bytes. Returns the response when the server closes the connection or `isEnough` returns true. */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  isEnough: (response: string) => boolean = () => false,
  host = '127.0.0.1',
): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(port, host, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      response += chunk
      if (isEnough(response)) socket.end()
    })
    socket.on('close', () => resolve(response))
    socket.on('error', (error) => (response === '' ? reject(error) : resolve(response)))
  })
}

/** Parses a raw response with a JSON body. */
export function parsed(response: string): { status: number; headers: string; json: unknown } {
  const [headers = '', body = ''] = response.split('\r\n\r\n')
  return { status: Number(headers.split(' ')[1]), headers, json: JSON.parse(body) }
}
