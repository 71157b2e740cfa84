import type { AppKind } from './candidate.ts'

/** Static files: the folder of `deploy.static`, or a folder with `index.html`. */
export const staticKind: AppKind = {
  kind: 'static',
  signs: 'index.html',
  recognize({ names }, { section }) {
    if (section.static === undefined && !names.has('index.html')) return undefined
    const site = section.static ?? { folder: '', isSpa: false }
    const reason =
      section.static === undefined
        ? 'static files, because there is index.html'
        : `static files of ${site.folder === '' ? 'the repository' : site.folder} (deploy.static)`
    return {
      app: { kind: 'static', dockerfile: null, reasons: [reason], programs: [], site },
      install: null,
      build: null,
      start: null,
    }
  },
}
