import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { program } from '../support/generator/strata.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('docs/cli.md matches the command definitions', () => {
  const args = ['--import', 'tsx', 'scripts/cli-reference.mjs', '--check']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('bash completions offer commands, subcommands and options', () => {
  const script = strata('completions', 'bash')
  expect(complete(script, ['strata', 'ro'])).toEqual(['rollback', 'rotate-key'])
  expect(complete(script, ['strata', 'env', ''])).toEqual(
    expect.arrayContaining(['set', 'list', 'delete']),
  )
  expect(complete(script, ['strata', 'up', '--ver'])).toEqual(['--verbose'])
  expect(complete(script, ['strata', 'init', '--data'])).toEqual(['--database'])
})

test.each(['zsh', 'fish'])('%s completions contain every command', (shell) => {
  const script = strata('completions', shell)
  for (const name of ['up', 'rollback', 'doctor', 'feature']) expect(script).toContain(name)
})

test('completions refuse an unknown shell and list the known ones', () => {
  const { status, stderr } = spawnSync(process.execPath, [program, 'completions', 'edlin'], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain('strata completions bash')
})

function strata(...args: string[]): string {
  return execFileSync(process.execPath, [program, ...args], { encoding: 'utf8' })
}

/** Returns the completions that bash offers for a command line. */
function complete(script: string, words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const ask = `${script}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _strata
[ "\${#COMPREPLY[@]}" = 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['-c', ask], { encoding: 'utf8' })
  return printed.split('\n').filter((line) => line !== '')
}
