import type { Site } from '../../domain/recognized-app.ts'
import type { Start } from './candidate.ts'
import { plain, withVariables } from './candidate.ts'

/** The conventions of a framework, for apps without a start script. */
export interface Framework {
  readonly name: string
  /** Packages of which the app depends on one. */
  readonly packages: readonly string[]
  /** Command that builds without a build script. */
  readonly build: readonly string[]
  readonly start: Start | null
  readonly site: Site | null
}

const bin = 'node_modules/.bin'

function site(folder: string, isSpa = false) {
  return { start: null, site: { folder, isSpa } }
}

function server(...argv: string[]) {
  return { start: plain('node', ...argv), site: null }
}

/** The first match counts, so that adapters come before the framework itself. */
export const frameworks: readonly Framework[] = [
  {
    name: 'Next.js',
    packages: ['next'],
    build: [`${bin}/next`, 'build'],
    start: withVariables(`${bin}/next`, 'start', '-H', '${HOST:-127.0.0.1}'),
    site: null,
  },
  {
    name: 'Nuxt',
    packages: ['nuxt'],
    build: [`${bin}/nuxt`, 'build'],
    ...server('.output/server/index.mjs'),
  },
  {
    name: 'Astro with its Node adapter',
    packages: ['@astrojs/node'],
    build: [`${bin}/astro`, 'build'],
    ...server('dist/server/entry.mjs'),
  },
  { name: 'Astro', packages: ['astro'], build: [`${bin}/astro`, 'build'], ...site('dist') },
  {
    name: 'SvelteKit with its Node adapter',
    packages: ['@sveltejs/adapter-node'],
    build: [`${bin}/vite`, 'build'],
    ...server('build'),
  },
  {
    name: 'SvelteKit with its static adapter',
    packages: ['@sveltejs/adapter-static'],
    build: [`${bin}/vite`, 'build'],
    ...site('build', true),
  },
  {
    name: 'Create React App',
    packages: ['react-scripts'],
    build: [`${bin}/react-scripts`, 'build'],
    ...site('build', true),
  },
  {
    name: 'Vue CLI',
    packages: ['@vue/cli-service'],
    build: [`${bin}/vue-cli-service`, 'build'],
    ...site('dist', true),
  },
  {
    name: 'Docusaurus',
    packages: ['@docusaurus/core'],
    build: [`${bin}/docusaurus`, 'build'],
    ...site('build'),
  },
  { name: 'Gatsby', packages: ['gatsby'], build: [`${bin}/gatsby`, 'build'], ...site('public') },
  {
    name: 'Eleventy',
    packages: ['@11ty/eleventy'],
    build: [`${bin}/eleventy`],
    ...site('_site'),
  },
  { name: 'Vite', packages: ['vite'], build: [`${bin}/vite`, 'build'], ...site('dist', true) },
  {
    name: 'Parcel',
    packages: ['parcel'],
    build: [`${bin}/parcel`, 'build'],
    ...site('dist', true),
  },
]

/** Frameworks that have no convention for production without an adapter. */
export const needsAdapter: Readonly<Record<string, string>> = {
  '@sveltejs/kit': 'SvelteKit needs @sveltejs/adapter-node or @sveltejs/adapter-static',
}
