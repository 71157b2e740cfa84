import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { secretSettingNames, settingNames } from './config.ts'
import { changeConfigFile, configPath, readConfigFile, withConfigFile } from './config-file.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'config-file-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

const keep = (text: string) => writeFileSync(configPath(dataDir), text, { mode: 0o600 })
const kept = () => readFileSync(configPath(dataDir), 'utf8')

describe('the settings file', () => {
  test('holds comments, empty lines, and values with and without quotes', () => {
    keep(`# the domain
SERVICE_BASE_DOMAIN=apps.example.com

export SERVICE_API_TOKEN='a#token'
SERVICE_WEBHOOK_SECRET="it's"   # of the git host
SERVICE_GC_INTERVAL = 5s
`)
    expect(readConfigFile(dataDir).values).toEqual({
      SERVICE_BASE_DOMAIN: 'apps.example.com',
      SERVICE_API_TOKEN: 'a#token',
      SERVICE_WEBHOOK_SECRET: "it's",
      SERVICE_GC_INTERVAL: '5s',
    })
  })

  test('loses to a variable of the environment, unless the variable is empty', () => {
    keep('SERVICE_ADDR=127.0.0.1:1\nSERVICE_BASE_DOMAIN=example.com\n')
    const env = { SERVICE_DATA_DIR: dataDir, SERVICE_ADDR: '[::1]:2', SERVICE_BASE_DOMAIN: '' }
    expect(withConfigFile(env, () => {})).toEqual({
      SERVICE_DATA_DIR: dataDir,
      SERVICE_ADDR: '[::1]:2',
      SERVICE_BASE_DOMAIN: 'example.com',
    })
  })

  test.each([
    ['a word', 'SERVICE_API_TOKEN the-secret'],
    ['a quote that does not close', "SERVICE_API_TOKEN='the-secret"],
    ['text after a quote', "SERVICE_API_TOKEN='the'-secret"],
    ['a variable that is no setting', 'PATH=the-secret'],
    ['its own folder', 'SERVICE_DATA_DIR=/the-secret'],
  ])('with %s is refused: the message has the number of the line and not its text', (_, line) => {
    keep(`# fine\n${line}\n`)
    expect(() => readConfigFile(dataDir)).toThrow(/config\.env, line 2: /)
    expect(() => readConfigFile(dataDir)).not.toThrow(/the-secret/)
  })

  test('that is a folder or a symbolic link is refused', () => {
    symlinkSync('/etc/hostname', configPath(dataDir))
    expect(() => readConfigFile(dataDir)).toThrow(/symbolic link/)
    rmSync(configPath(dataDir))
    mkdirSync(configPath(dataDir))
    expect(() => readConfigFile(dataDir)).toThrow(/must be a file/)
  })

  test('that other users can read or write is closed to them, with a warning', () => {
    keep('SERVICE_ADDR=127.0.0.1:1\n')
    chmodSync(configPath(dataDir), 0o666)
    const warnings: string[] = []
    readConfigFile(dataDir, (message) => warnings.push(message))
    expect(statSync(configPath(dataDir)).mode & 0o777).toBe(0o600)
    expect(warnings).toEqual([expect.stringContaining('mode 0666): its mode is now 0600')])
  })

  test.skipIf(process.geteuid?.() !== 0)(
    'of another user is refused (needs root: a test changes the owner)',
    () => {
      keep('SERVICE_ADDR=127.0.0.1:1\n')
      chownSync(configPath(dataDir), 12_345, 12_345)
      expect(() => readConfigFile(dataDir)).toThrow(/belongs to user 12345/)
      chownSync(dataDir, 12_345, 12_345)
      expect(readConfigFile(dataDir).values).toEqual({ SERVICE_ADDR: '127.0.0.1:1' })
    },
  )
})

describe('a change of the settings file', () => {
  test('keeps comments and the order, replaces a setting once, and leaves mode 0600', async () => {
    keep('# first\nSERVICE_ADDR=127.0.0.1:1\nSERVICE_GC_INTERVAL=1s\nSERVICE_ADDR=127.0.0.1:2\n')
    await changeConfigFile(dataDir, {
      SERVICE_ADDR: '127.0.0.1:3',
      SERVICE_GC_INTERVAL: undefined,
      SERVICE_LOG_FORMAT: 'pretty',
    })
    expect(kept()).toBe('# first\nSERVICE_ADDR=127.0.0.1:3\nSERVICE_LOG_FORMAT=pretty\n')
    expect(statSync(configPath(dataDir)).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['config.env'])
  })

  test.each(['a#b', 'it is', "it's", '"quoted"', `'"\\n`, 'a$b', '`x` "y"'])(
    'keeps the value %j',
    async (value) => {
      await changeConfigFile(dataDir, { SERVICE_API_TOKEN: value })
      expect(readConfigFile(dataDir).values).toEqual({ SERVICE_API_TOKEN: value })
    },
  )

  test.each(['two\nlines', '\'"`'])('refuses the value %j and writes nothing', async (value) => {
    keep('# first\n')
    const change = changeConfigFile(dataDir, { SERVICE_API_TOKEN: value })
    await expect(change).rejects.toThrow(/SERVICE_API_TOKEN can't be kept/)
    expect(kept()).toBe('# first\n')
  })
})

test('every setting whose name ends in TOKEN, SECRET, PASSWORD or MASTER_KEY is masked', () => {
  const named = settingNames.filter((name) => /(TOKEN|SECRET|PASSWORD|MASTER_KEY)$/.test(name))
  // A flag that generates a token holds no token.
  const secret = named.filter((name) => name !== 'SERVICE_AUTO_TOKEN')
  expect([...secretSettingNames].sort()).toEqual(expect.arrayContaining(secret.sort()))
})
