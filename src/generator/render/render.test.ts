import { describe, expect, test } from 'vitest'
import { createModel } from '../model/build.ts'
import { availableKinds } from '../stores/stores.ts'
import { format } from './format.ts'
import { renderProject, renderWiring, sharedTexts } from './render.ts'

const names = ['a', 'shop', 'a-shop-with-a-name-of-some-length', 'x'.repeat(80), 'y'.repeat(200)]

const projects = availableKinds.flatMap((database) =>
  [false, true].map((auth) => ({ database, auth })),
)

describe.each(projects)('a new $database project with auth: $auth', ({ database, auth }) => {
  test.each(names)('has formatted files if its name is %s', async (name) => {
    const files = await renderProject(createModel({ name, module: name, database, auth }))
    expect(files.size).toBeGreaterThan(40)
    for (const [path, text] of files) expect(text, path).toBe(await format(path, text))
  })

  test('has no file that is both wiring and shared', async () => {
    const model = createModel({ name: 'shop', module: 'shop', database, auth })
    const wiring = await renderWiring(model)
    expect([...sharedTexts(model).keys()].filter((path) => wiring.has(path))).toEqual([])
  })
})
