// Re-exported for the command line, which wraps the token that it gives to `createClient`.
export { redacted } from '../domain/redacted.ts'
