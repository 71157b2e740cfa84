import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DaemonError } from '../errors.ts'
import { normalizeRemote } from './remote-url.ts'

test.each([
  ['git@github.com:Org/Repo.git', 'ssh://git@github.com/Org/Repo.git', 'github.com/org/repo'],
  ['github.com:org/repo', 'ssh://github.com/org/repo', 'github.com/org/repo'],
  ['git@host:/abs/repo.git', 'ssh://git@host/abs/repo.git', 'host/abs/repo'],
  ['git@host:~me/repo', 'ssh://git@host/~me/repo', 'host/~me/repo'],
  ['git@[::1]:org/repo', 'ssh://git@[::1]/org/repo', '[::1]/org/repo'],
  ['git@host:a%20b/c', 'ssh://git@host/a%2520b/c', 'host/a%20b/c'],
  ['https://GitHub.com/Org/Repo', 'https://github.com/Org/Repo', 'github.com/org/repo'],
  ['https://github.com./org/repo.git/', 'https://github.com/org/repo.git', 'github.com/org/repo'],
  ['HTTPS://github.com:443//org///repo//', 'https://github.com/org/repo', 'github.com/org/repo'],
  ['https://h:8443/a/b.GIT', 'https://h:8443/a/b.GIT', 'h:8443/a/b'],
  ['ssh://git@h:22/a/b', 'ssh://git@h/a/b', 'h/a/b'],
  ['ssh://git@h:443/a/b', 'ssh://git@h:443/a/b', 'h:443/a/b'],
  ['ssh://git@h:2222/a/b', 'ssh://git@h:2222/a/b', 'h:2222/a/b'],
  ['git+ssh://git@h/a/b', 'ssh://git@h/a/b', 'h/a/b'],
  ['https://h/%61/%62', 'https://h/a/b', 'h/a/b'],
  ['https://h/a b'.replace(' ', '%20'), 'https://h/a%20b', 'h/a b'],
  ['https://bücher.example/a', 'https://xn--bcher-kva.example/a', 'xn--bcher-kva.example/a'],
  ['https://h/ü', 'https://h/%C3%BC', 'h/ü'],
  ['http://localhost:3000/a/b.git', 'http://localhost:3000/a/b.git', 'localhost:3000/a/b'],
  ['http://127.0.0.1/a', 'http://127.0.0.1/a', '127.0.0.1/a'],
  ['http://[::1]:80/a', 'http://[::1]/a', '[::1]/a'],
  ['https://10.0.0.5/a', 'https://10.0.0.5/a', '10.0.0.5/a'],
  ['  https://h/a\n', 'https://h/a', 'h/a'],
])('normalizes %j to the URL %j', (text, url, key) => {
  expect(normalizeRemote(text)).toEqual({ url, key })
})

describe('a forbidden repo_url', () => {
  test.each([
    '',
    '-oProxyCommand=x',
    '--upload-pack=touch /tmp/x',
    'ext::sh -c id',
    'ext::id',
    'fd::3',
    'file:///etc',
    'file://host/etc',
    'git://h/a',
    'ftp://h/a',
    'javascript://h/a',
    '/srv/git/a.git',
    './a',
    'C:/a',
    'C:\\a',
    'a',
    'https://',
    'https:///a',
    'https://h',
    'https://h/',
    'https://user@h/a',
    'https://user:pw@h/a',
    'https://@h/a',
    'ssh://git:pw@h/a',
    'ssh://-oProxyCommand=x/a',
    'ssh://-x@h/a',
    'ssh://h;id@x/a',
    '-x@h:a',
    'git@-h:a',
    'git@h:',
    'git@h:/',
    'ssh://git@h:0/a',
    'ssh://git@h:70000/a',
    'ssh://git@h:x/a',
    'https://h/a?b=c',
    'https://h/a#b',
    'https://h/../a',
    'https://h/a/./b',
    'https://h/a/%2e%2e/b',
    'https://h/a/%2E/b',
    'https://h/a%2fb',
    'https://h/a%00b',
    'https://h/a%0ab',
    'https://h/%',
    'https://h/%zz',
    'https://h\\@evil/a',
    'https://a b/c',
    'https://h%2e/a',
    'https://h/a\u0000',
    'http://example.com/a',
    'http://10.0.0.1/a',
    'http://127.0.0.1.example.com/a',
    `https://h/${'a'.repeat(3000)}`,
  ])('is refused with a reason: %j', (text) => {
    expect(refusal(text)).toMatchObject({
      kind: 'bad-request',
      message: expect.stringMatching(/^repo_url /),
    })
  })

  test.each([
    '169.254.169.254',
    '169.254.0.1',
    '2852039166',
    '0xa9fea9fe',
    '0XA9.0376.169.254',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.254.169.254.',
    '１６９。254.169.254',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::169.254.169.254]',
    '[0:0:0:0:0:ffff:a9fe:a9fe]',
    '[::ffff:0:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[fe80::1]',
    '[FEBF::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[::]',
    '0.0.0.0',
    '0',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    'metadata.google.internal',
    'METADATA.google.internal.',
  ])('with the address %s is refused over https and ssh', (host) => {
    for (const text of [`https://${host}/a`, `ssh://git@${host}:2222/a`, `git@${host}:a/b`]) {
      expect(refusal(text), text).toMatchObject({
        kind: 'bad-request',
        message: expect.stringContaining('must not be a link-local'),
      })
    }
  })
})

test('the refusal of a URL with a credential does not contain the credential', () => {
  expect(refusal('https://user:hunter2@h/a').message).not.toContain('hunter2')
  expect(refusal('https://ghp_hunter2@h/a').message).not.toContain('hunter2')
})

const piece = fc.stringMatching(/^[A-Za-z0-9._~+ü-]{1,12}$/).filter((text) => !/^\.+$/.test(text))
const hostName = fc.stringMatching(/^[a-zA-Z][a-z0-9]{0,8}(\.[a-z]{2,6}){0,2}$/)

test('normalizing a normalized URL changes nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('https://', 'ssh://git@', 'git@'),
      hostName,
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      (start, host, path) => {
        const text = `${start}${host}${start === 'git@' ? ':' : '/'}${path.join('/')}`
        const once = normalizeRemote(text)
        expect(normalizeRemote(once.url)).toEqual(once)
      },
    ),
  )
})

test('all spellings of one repository have the same key', () => {
  fc.assert(
    fc.property(hostName, fc.array(piece, { minLength: 2, maxLength: 3 }), (host, path) => {
      const name = path.join('/').replace(/(\.git)+$/i, '')
      if (name === '' || name.endsWith('/')) return
      const keys = [
        `https://${host}/${name}`,
        `https://${host.toUpperCase()}:443/${name}.git`,
        `https://${host}//${name}.git/`,
        `ssh://git@${host}/${name}.git`,
        `git@${host}:${name}.git`,
      ].map((text) => normalizeRemote(text).key)
      expect(new Set(keys).size).toBe(1)
    }),
  )
})

test('any text is normalized to an allowed URL or refused', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          'https://',
          'ssh://',
          'ext::',
          '@',
          ':',
          '/',
          '..',
          '-',
          '%2e',
          'h',
          'a',
          '[',
          ']',
          '?',
          ' ',
        ),
        { maxLength: 10 },
      )
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      try {
        expect(normalizeRemote(given).url).toMatch(/^(https|ssh|http):\/\/[\w[][^\s\\]*\/[^\s\\]+$/)
      } catch (error) {
        expect(error).toBeInstanceOf(DaemonError)
      }
    }),
    { numRuns: 1000 },
  )
})

function refusal(text: string): Error {
  try {
    return new Error(`accepted as ${normalizeRemote(text).url}`)
  } catch (error) {
    if (error instanceof DaemonError) return error
    throw error
  }
}
