// Re-exported for `strata daemon start`: it creates the token file before it starts a daemon with SERVICE_AUTO_TOKEN=1.
export { keepGeneratedSecrets } from '../generated-secrets.ts'
