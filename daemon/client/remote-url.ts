// Re-exported for the command line, which compares a repository's remote with the URLs of registered projects.
export { normalizeRemote } from '../git/remote-url.ts'
