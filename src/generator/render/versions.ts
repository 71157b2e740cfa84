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
