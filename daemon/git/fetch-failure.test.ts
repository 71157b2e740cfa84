import { expect, test } from 'vitest'
import { fetchFailure, lastLine } from './fetch-failure.ts'

const place = { name: 'git.example.com', kind: 'host', hasToken: false } as const
const exited = { end: { kind: 'exited', code: 128 } } as const

/** Recorded output of git and ssh: no ssh server runs in the tests. */
const rights =
  'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n'

test.each([
  [`Host key verification failed.\r\n${rights}`, 'unprocessable', /ssh-keyscan/],
  [
    `git@github.com: Permission denied (publickey).\r\n${rights}`,
    'unprocessable',
    /refused the ssh key/,
  ],
  [`ERROR: Repository not found.\n${rights}`, 'unprocessable', /has no such repository/],
  [
    `remote: \nremote: ERROR: The project you were looking for could not be found or you don't have permission to view it.\n${rights}`,
    'unprocessable',
    /has no such repository/,
  ],
  [
    `ssh: connect to host x port 22: Connection refused\r\n${rights}`,
    'transient',
    /Connection refused/,
  ],
  [
    `ssh: Could not resolve hostname x: Name or service not known\r\n${rights}`,
    'transient',
    /reached/,
  ],
  [
    `kex_exchange_identification: Connection closed by remote host\r\n${rights}`,
    'transient',
    /reached/,
  ],
  [
    "fatal: '/srv/x.git' does not appear to be a git repository\n",
    'unprocessable',
    /no such repository/,
  ],
  [
    "fatal: could not read Username for 'https://x': terminal prompts disabled\n",
    'unprocessable',
    /git_token/,
  ],
  [
    "fatal: unable to access 'https://x/': The requested URL returned error: 403\n",
    'unprocessable',
    /credential/,
  ],
  [
    "fatal: unable to access 'https://x/': The requested URL returned error: 502\n",
    'transient',
    /reached/,
  ],
  [
    "fatal: unable to access 'https://x/': server certificate verification failed. CAfile: none\n",
    'unprocessable',
    /certificate/,
  ],
  [
    "fatal: unable to access 'https://x/': SSL certificate problem: self-signed certificate\n",
    'unprocessable',
    /certificate/,
  ],
  [
    'error: RPC failed; curl 92 HTTP/2 stream 5\nfatal: early EOF\nfatal: fetch-pack: invalid index-pack output\n',
    'transient',
    /reached/,
  ],
  ['fatal: write error: No space left on device\n', 'transient', /too little memory or disk/],
] as const)('classifies the git error %j as %s', (stderr, kind, message) => {
  expect(fetchFailure(exited, stderr, place)).toMatchObject({
    kind,
    message: expect.stringMatching(message),
  })
})

test('does not blame the remote for errors of the mirror', () => {
  for (const stderr of [
    'fatal: bad object refs/heads/main\n',
    'fatal: not a git repository: /data/x.git\n',
    '',
  ]) {
    expect(fetchFailure(exited, stderr, place)).toBe(undefined)
  }
})

test('distinguishes a missing git program, a timeout and an interruption', () => {
  const late = { end: { kind: 'timed-out', afterMs: 900_000, wasSilent: false } } as const
  expect(fetchFailure(late, '', place)).toMatchObject({
    kind: 'transient',
    message: 'the fetch from git.example.com was stopped after 900 s',
  })
  const missing = { end: { kind: 'not-started', error: new Error('ENOENT') } } as const
  expect(fetchFailure(missing, '', place)?.message).toContain('install git')
  const killed = { end: { kind: 'killed', signal: 'SIGKILL' } } as const
  expect(fetchFailure(killed, '', place)?.kind).toBe('transient')
})

test('the last error line excludes progress and hints', () => {
  const stderr =
    'remote: Counting objects: 5\rReceiving objects: 10% (1/9)\rerror: it broke\nhint: try again\n'
  expect(lastLine(stderr)).toBe('error: it broke')
  expect(lastLine('')).toBe('git gave no reason')
  expect(lastLine(`fatal: ${'x'.repeat(1000)}`)).toHaveLength(300)
})
