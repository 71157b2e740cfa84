import { assertError } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { type Reply, send } from './http.ts'
import { create, freshBody, type Resource } from './resource.ts'

/** Checks of ids in paths. */
export function idChecks(resource: Resource): readonly Check[] {
  const { plural, path } = resource
  const everyVerb = async (app: AppUnderTest, id: string): Promise<readonly Reply[]> => [
    await send(app, { path: `${path}/${id}` }),
    await send(app, { method: 'PUT', path: `${path}/${id}`, json: freshBody(resource) }),
    await send(app, { method: 'DELETE', path: `${path}/${id}` }),
  ]
  const check = (title: string, ids: readonly string[], ...statuses: readonly number[]): Check => ({
    title: `${plural}: ${title}`,
    run: async (app) => {
      for (const id of ids) {
        for (const reply of await everyVerb(app, id)) assertError(reply, ...statuses)
      }
    },
  })
  return [
    check('the ids abc, 0, -1 and 1.5 answer 400', ['abc', '0', '-1', '1.5'], 400),
    {
      title: `${plural}: an id that starts with a digit but is no number answers 400`,
      run: async (app) => {
        const { id } = await create(app, resource)
        for (const tail of ['abc', ',2', '.5', ';drop', '%22', '%00']) {
          for (const reply of await everyVerb(app, `${id}${tail}`)) assertError(reply, 400)
        }
      },
    },
    {
      // The contract requires an unsigned integer, but names no status for these ids.
      title: `${plural}: an id in another number notation finds no record`,
      run: async (app) => {
        const { id } = await create(app, resource)
        for (const other of [`${id}e0`, `0x${id.toString(16)}`, `%20${id}`, `[${id}]`, '%20']) {
          for (const reply of await everyVerb(app, other)) assertError(reply, 400, 404)
        }
      },
    },
    check(
      'an unused id up to 2^53 - 1 answers 404',
      ['900000001', '2147483647', '2147483648', '4294967296', '9007199254740991'],
      404,
    ),
    check(
      'an id past 2^53 answers 404 or 400',
      ['9007199254740993', '9223372036854775808', '18446744073709551616', '9'.repeat(400)],
      404,
      400,
    ),
  ]
}
