import type { AppKind } from './candidate.ts'

/** The repository's own Dockerfile. Only the docker runtime builds it. */
export const dockerfileKind: AppKind = {
  kind: 'dockerfile',
  signs: 'Dockerfile',
  recognize({ names }, { section, runtime }) {
    const file = section.dockerfile ?? (names.has('Dockerfile') ? 'Dockerfile' : undefined)
    if (file === undefined || runtime !== 'docker') return undefined
    const reason =
      section.dockerfile === undefined
        ? 'an image from Dockerfile'
        : `an image from ${file} (deploy.dockerfile)`
    return {
      app: { kind: 'dockerfile', dockerfile: file, reasons: [reason], programs: [], site: null },
      install: null,
      build: null,
      start: null,
    }
  },
}
