/** Dependencies of every emitted app, with any store. Change them together with the examples' lock file. */
export const dependencies: Readonly<Record<string, string>> = {
  cors: '^2.8.6',
  express: '^5.3.0',
  pino: '^10.4.0',
  'prom-client': '^15.1.3',
  zod: '^4.6.7',
}

export const devDependencies: Readonly<Record<string, string>> = {
  '@biomejs/biome': '2.5.15',
  '@seriousme/openapi-schema-validator': '^2.11.0',
  '@types/cors': '^2.8.19',
  '@types/express': '^5.0.6',
  '@types/node': '^20.19.43',
  ajv: '^8.20.0',
  'ajv-formats': '^3.0.1',
  tsx: '^4.23.15',
  typescript: '^7.0.2',
  vitest: '^4.1.12',
}

/** Additional dependencies of apps with `--auth`. */
export const authDependencies: Readonly<Record<string, string>> = {
  bcrypt: '^6.0.0',
  'express-rate-limit': '^8.7.4',
  jsonwebtoken: '^9.0.3',
  multer: '^2.5.0',
}

export const authDevDependencies: Readonly<Record<string, string>> = {
  '@types/bcrypt': '^6.0.0',
  '@types/jsonwebtoken': '^9.0.10',
  '@types/multer': '^2.3.0',
}

/** bcrypt ships binaries, so its install script is not needed. */
export const authBlockedScripts: readonly string[] = ['bcrypt']
