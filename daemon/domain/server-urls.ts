import type { ServerKind } from './records.ts'

const schemes: Readonly<Record<ServerKind, readonly string[]>> = {
  postgres: ['postgres:', 'postgresql:'],
  mysql: ['mysql:', 'mariadb:'],
  mongodb: ['mongodb:', 'mongodb+srv:'],
}

const examples: Readonly<Record<ServerKind, string>> = {
  postgres: 'postgres://admin:password@db.example.com:5432/postgres',
  mysql: 'mysql://admin:password@db.example.com:3306',
  mongodb: 'mongodb://admin:password@db.example.com:27017/admin',
}

/** Returns the fault in the form of an administrator's URL, without the URL; undefined for a URL that can be used. */
export function serverUrlFault(kind: ServerKind, text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isKnown = url !== undefined && schemes[kind].includes(url.protocol)
  return isKnown && url.hostname !== '' ? undefined : `must be a URL such as ${examples[kind]}`
}
