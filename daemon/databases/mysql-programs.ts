import type { DatabaseAccess } from '../ports.ts'
import { findProgram } from './programs.ts'
import type { TransferProgram } from './transfer.ts'

/** The product of the server. */
export type Flavour = 'mariadb' | 'mysql'

interface Transfer {
  /** The administrator's URL, for its address. */
  readonly url: URL
  readonly flavour: Flavour
  readonly path: string
  readonly access: DatabaseAccess
  readonly secrets: readonly string[]
}

const packages = { mariadb: 'mariadb-client', mysql: 'mysql-client or default-mysql-client' }

/** Returns the program that writes a dump of one instant of InnoDB's tables, with views, triggers and routines. */
export function dumpOf(transfer: Transfer): TransferProgram {
  const { flavour, access } = transfer
  const program = programOf(transfer, { mariadb: 'mariadb-dump', mysql: 'mysqldump' })
  return programFor(transfer, program, [
    ...['--single-transaction', '--quick', '--skip-lock-tables', '--no-tablespaces', '--hex-blob'],
    ...['--routines', '--triggers', '--skip-dump-date', '--max-allowed-packet=1G'],
    // Needs rights on the whole server, or tables that MariaDB lacks. Other versions of the program ignore them.
    ...(flavour === 'mysql' || program.endsWith('mysqldump')
      ? ['--loose-set-gtid-purged=OFF', '--loose-column-statistics=0']
      : []),
    access.name,
  ])
}

/** Returns the program that runs a dump, without its own commands: a dump is input of an app. */
export function loadOf(transfer: Transfer): TransferProgram {
  const program = programOf(transfer, { mariadb: 'mariadb', mysql: 'mysql' })
  const { access } = transfer
  const args = ['--batch', '--binary-mode', '--local-infile=0', '--max-allowed-packet=1G']
  return programFor(transfer, program, [...args, `--database=${access.name}`])
}

/** The other product's program works, too, for most servers. */
function programOf({ flavour, path }: Transfer, names: Readonly<Record<Flavour, string>>): string {
  const other = flavour === 'mariadb' ? 'mysql' : 'mariadb'
  return findProgram([names[flavour], names[other]], path, packages[flavour])
}

function programFor(
  { url, access, secrets }: Transfer,
  program: string,
  args: readonly string[],
): TransferProgram {
  return {
    program,
    args: [
      // First: the app could have written option files into the home of its project.
      '--no-defaults',
      '--protocol=tcp',
      `--host=${url.hostname.replace(/^\[(.*)\]$/, '$1')}`,
      `--port=${url.port || '3306'}`,
      `--user=${access.name}`,
      '--default-character-set=utf8mb4',
      ...encryption(url, /\/mariadb[^/]*$/.test(program)),
      ...args,
    ],
    env: { MYSQL_PWD: access.password.reveal() },
    secrets,
  }
}

/** The programs verify the server if the URL asks for TLS; else they take what the server offers, like the apps. */
function encryption({ searchParams }: URL, isMariadb: boolean): readonly string[] {
  const isAsked = searchParams.get('ssl') === 'true' || searchParams.get('sslaccept') === 'strict'
  if (isMariadb) {
    return isAsked ? ['--ssl', '--ssl-verify-server-cert'] : ['--skip-ssl-verify-server-cert']
  }
  return isAsked
    ? ['--loose-ssl-mode=VERIFY_IDENTITY']
    : ['--loose-get-server-public-key', '--loose-ssl-mode=PREFERRED']
}
