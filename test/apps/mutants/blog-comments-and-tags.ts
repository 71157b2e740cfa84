import { type Edits, pause } from './edits.ts'

const others = "comments: another's update or delete is 403 and changes nothing"
const filtered = 'post_id filters the list of comments, with its total and pages'
const noId = 'a post_id that is no id, or comes twice, is 400 and named'
const orphan = 'a comment on a post that is not there is 404, and is not kept'
const asked = 'every protected route without a credential is 401 "Authorization header required"'
const made = 'a slug is made from the name when none is sent'
const replaced = 'an update with tags puts them in place of the others, and one without leaves them'
const unknown = 'an unknown slug is 400 and named, and nothing is made or changed'
const one = 'of fifty creates of one slug at once exactly one succeeds'

/** Comments, tags, and how posts hold them. */
export const blogCommentAndTagEdits: Edits = {
  'src/use-cases/comment.service.ts': [
    ['anyone changes comments', 'await assertOwned(id, caller)\n      return', 'return', others],
    ['anyone deletes comments', 'await assertOwned(id, caller)\n      if', 'if', others],
    [
      'an absent comment is forbidden',
      '(await repository.find(id)) ?? absent()\n    if',
      '(await repository.find(id)) ?? { authorId: 0 }\n    if',
      'comments: what is not there is 404 for everybody, and not 403',
    ],
  ],

  'src/handlers/comment.handler.ts': [
    [
      'a comment by another',
      'callerOf(res),\n      )',
      '{ id: Number(req.body.author_id ?? callerOf(res).id) },\n      )',
      'a comment is its caller’s, on the post it names',
    ],
    [
      'a comment given away',
      'service.update(parseId(req), changes, callerOf(res))',
      'service.update(parseId(req), { ...changes, ...(req.body.author_id && { authorId: req.body.author_id }) }, callerOf(res))',
      'comments: the author in a body neither gives a record away nor takes it',
    ],
    [
      'comments listed to all',
      '.get(requireCaller, async (req, res) => {\n      const',
      '.get(async (req, res) => {\n      const',
      asked,
    ],
    [
      'a comment read by all',
      '.get(requireCaller, async (req, res) => {\n      res',
      '.get(async (req, res) => {\n      res',
      asked,
    ],
    [
      'a body read before the credential',
      '.post(requireCaller, jsonBody, async (req, res) => {',
      '.post(jsonBody, (req, _res, next) => { parseBody(createCommentBody, readOnly, req); next() }, requireCaller, async (req, res) => {',
      asked,
    ],
    [
      'a comment deleted with 200',
      'res.status(204).end()',
      'res.json({})',
      'comments: a deleted record is gone, from its path and from the list',
    ],
  ],

  'src/handlers/comment.schema.ts': [
    [
      'an empty comment',
      'content: text({ min: 1 }),',
      'content: text(),',
      "a comment's content is never empty",
    ],
    ['post_id passed over', 'z.object({\n  post_id: recordId(),', 'z.object({', filtered],
    [
      'post_id of the digits it begins with',
      'z.object({\n  post_id: recordId(),',
      'z.object({\n  post_id: z.string().transform((id) => Number.parseInt(id, 10)).pipe(unsigned({ min: 1 })).optional(),',
      noId,
    ],
    [
      'a post refused when it is sent back',
      "'author_id', 'post', 'author'",
      "'author_id', 'author'",
      'comments: what was read can be sent back, in a create and in an update',
    ],
    [
      'a post of no number',
      'post_id: unsigned({ min: 1 }),',
      'post_id: z.coerce.number(),',
      'comments: a value of the wrong type is the only one named, in a create',
    ],
  ],

  'src/repositories/comment.repository.prisma.ts': [
    ['the total of all comments', 'table.count({ where })', 'table.count()', filtered],
    ['comments of every post', 'postId: filter.postId,', '', filtered],
    ['an absent post is 409', '[], () => assertReferences(data))', '[])', orphan],
    [
      'an update that names an absent post is 409',
      'await assertReferences(data)\n        },',
      'return\n        },',
      'comments: a reference to a record that is not there is 404, and changes nothing',
    ],
    [
      'a post looked for before the comment is made, and not when',
      'const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))',
      `await assertReferences(data); ${pause}\n      const row = await table.create({ data, ...recordArgs })`,
      'a comment that comes while its post is deleted is refused or falls with it',
    ],
  ],

  'prisma/migrations/0004_create_comments/migration.sql': [
    [
      'a post with comments that can not be deleted',
      'ON DELETE CASCADE',
      'ON DELETE RESTRICT',
      'comments fall with their post, and no other do',
    ],
    [
      'comments that stay when their post goes',
      'CONSTRAINT "comments_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,\n',
      '',
      orphan,
    ],
  ],

  'src/domain/slug.ts': [
    ['a slug with capitals', '.toLowerCase()', '', made],
    ['a slug with a hyphen at its edges', ".replace(/^-|-$/g, '')", '', made],
    ['a slug with an underscore', ']+/gu', '_]+/gu', made],
    [
      'an empty slug',
      "if (slug !== '') return slug",
      'return slug',
      'a name that no slug can be made from is kept with one or refused',
    ],
    [
      'a name without letters is 500',
      "throw new AppError('invalid', 'validation failed', { details })",
      "throw new Error('no slug')",
      'a name that no slug can be made from is kept with one or refused',
    ],
  ],

  'src/use-cases/tag.service.ts': [
    [
      'a slug that follows the name',
      '{ ...changes, updatedAt: now() }',
      '{ ...(changes.name && { slug: slugOf(changes.name) }), ...changes, updatedAt: now() }',
      'a slug that is sent is kept, and stays when the name changes',
    ],
    [
      'a slug that is sent made a slug of',
      'const createdAt = now()',
      'slug = slugOf(name)\n      const createdAt = now()',
      'a slug that is sent is kept, and stays when the name changes',
    ],
    [
      'a taken slug with a number',
      'return repository.create({ name, slug, createdAt, updatedAt: createdAt })',
      `const draft = { name, slug, createdAt, updatedAt: createdAt }\n      return repository.create(draft).catch(() => repository.create({ ...draft, slug: \`\${slug}-2\` }))`,
      'a taken slug is 409, sent or made from the name, and makes nothing',
    ],
    [
      'its own slug taken',
      'return (await repository.update(',
      "const { rows } = await repository.list({ page: 1, pageSize: 100 })\n      if (rows.some(({ slug }) => slug === changes.slug)) throw new AppError('conflict', 'slug is already taken')\n      return (await repository.update(",
      'an update to a taken slug is 409 and changes nothing, to its own slug is none',
    ],
    [
      'a taken slug looked for before the writing alone',
      'return repository.create({ name, slug, createdAt, updatedAt: createdAt })',
      `const draft = { name, slug, createdAt, updatedAt: createdAt }\n      const { rows } = await repository.list({ page: 1, pageSize: 100 })\n      if (rows.some((each) => each.slug === slug)) throw new AppError('conflict', 'slug is already taken')\n      ${pause}\n      return repository.create(draft).catch(() => ({ id: 1, ...draft }))`,
      one,
    ],
    [
      'a slug that never comes again',
      'const createdAt = now()',
      "const createdAt = now()\n      const former = (globalThis.slugs ??= new Set())\n      if (former.has(slug)) throw new AppError('conflict', 'slug is already taken')\n      former.add(slug)",
      'a slug is free again when its tag is deleted',
    ],
  ],

  'prisma/migrations/0002_create_tags/migration.sql': [
    [
      'slugs in any case',
      '"slug" TEXT NOT NULL',
      '"slug" TEXT NOT NULL COLLATE NOCASE',
      'slugs that differ in case, an accent or a space are others, each with its posts',
    ],
    ['slugs not unique in the store', 'CREATE UNIQUE INDEX', 'CREATE INDEX', one],
  ],

  'src/repositories/prisma.ts': [
    [
      'a taken slug is 500',
      "case 'P2002':",
      "case 'P0000':",
      'an update to a taken slug is 409 and changes nothing, to its own slug is none',
    ],
    [
      'an unknown tag is 500',
      '    if (isMissing(error)) await assertReferences?.()\n    throw',
      '    throw',
      'a tag that is deleted while posts take it is on none of them afterwards',
    ],
    [
      'an unknown tag under another name',
      'details: [{ path, message }]',
      "details: [{ path: 'slug', message }]",
      unknown,
    ],
    ['an unknown tag not named', ', { details: [{ path, message }] })', ')', unknown],
  ],

  'src/handlers/tag.handler.ts': [
    ['tags made by all', '.post(requireCaller, jsonBody', '.post(jsonBody', asked],
    ['tags changed by all', '.put(requireCaller, jsonBody', '.put(jsonBody', asked],
    ['tags deleted by all', '.delete(requireCaller, async', '.delete(async', asked],
    [
      'tags for callers alone',
      '.get(async (req, res) => {\n      const',
      '.get(requireCaller, async (req, res) => {\n      const',
      'reading posts and tags needs no credential',
    ],
    [
      'tags that the first user alone may change',
      '.put(requireCaller, jsonBody',
      ".put(requireCaller, (_req, res, next) => { if (res.locals.caller.id === 1) next(); else res.status(403).json({ error: 'not yours' }) }, jsonBody",
      'tags are everybody’s: any caller may change and delete them',
    ],
  ],

  'src/handlers/tag.schema.ts': [
    [
      'a slug cut short',
      'slug: text({ min: 1, max: 255 }),',
      'slug: z.string().overwrite((slug) => slug.slice(0, 255)),',
      'an odd slug is kept whole or refused by name, and on a post it is unknown',
    ],
    [
      'a slug trimmed',
      'slug: text({ min: 1, max: 255 }),',
      'slug: text({ min: 1, max: 255 }).trim(),',
      'an odd slug is kept whole or refused by name, and on a post it is unknown',
    ],
    ['a slug that must be', 'slug: fields.slug.optional()', 'slug: fields.slug', made],
  ],

  'src/http/fields.ts': [
    [
      'a tag object that must be as it was read',
      'z.looseObject({ slug })',
      'z.strictObject({ slug, id: z.int(), name: z.string(), created_at: z.string(), updated_at: z.string() })',
      'of a tag object only the slug is looked at',
    ],
    [
      'a tag object by its name',
      "typeof item === 'string' ? item : item.slug",
      "typeof item === 'string' ? item : (item.name ?? item.slug)",
      'of a tag object only the slug is looked at',
    ],
    [
      'what is no tag is 500',
      "z.union([slug, z.looseObject({ slug })], {\n        error: 'must be a slug, or an object with a slug',\n      })",
      'z.any()',
      'what is neither a slug nor a tag is 400 and named',
    ],
    [
      'a tag that is named twice refused',
      "    .max(maxRelated)\n    .transform((items) => [\n      ...new Set(items.map((item) => (typeof item === 'string'",
      "    .max(maxRelated)\n    .refine((items) => new Set(items.map((item) => item.slug ?? item)).size === items.length, 'names one twice')\n    .transform((items) => [\n      ...new Set(items.map((item) => (typeof item === 'string'",
      'a tag that is named twice is one',
    ],
    [
      'ten tags at most',
      'maxRelated = 100',
      'maxRelated = 10',
      'thirty tags of one post, and thirty posts of one tag, are all kept',
    ],
  ],

  'src/repositories/post.repository.prisma.ts': [
    [
      'tags added to the others',
      'data.tags && { set: [], connect',
      'data.tags && { connect',
      replaced,
    ],
    [
      'an update without tags clears them',
      'data.tags && { set: [], connect: data.tags.map(',
      '{ set: [], connect: (data.tags ?? []).map(',
      replaced,
    ],
    [
      'tags added to those of a moment ago',
      'data.tags && { set: [], connect',
      'data.tags && { ...((globalThis.setAt ?? 0) < Date.now() - 5_000 && { set: [] }), ...((globalThis.setAt = Date.now()) && {}), connect',
      'of sets of tags given at once one is kept, whole',
    ],
    [
      'no tags taken for no change',
      'tags: data.tags && {',
      'tags: data.tags?.length && {',
      replaced,
    ],
    [
      'an unknown tag made',
      'connect: data.tags.map((slug) => ({ slug })) },\n          },',
      'connectOrCreate: data.tags.map((slug) => ({ where: { slug }, create: { name: slug, slug } })) },\n          },',
      unknown,
    ],
    [
      'an unknown tag passed over',
      'tags: { connect: data.tags.map((slug) => ({ slug })) },\n          },',
      'tags: { connect: (await prisma.tag.findMany({ where: { slug: { in: [...data.tags] } } })).map(({ id }) => ({ id })) },\n          },',
      unknown,
    ],
    [
      'ten tags of a post read',
      "tags: { orderBy: { id: 'asc' } } },",
      "tags: { orderBy: { id: 'asc' }, take: 10 } },",
      'thirty tags of one post, and thirty posts of one tag, are all kept',
    ],
    [
      'a post with its tags from a cache',
      'return { rows, total }',
      'return { rows: rows.map((row) => ({ ...row, tags: ((globalThis.tagsOf ??= {})[row.id] ??= row.tags) })), total }',
      'a tag that is renamed is so on its posts',
    ],
  ],
}
