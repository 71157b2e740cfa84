/** What every emitted app depends on, whatever its store. Changed together with the examples' lock file. */
export const dependencies: Readonly<Record<string, string>> = {
  express: '^5.3.0',
  pino: '^10.4.0',
  zod: '^4.6.7',
}

export const devDependencies: Readonly<Record<string, string>> = {
  '@biomejs/biome': '2.5.15',
  '@seriousme/openapi-schema-validator': '^2.11.0',
  '@types/express': '^5.0.6',
  '@types/node': '^20.19.43',
  ajv: '^8.20.0',
  'ajv-formats': '^3.0.1',
  tsx: '^4.23.15',
  typescript: '^7.0.2',
  vitest: '^4.1.12',
}

/** What an app with `--auth` depends on besides. */
export const authDependencies: Readonly<Record<string, string>> = {
  bcrypt: '^6.0.0',
  jsonwebtoken: '^9.0.3',
  multer: '^2.5.0',
}

export const authDevDependencies: Readonly<Record<string, string>> = {
  '@types/bcrypt': '^6.0.0',
  '@types/jsonwebtoken': '^9.0.10',
  '@types/multer': '^2.3.0',
}

/** bcrypt carries its binaries: its script would only look for one, or compile. */
export const authBlockedScripts: readonly string[] = ['bcrypt']
