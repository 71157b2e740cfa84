import { isInRange } from '../reference-lists.ts'
import type { Exchange, Is } from './exchange.ts'
import type { PostRow } from './tables.ts'
import { isBool, isId, type QueryRules } from './validation.ts'

/** For the mutant `search-stale`: posts as they were created. */
export const unchanged = new WeakSet<PostRow>()

/** Rules for the query parameters of the list of posts. */
export function postQueryRules(is: Is): QueryRules {
  return {
    published: is('published-loose') ? () => true : isBool,
    author_id: isId,
    tag: () => true,
    search: () => true,
    ...Object.fromEntries(rangeNames.map((name) => [name, isWhole])),
  }
}

const rangeNames = ['views', 'views[gte]', 'views[gt]', 'views[lte]', 'views[lt]']

const isWhole = (value: string): boolean => /^\d+$/.test(value)

/** Returns whether a query selects the post. */
export function matchesQuery({ query, tables, is }: Exchange, post: PostRow): boolean {
  const [published, author, tag, search] = ['published', 'author_id', 'tag', 'search'].map((name) =>
    query.get(name),
  )
  const tags = post.tag_ids.map((id) => tables.tags.find(id))
  const isTagged = tags.some((each) => {
    if (is('tag-by-name')) return each?.name === tag || each?.slug === tag
    if (is('tag-by-part')) return each?.slug.includes(tag ?? '')
    return each?.slug === tag
  })
  if (is('far-author-500') && Number(author) >= 2 ** 31) throw new RangeError('out of range')
  if (is('nul-500') && `${tag}${search}`.includes('\0')) throw new RangeError('no text')
  const isFalseIgnored = is('published-false-ignored') && published === 'false'
  const tests = [
    isInRange(post.views, 'views', query, () => false) || is('views-unfiltered'),
    published === null || isFalseIgnored ? undefined : `${post.published}` === published,
    author === null ? undefined : post.author_id === Number(author),
    tag === null ? undefined : isTagged || (is('tag-loses-to-search') && search !== null),
    search === null ? undefined : isFound(is, post, search ?? ''),
  ].filter((test) => test !== undefined)
  return is('filters-either') && tests.length > 3
    ? tests.slice(1).some(Boolean)
    : tests.every(Boolean)
}

function isFound(is: Is, post: PostRow, search: string): boolean {
  if (is('search-stale') && !unchanged.has(post)) return false
  const content = is('search-64-kb') ? post.content.slice(0, 65_535) : post.content
  const texts = is('search-title-only') ? [post.title] : [post.title, content]
  const wanted = folded(is, search)
  if (is('search-joined')) return folded(is, texts.join(' ')).includes(wanted)
  return texts.some((text) => contains(is, folded(is, text), wanted))
}

function contains(is: Is, text: string, wanted: string): boolean {
  if (is('search-regex')) return regex(wanted, (source) => source).test(text)
  if (is('search-like')) {
    return regex(wanted, (source) =>
      source
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('%', '.*')
        .replaceAll('_', '.'),
    ).test(text)
  }
  if (is('search-strips')) return text.includes(wanted.replaceAll(/[%_*]/g, ''))
  return text.includes(wanted)
}

function regex(text: string, sourceOf: (text: string) => string): RegExp {
  try {
    return new RegExp(sourceOf(text), 's')
  } catch {
    return /$^/
  }
}

function folded(is: Is, text: string): string {
  if (is('search-case')) return text
  if (is('search-ascii')) return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  const lower = text.toLowerCase()
  return is('search-final-sigma') ? lower : lower.replaceAll('ς', 'σ')
}
