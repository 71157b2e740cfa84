// Re-exported for the command line: it imports nothing of the daemon but this folder.
export { isLive } from '../domain/states.ts'
