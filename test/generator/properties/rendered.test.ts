import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFeature } from '../../../src/generator/model/build.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { format } from '../../../src/generator/render/format.ts'
import { renderFeature, renderWiring } from '../../../src/generator/render/render.ts'
import { models } from '../../support/generator/properties/arbitraries.ts'

// The formatter throws if a file does not parse; Handlebars throws if a name is missing.
test('a valid feature renders to files that parse and are formatted', async () => {
  await fc.assert(
    fc.asyncProperty(models('sqlite', 1), async (model) => {
      for (const [path, text] of await filesOf(model)) {
        expect(await format(path, text), path).toBe(text)
        expect(text, path).toMatch(/[^\n]\n$/)
        expect(text, path).not.toMatch(/[ \t]\n/)
      }
    }),
    { numRuns: 100 },
  )
})

test('a feature renders to the same files beside any other feature', async () => {
  await fc.assert(
    fc.asyncProperty(models('postgres', 3), async (model) => {
      const [feature] = model.features
      if (feature === undefined) return
      const alone = withFeature({ ...model, features: [] }, feature)
      expect(await renderFeature(model, feature)).toEqual(await renderFeature(alone, feature))
    }),
    { numRuns: 20 },
  )
})

async function filesOf(model: Model): Promise<[string, string][]> {
  const own = await Promise.all(model.features.map((feature) => renderFeature(model, feature)))
  return [...(await renderWiring(model)), ...own.flatMap((files) => [...files])]
}
