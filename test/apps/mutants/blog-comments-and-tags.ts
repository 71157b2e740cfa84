import { type Edits, pause } from './edits.ts'

const others = 'comments: an update or delete by another user answers 403 and changes nothing'
const filtered = 'post_id filters the list of comments, with its total and pages'
const noId = 'an invalid or repeated post_id answers 400, which names it'
const orphan = 'a comment on an absent post answers 404 and is not stored'
const asked =
  'every protected route without a credential answers 401 "Authorization header required"'
const made = 'a missing slug is generated from the name'
const replaced = 'an update with tags replaces the tags, and an update without tags keeps them'
const unknown = 'an unknown slug answers 400, which names it, and changes nothing'
const one = 'exactly one of fifty concurrent creates of one slug succeeds'

/** Mutants of comments, tags, and the tags of posts. */
export const blogCommentAndTagEdits: Edits = {
  'src/use-cases/comment.service.ts': [
    [
      'any caller can update a comment',
      'await assertOwned(id, caller)\n      return',
      'return',
      others,
    ],
    ['any caller can delete a comment', 'await assertOwned(id, caller)\n      if', 'if', others],
    [
      'updating an absent comment answers 403',
      'if (owner === undefined) absent()\n',
      '',
      'comments: an absent record answers 404 to every caller, not 403',
    ],
  ],

  'src/handlers/comment.handler.ts': [
    [
      'a body sets the author of a new comment',
      'callerOf(res),\n      )',
      '{ id: Number(req.body.author_id ?? callerOf(res).id) },\n      )',
      'a comment belongs to its caller and to the post that it names',
    ],
    [
      'an update changes the author of a comment',
      'service.update(parseId(req), changes, callerOf(res),',
      'service.update(parseId(req), { ...changes, ...(req.body.author_id && { authorId: req.body.author_id }) }, callerOf(res),',
      'comments: the author in a body does not change the owner of a record',
    ],
    [
      'listing comments needs no credential',
      '.get(requireCaller, async (req, res) => {\n      const',
      '.get(async (req, res) => {\n      const',
      asked,
    ],
    [
      'reading a comment needs no credential',
      '.get(requireCaller, async (req, res) => {\n      send',
      '.get(async (req, res) => {\n      send',
      asked,
    ],
    [
      'creating a comment validates the body before the credential',
      '.post(requireCaller, jsonBody, async (req, res) => {',
      '.post(jsonBody, (req, _res, next) => { parseBody(createCommentBody, readOnly, req); next() }, requireCaller, async (req, res) => {',
      asked,
    ],
    [
      'deleting a comment answers 200',
      'res.status(204).end()',
      'res.json({})',
      'comments: a deleted record is gone from its path and from the list',
    ],
  ],

  'src/handlers/comment.schema.ts': [
    [
      'an empty comment is accepted',
      'content: text({ min: 1 }),',
      'content: text(),',
      'an empty comment is rejected',
    ],
    ['the list of comments ignores post_id', '  {\n    post_id: recordId(),', '  {', filtered],
    [
      'post_id accepts text that starts with digits',
      '  {\n    post_id: recordId(),',
      '  {\n    post_id: z.string().transform((id) => Number.parseInt(id, 10)).pipe(unsigned({ min: 1 })).optional(),',
      noId,
    ],
    [
      'a body with the post as read is rejected',
      "'author_id', 'post', 'author'",
      "'author_id', 'author'",
      'comments: a record can be sent back as it was read, in a create and in an update',
    ],
    [
      'a comment accepts post_id as text',
      'post_id: unsigned({ min: 1 }),',
      'post_id: z.coerce.number(),',
      'comments: a create with one value of the wrong type names only this field',
    ],
  ],

  'src/repositories/comment.repository.prisma.ts': [
    [
      'the total of filtered comments counts all comments',
      'table.count({ where })',
      'table.count()',
      filtered,
    ],
    ['the filter post_id returns comments of every post', 'postId: filter.postId,', '', filtered],
    ['a comment on an absent post answers 409', '[], () => assertReferences(data))', '[])', orphan],
    [
      'moving a comment to an absent post answers 409',
      'await assertReferences(data)\n        },',
      'return\n        },',
      'comments: a dangling reference answers 404 and changes nothing',
    ],
    [
      'a comment checks for the post only before the write',
      'const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))',
      `await assertReferences(data); ${pause}\n      const row = await table.create({ data, ...recordArgs })`,
      'a comment that is added while its post is deleted does not remain',
    ],
  ],

  'prisma/migrations/0004_create_comments/migration.sql': [
    [
      'a post with comments cannot be deleted',
      'ON DELETE CASCADE',
      'ON DELETE RESTRICT',
      'deleting a post deletes its comments and no others',
    ],
    [
      'comments stay when their post is deleted',
      'CONSTRAINT "comments_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,\n',
      '',
      orphan,
    ],
  ],

  'src/domain/slug.ts': [
    ['generated slugs contain capitals', '.toLowerCase()', '', made],
    ['generated slugs start or end with a hyphen', ".replace(/^-/, '')", '', made],
    ['generated slugs contain underscores', ']+/gu', '_]+/gu', made],
    [
      'a generated slug can be longer than a slug in a body',
      '.slice(0, maxLength)',
      '',
      'a slug made from a name can be sent back',
    ],
    [
      'a generated slug can end in half a character',
      '[-\\p{Surrogate}]+$',
      '-$',
      'a slug made from a name can be sent back',
    ],
    [
      'generated slugs lose combining marks',
      '\\p{Mark}',
      '',
      'letters of a generated slug keep their combining marks',
    ],
    [
      'a generated slug can be empty',
      'if (/[\\p{Letter}\\p{Number}]/u.test(slug)) return slug',
      'return slug',
      'a name without usable characters gets a slug or is rejected',
    ],
    [
      'a name without letters answers 500',
      "throw new AppError('invalid', 'validation failed', { details })",
      "throw new Error('no slug')",
      'a name without usable characters gets a slug or is rejected',
    ],
  ],

  'src/use-cases/tag.service.ts': [
    [
      'renaming a tag changes its slug',
      '{ ...changes, updatedAt: now() }',
      '{ ...(changes.name && { slug: slugOf(changes.name) }), ...changes, updatedAt: now() }',
      'a slug in the body is stored and stays when the name changes',
    ],
    [
      'a slug in the body is ignored',
      'const createdAt = now()',
      'slug = slugOf(name)\n      const createdAt = now()',
      'a slug in the body is stored and stays when the name changes',
    ],
    [
      'a duplicate slug gets a number appended',
      'return repository.create({ name, slug, createdAt, updatedAt: createdAt })',
      `const draft = { name, slug, createdAt, updatedAt: createdAt }\n      return repository.create(draft).catch(() => repository.create({ ...draft, slug: \`\${slug}-2\` }))`,
      'a duplicate slug, sent or generated, answers 409 and creates nothing',
    ],
    [
      'updating a tag with its own slug answers 409',
      'return (await repository.update(',
      "const { rows } = await repository.list({ page: 1, pageSize: 100 })\n      if (rows.some(({ slug }) => slug === changes.slug)) throw new AppError('conflict', 'slug is already taken')\n      return (await repository.update(",
      'an update to a duplicate slug answers 409, and to the own slug succeeds',
    ],
    [
      'a create checks for a duplicate slug only before the write',
      'return repository.create({ name, slug, createdAt, updatedAt: createdAt })',
      `const draft = { name, slug, createdAt, updatedAt: createdAt }\n      const { rows } = await repository.list({ page: 1, pageSize: 100 })\n      if (rows.some((each) => each.slug === slug)) throw new AppError('conflict', 'slug is already taken')\n      ${pause}\n      return repository.create(draft).catch(() => ({ id: 1, ...draft }))`,
      one,
    ],
    [
      'the slug of a deleted tag stays reserved',
      'const createdAt = now()',
      "const createdAt = now()\n      const former = (globalThis.slugs ??= new Set())\n      if (former.has(slug)) throw new AppError('conflict', 'slug is already taken')\n      former.add(slug)",
      'the slug of a deleted tag can be used again',
    ],
  ],

  'prisma/migrations/0002_create_tags/migration.sql': [
    [
      'slugs are unique regardless of case',
      '"slug" TEXT NOT NULL',
      '"slug" TEXT NOT NULL COLLATE NOCASE',
      'slugs that differ in case, accent or space are different slugs',
    ],
    ['the store has no unique index on slugs', 'CREATE UNIQUE INDEX', 'CREATE INDEX', one],
  ],

  'src/repositories/prisma.ts': [
    [
      'a duplicate slug answers 500',
      "code === 'P2002'",
      "code === 'P0000'",
      'an update to a duplicate slug answers 409, and to the own slug succeeds',
    ],
    [
      'an unknown tag in a post answers 500',
      "    if (['P2003', 'P2025'].includes(codeOf(error))) await assertReferences?.()\n    throw",
      '    throw',
      'no post has a tag that was deleted concurrently',
    ],
    [
      'the error for an unknown tag names another field',
      'details: [{ path, message }]',
      "details: [{ path: 'slug', message }]",
      unknown,
    ],
    [
      'the error for an unknown tag names no field',
      ', { details: [{ path, message }] })',
      ')',
      unknown,
    ],
  ],

  'src/handlers/tag.handler.ts': [
    [
      'creating a tag needs no credential',
      '.post(requireCaller, jsonBody',
      '.post(jsonBody',
      asked,
    ],
    ['updating a tag needs no credential', '.put(requireCaller, jsonBody', '.put(jsonBody', asked],
    [
      'patching a tag needs no credential',
      '.patch(requireCaller, jsonBody',
      '.patch(jsonBody',
      asked,
    ],
    ['deleting a tag needs no credential', '.delete(requireCaller, async', '.delete(async', asked],
    [
      'listing tags needs a credential',
      '.get(async (req, res) => {\n      const',
      '.get(requireCaller, async (req, res) => {\n      const',
      'reading posts and tags needs no credential',
    ],
    [
      'only the first user can update tags',
      '.put(requireCaller, jsonBody',
      ".put(requireCaller, (_req, res, next) => { if (res.locals.caller.id === 1) next(); else res.status(403).json({ error: 'not yours' }) }, jsonBody",
      'every caller can change and delete every tag',
    ],
  ],

  'src/handlers/tag.schema.ts': [
    [
      'a long slug is truncated',
      'slug: text({ min: 1, max: 255 }),',
      'slug: z.string().overwrite((slug) => slug.slice(0, 255)),',
      'an unusual slug is stored unchanged or rejected by name, and is unknown on a post',
    ],
    [
      'a slug is trimmed',
      'slug: text({ min: 1, max: 255 }),',
      'slug: text({ min: 1, max: 255 }).trim(),',
      'an unusual slug is stored unchanged or rejected by name, and is unknown on a post',
    ],
    ['slug is required', 'slug: fields.slug.optional()', 'slug: fields.slug', made],
  ],

  'src/http/fields.ts': [
    [
      'a tag object in a post needs every key',
      'z.object({ slug })',
      'z.strictObject({ slug, id: z.int(), name: z.string(), created_at: z.string(), updated_at: z.string() })',
      'only the slug of a tag object counts',
    ],
    [
      'a tag object in a post is found by its name',
      'z.object({ slug })',
      'z.object({ slug, name: slug.optional() }).transform((tag) => ({ slug: tag.name ?? tag.slug }))',
      'only the slug of a tag object counts',
    ],
    [
      'an invalid tag in a post answers 500',
      "z.union([slug, z.object({ slug })], { error: 'must be a slug, or an object with a slug' })",
      'z.any()',
      'an invalid tag in a post answers 400, which names it',
    ],
    [
      'a duplicate tag in a post is rejected',
      "    .max(maxRelated)\n    .transform((items) => [\n      ...new Set(items.map((item) => (typeof item === 'string'",
      "    .max(maxRelated)\n    .refine((items) => new Set(items.map((item) => item.slug ?? item)).size === items.length, 'names one twice')\n    .transform((items) => [\n      ...new Set(items.map((item) => (typeof item === 'string'",
      'a tag that is named twice counts once',
    ],
    [
      'a post accepts ten tags at most',
      'maxRelated = 100',
      'maxRelated = 10',
      'thirty tags of one post and thirty posts of one tag are all stored',
    ],
  ],

  'src/repositories/post.repository.prisma.ts': [
    [
      'an update adds tags instead of replacing them',
      'data.tags && { set: [], connect',
      'data.tags && { connect',
      replaced,
    ],
    [
      'an update without tags clears the tags',
      'data.tags && { set: [], connect: data.tags.map(',
      '{ set: [], connect: (data.tags ?? []).map(',
      replaced,
    ],
    [
      'concurrent updates merge their tags',
      'data.tags && { set: [], connect',
      'data.tags && { ...((globalThis.setAt ?? 0) < Date.now() - 5_000 && { set: [] }), ...((globalThis.setAt = Date.now()) && {}), connect',
      'one of several concurrent sets of tags is stored completely',
    ],
    [
      'an empty list of tags changes nothing',
      'tags: data.tags && {',
      'tags: data.tags?.length && {',
      replaced,
    ],
    [
      'an unknown tag in a post is created',
      'tags: { connect: data.tags.map((slug) => ({ slug })) },',
      'tags: { connectOrCreate: data.tags.map((slug) => ({ where: { slug }, create: { name: slug, slug } })) },',
      unknown,
    ],
    [
      'an unknown tag in a post is ignored',
      'tags: { connect: data.tags.map((slug) => ({ slug })) },\n          },',
      'tags: { connect: (await prisma.tag.findMany({ where: { slug: { in: [...data.tags] } } })).map(({ id }) => ({ id })) },\n          },',
      unknown,
    ],
    [
      'a post shows ten tags at most',
      "tags: { orderBy: { id: 'asc' } } },",
      "tags: { orderBy: { id: 'asc' }, take: 10 } },",
      'thirty tags of one post and thirty posts of one tag are all stored',
    ],
    [
      'the list of posts shows cached tags',
      'return listingOf(query, rows, total)',
      'return listingOf(query, rows.map((row) => ({ ...row, tags: ((globalThis.tagsOf ??= {})[row.id] ??= row.tags) })), total)',
      'a renamed tag is renamed on its posts',
    ],
  ],
}
