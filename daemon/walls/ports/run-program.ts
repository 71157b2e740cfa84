import { spawn } from 'node:child_process'

export interface ProgramResult {
  /** Exit code; null if the program can't be started or was ended by a signal. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const timeoutMs = 15_000
const maxOutput = 4 * 2 ** 20

/** Runs a system program to its end. Never throws: a program that can't be started has code null. */
export function runProgram(
  program: string,
  args: readonly string[],
  { input = '', ms = timeoutMs }: { input?: string; ms?: number } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let stdout = ''
    let stderr = ''
    const child = spawn(program, [...args], {
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: ms,
      killSignal: 'SIGKILL',
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(0, maxOutput)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, 4_000)
    })
    child.on('error', (error) => resolve({ code: null, stdout, stderr: error.message }))
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
