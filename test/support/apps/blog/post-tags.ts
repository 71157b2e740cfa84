import { roundTrip } from '../round-trip.ts'
import { type Exchange, Refusal } from './exchange.ts'
import type { TagRow } from './tables.ts'

type ShownTag = Omit<TagRow, 'made_by'>

/** Returns the ids of the tags that a body names. Throws for an invalid or unknown tag. */
export async function tagIdsOf(
  { tables, is }: Exchange,
  tags: unknown,
): Promise<readonly number[]> {
  const sent: readonly unknown[] = Array.isArray(tags) ? tags : []
  const ids = sent.map((each, at) => {
    const object = typeof each === 'object' && each !== null ? { ...each } : { slug: each }
    if (is('tag-null-500') && each === null) throw new TypeError('null has no slug')
    const { slug, id, name } = object as { slug?: unknown; id?: unknown; name?: unknown }
    const isNamed = is('tag-by-id') && typeof id === 'number'
    if (typeof slug !== 'string' && !isNamed) throw unknownTag(`tags.${at}`)
    const tag = tables.tags.all().find((row) => (isNamed ? row.id === id : row.slug === slug))
    if (tag === undefined && is('unknown-tag-made')) {
      return tables.tags.insert({ name: String(slug), slug: String(slug), made_by: 0 }).id
    }
    if (tag === undefined && is('unknown-tag-ignored')) return 0
    if (tag === undefined) throw unknownTag('tags')
    if (is('tag-renames') && typeof name === 'string') tables.tags.change(tag.id, { name })
    return tag.id
  })
  if (is('tag-race-ghost')) await roundTrip()
  const known = ids.filter((id) => id > 0)
  const once = is('tags-twice') ? known : [...new Set(known)]
  const sorted = [...once].sort((one, two) => one - two)
  return is('ten-tags') ? sorted.slice(0, 10) : sorted
}

/** Converts the tags of a post to their form in responses. */
export function tagsOf({ tables, is }: Exchange, ids: readonly number[]): readonly ShownTag[] {
  return ids.flatMap((id) => {
    const tag = tables.tags.find(id)
    if (tag === undefined) return is('tag-stays') || is('tag-race-ghost') ? [ghostOf(id)] : []
    const { made_by, ...shown } = tag
    return [
      is('tag-copied') ? { ...shown, updated_at: shown.created_at, name: 'as it was' } : shown,
    ]
  })
}

function ghostOf(id: number): ShownTag {
  const at = new Date(0).toISOString()
  return { id, name: 'gone', slug: 'gone', created_at: at, updated_at: at }
}

function unknownTag(path: string): Refusal {
  return new Refusal(400, 'validation failed', [{ path, message: 'is no tag' }])
}
