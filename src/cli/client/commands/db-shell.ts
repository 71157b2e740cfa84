import { spawn } from 'node:child_process'
import { ClientError } from '../errors/client-error.ts'

interface Shell {
  /** In the order of preference. */
  readonly programs: readonly string[]
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs the client program of a database's server on the terminal, and resolves with its exit code. The password is in
 * the environment of the program, not in its arguments. Throws ClientError if the program is not installed.
 */
export async function runShell(url: URL): Promise<number> {
  const { programs, args, env } = shellOf(url)
  for (const program of programs) {
    const code = await run(program, args, { ...process.env, ...env })
    if (code !== undefined) return code
  }
  throw new ClientError(`${programs.join(' or ')} is not installed`, { next: ['strata db url'] })
}

function shellOf(url: URL): Shell {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const database = url.pathname.slice(1)
  if (url.protocol === 'mysql:') {
    return {
      programs: ['mariadb', 'mysql'],
      args: [
        ...['--protocol=tcp', `--host=${host}`, `--port=${url.port || '3306'}`],
        ...[`--user=${url.username}`, `--database=${database}`],
        ...(url.searchParams.get('ssl') === 'true' ? ['--ssl'] : []),
      ],
      env: { MYSQL_PWD: url.password },
    }
  }
  return {
    programs: ['psql'],
    args: [],
    env: {
      PGHOST: host,
      PGPORT: url.port || '5432',
      PGUSER: url.username,
      PGPASSWORD: url.password,
      PGDATABASE: database,
    },
  }
}

/** Resolves with the exit code, or undefined if the program is not installed. */
function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const child = spawn(program, args, { stdio: 'inherit', env })
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
