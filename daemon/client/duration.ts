// Re-exported for the command line: it imports nothing of the daemon but this folder.
export { durationMs } from '../domain/duration.ts'
