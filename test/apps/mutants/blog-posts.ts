import { type Edits, pause } from './edits.ts'

const others = "posts: another's update or delete is 403 and changes nothing"
const incomplete = 'publishing a post without content is 422 "cannot publish incomplete post"'
const draft = 'a post of a title alone is an empty draft by its caller'
const included = 'a reading counts as a view, this one included'
const published = 'publish answers 200 with the post, published, and again the same'
const shown = 'the answers of the blog match the schemas that document them'

/** Posts: who may write them, what is published, and what counts as a view. */
export const blogPostEdits: Edits = {
  'src/domain/post.ts': [
    [
      'an incomplete post in other words',
      "'cannot publish incomplete post'",
      "'incomplete'",
      incomplete,
    ],
    ['a post complete with a title', " && content !== ''", '', incomplete],
    [
      'a post of white space incomplete',
      "content !== ''",
      'content.length > 1',
      'one update may fill a draft and publish it, or empty a post and withdraw it',
    ],
  ],

  'src/use-cases/post.service.ts': [
    ['anyone changes posts', 'if (post.authorId === caller.id) return post', 'return post', others],
    ['anyone deletes posts', 'await findOwned(id, caller)\n      if', 'if', others],
    [
      'those who commented on a post change it',
      'if (post.authorId === caller.id)',
      'if ([post, ...post.comments].some(({ authorId }) => authorId === caller.id))',
      "a post's author may not change the comment of another, nor the reverse",
    ],
    [
      'an absent post is forbidden',
      '(await repository.find(id)) ?? absent()\n    if',
      '(await repository.find(id)) ?? { authorId: 0 }\n    if',
      'posts: what is not there is 404 for everybody, and not 403',
    ],
    [
      'anyone publishes',
      'change(id, { published: true }, caller),',
      "repository.find(id).then((post) => post ?? absent()).then(({ authorId }) => change(id, { published: true }, { id: authorId, email: '' })),",
      'posts: publishing what is not there is 404, of another 403, and changes nothing',
    ],
    [
      'publishing asks for a content first and for the author then',
      'const post = await findOwned(id, caller)',
      'const seen = await repository.find(id)\n    if (seen && changes.published) assertPublishable({ ...seen, ...changes })\n    const post = await findOwned(id, caller)',
      'posts: publishing what is not there is 404, of another 403, and changes nothing',
    ],
    ['incomplete posts published', 'if (next.published) assertPublishable(next)\n', '', incomplete],
    [
      'incomplete posts published by an update',
      'if (next.published) assert',
      'if (next.published && changes.published === undefined) assert',
      'an update that would publish without content is 422, and changes nothing',
    ],
    [
      'published posts emptied',
      'if (next.published) assert',
      'if (changes.published) assert',
      'emptying a published post is 422, and changes nothing',
    ],
    [
      'the post looked at as it was',
      'assertPublishable(next)',
      'assertPublishable(post)',
      'one update may fill a draft and publish it, or empty a post and withdraw it',
    ],
    [
      'drafts never empty',
      'if (next.published) assert',
      'assert',
      'a draft keeps its false through other updates, and may be emptied',
    ],
    [
      'every update publishes',
      'const next = { ...post, ...changes }',
      'changes = { published: true, ...changes }\n    const next = { ...post, ...changes }',
      'a draft keeps its false through other updates, and may be emptied',
    ],
    [
      'created posts published without content',
      'if (draft.published) assertPublishable(draft)\n',
      '',
      'creating a published post without content is 422, and makes none',
    ],
    [
      'a post looked at and then changed, whatever came between',
      'const changed = await repository.updateIfUnchanged(post, {',
      `${pause}\n    const changed = await repository.update(id, {`,
      'publishing and emptying at once never leave an empty published post',
    ],
    [
      'a post that somebody else changed first is 500',
      'const changed = await repository.updateIfUnchanged(post, { ...changes, updatedAt: now() })\n    return changed ?? change(id, changes, caller)',
      `${pause}\n    const changed = await repository.updateIfUnchanged(post, { ...changes, updatedAt: now() })\n    if (changed) return changed\n    throw new Error('changed meanwhile')`,
      'publishing and emptying at once never leave an empty published post',
    ],
    [
      'a post deleted meanwhile is 500',
      'const changed = await repository.updateIfUnchanged(post, { ...changes, updatedAt: now() })\n    return changed ?? change(id, changes, caller)',
      `${pause}\n    const changed = await repository.updateIfUnchanged(post, { ...changes, updatedAt: now() })\n    if (changed || (await repository.find(id))) return changed ?? change(id, changes, caller)\n    throw new Error('gone')`,
      'a post that is deleted while it is read and published is there or 404',
    ],
    [
      'a publishing that is answered and not kept',
      'change(id, { published: true }, caller),',
      'findOwned(id, caller).then((post) => (assertPublishable(post), { ...post, published: true })),',
      published,
    ],
    [
      'a second publishing refused',
      'change(id, { published: true }, caller),',
      "findOwned(id, caller).then(({ published }) => { if (published) throw new AppError('conflict', 'is published'); return change(id, { published: true }, caller) }),",
      published,
    ],
    ['readings not counted', 'await repository.read(id)', 'await repository.find(id)', included],
    [
      'a reading that shows the views before it',
      'return (await repository.read(id)) ?? absent()',
      'const seen = (await repository.find(id)) ?? absent()\n      await repository.read(id)\n      return seen',
      included,
    ],
    [
      'a list that counts views',
      'list: (query: Page & PostFilter) => repository.list(query),',
      'async list(query) {\n      const found = await repository.list(query)\n      for (const { id } of found.rows) await repository.read(id)\n      return found\n    },',
      'a list shows the views and counts none',
    ],
    [
      'an update that counts as a view',
      '{ ...changes, updatedAt: now() }',
      '{ ...changes, views: post.views + 1, updatedAt: now() }',
      'an update, a publishing and a comment are no views',
    ],
    [
      'an update that writes back the views it read',
      'const changed = await repository.updateIfUnchanged(post, { ...changes,',
      `${pause}\n    const changed = await repository.updateIfUnchanged(post, { ...changes, views: post.views,`,
      'readings and updates at once lose neither',
    ],
    ['a post that begins with a view', 'views: 0,', 'views: 1,', draft],
  ],

  'src/repositories/post.repository.prisma.ts': [
    [
      'views counted in the application',
      'const data = { views: { increment: 1 } }',
      `const { views = 0 } = (await table.findUnique({ where: { id } })) ?? {}\n      ${pause}\n      const data = { views: views + 1 }`,
      'two hundred readings at once add two hundred views',
    ],
    [
      'a reading that is an update',
      '{ views: { increment: 1 } }',
      '{ views: { increment: 1 }, updatedAt: new Date() }',
      'a reading is no update: updated_at stays, and so does the order',
    ],
    [
      'a reading of every post',
      'const data = { views: { increment: 1 } }',
      'const data = { views: { increment: 1 } }\n      await table.updateMany({ where: { id: { not: id } }, data })',
      'the views of one post are not those of another',
    ],
    [
      'a reading of an absent post is 500',
      'return runOnExisting(table.update({ where: { id }, data, ...detailsArgs }))',
      'return run(table.update({ where: { id }, data, ...detailsArgs }))',
      'a post that is deleted while it is read and published is there or 404',
    ],
    [
      'an author with all that is known of him',
      'author: { select: { id: true, name: true } }, tags',
      'author: true, tags',
      'no public answer holds an e-mail address: an author is an id and a name',
    ],
    [
      'an author with his e-mail in comments alone',
      'author: { select: { id: true, name: true } },\n      },',
      'author: { select: { id: true, name: true, email: true } },\n      },',
      'no public answer holds an e-mail address: an author is an id and a name',
    ],
    [
      'the newest comment first',
      "},\n      orderBy: { id: 'asc' },",
      "},\n      orderBy: { id: 'desc' },",
      'a post is read with its comments, the oldest first',
    ],
    [
      'ten comments at most',
      "},\n      orderBy: { id: 'asc' },",
      "},\n      orderBy: { id: 'asc' },\n      take: 2,",
      'a post is read with its comments, the oldest first',
    ],
    [
      'deleting a post deletes all comments',
      'const { count } = await run(table.deleteMany',
      'await prisma.comment.deleteMany()\n      const { count } = await run(table.deleteMany',
      'comments fall with their post, and no other do',
    ],
  ],

  'src/handlers/post.handler.ts': [
    [
      'a draft for another',
      'readOnly, req), callerOf(res))\n      res.status(201)',
      'readOnly, req), { id: Number(req.body.author_id ?? callerOf(res).id) })\n      res.status(201)',
      'the author of a post is its caller, whatever the body says',
    ],
    [
      'a post given away',
      'await service.update(parseId(req), changes, callerOf(res))',
      'await service.update(parseId(req), { ...changes, ...(req.body.author_id && { authorId: req.body.author_id }) }, callerOf(res))',
      'posts: the author in a body neither gives a record away nor takes it',
    ],
    [
      'views as the body says',
      'await service.update(parseId(req), changes, callerOf(res))',
      'await service.update(parseId(req), { ...changes, ...(req.body.views && { views: req.body.views }) }, callerOf(res))',
      'views and comments in the body of a post are ignored, and are no change',
    ],
    [
      'a list without its page',
      'total, page, page_size: pageSize }',
      'total }',
      'a list of posts says its page and page_size',
    ],
    [
      'a list that says the first page',
      'total, page, page_size: pageSize }',
      'total, page: 1, page_size: pageSize }',
      'a list of posts says its page and page_size',
    ],
    [
      'a published post is 201',
      'res.json(toWire(await service.publish',
      'res.status(201).json(toWire(await service.publish',
      published,
    ],
    [
      'publishing anything',
      'service.publish(parseId(req), callerOf(res))',
      'service.publish(Number.parseInt(req.params.id) || 900_000_000, callerOf(res))',
      'publish wants an id like any other path',
    ],
    [
      'posts for callers alone',
      '.get(async (req, res) => {\n      const query',
      '.get(requireCaller, async (req, res) => {\n      const query',
      'reading posts and tags needs no credential',
    ],
    [
      'a credential asked for last',
      '.put(requireCaller, jsonBody, async (req, res) => {\n      const changes = parseChanges(updatePostBody, readOnly, req)',
      '.put(jsonBody, (req, _res, next) => { parseChanges(updatePostBody, readOnly, req); next() }, requireCaller, async (req, res) => {\n      const changes = parseChanges(updatePostBody, readOnly, req)',
      'every protected route without a credential is 401 "Authorization header required"',
    ],
    [
      'publishing open to all',
      ".route('/:id/publish')\n    .post(requireCaller, async",
      ".route('/:id/publish')\n    .post(async",
      'every protected route without a credential is 401 "Authorization header required"',
    ],
  ],

  'src/handlers/post.schema.ts': [
    [
      'an empty title',
      'title: text({ min: 1, max: 255 }),',
      'title: text({ max: 255 }),',
      'a title is never empty, in a create and in an update',
    ],
    ['a content that must be', "fields.content.default('')", 'fields.content', draft],
    ['a content that is null', 'content: post.content,', 'content: post.content || null,', draft],
    [
      'posts published from the start',
      'fields.published.default(false)',
      'fields.published.default(true)',
      draft,
    ],
    [
      'a content of 64 kB',
      'content: text(),',
      'content: text({ max: 65_535 }),',
      'a content of 100 kB is kept whole, alone and in the list',
    ],
    [
      'a list with the beginnings of contents',
      'content: post.content,',
      'content: post.content.slice(0, 1000),',
      'a content of 100 kB is kept whole, alone and in the list',
    ],
    [
      'false refused as missing',
      'published: z.boolean(),',
      "published: z.boolean().refine(Boolean, 'is required'),",
      'posts: false is a value, in a create and in an update',
    ],
    [
      'views refused',
      "  'comments',\n  'views',\n",
      "  'comments',\n",
      'views and comments in the body of a post are ignored, and are no change',
    ],
    [
      'an author refused when he is sent back',
      "  'author',\n",
      '',
      'a whole post as it was read can be sent back, and copied by another',
    ],
    [
      'a post without its comments',
      'comments: post.comments.map(commentToWire)',
      'comments: []',
      'a post is read with its comments, the oldest first',
    ],
    [
      'comments from a cache',
      'post.comments.map(commentToWire)',
      'post.comments.map((each) => ((globalThis.seen ??= {})[each.id] ??= commentToWire(each)))',
      'a comment that is changed or deleted is so in its post',
    ],
    [
      'tags from a cache',
      'post.tags.map(tagToWire)',
      'post.tags.map((each) => ((globalThis.tags ??= {})[each.id] ??= tagToWire(each)))',
      'a tag that is renamed is so on its posts',
    ],
    [
      'posts without their tags',
      'tags: post.tags.map(tagToWire)',
      'tags: []',
      'a post takes tags by slug or as they are read, and shows them whole',
    ],
    [
      'tags by their slugs',
      'tags: post.tags.map(tagToWire)',
      'tags: post.tags.map(({ slug }) => slug)',
      'a post takes tags by slug or as they are read, and shows them whole',
    ],
    [
      'comments documented as numbers',
      'comments: z.array(commentReply)',
      'comments: z.int()',
      shown,
    ],
  ],

  'src/handlers/post.publishing-doc.ts': [
    [
      '422 not documented',
      "{ 422: failure('A published post needs a title and content') }",
      '{}',
      shown,
    ],
    [
      'publishing documented as open',
      'security: bearer.security,',
      '',
      'openapi.json asks for a bearer token where a route does, and nowhere else',
    ],
  ],

  'src/http/crud-doc.ts': [
    [
      'no route documented as protected',
      'route: { security: [{ bearerAuth: [] }] }',
      'route: {}',
      'openapi.json asks for a bearer token where a route does, and nowhere else',
    ],
    [
      'filters not documented',
      '...(filters ? filterParameters(filters) : [])',
      '',
      'the filters of posts and comments are documented with their ranges',
    ],
    [
      'filters documented as texts',
      "z.toJSONSchema(filters, { io: 'output' })",
      "z.toJSONSchema(filters, { io: 'input' })",
      'the filters of posts and comments are documented with their ranges',
    ],
  ],

  'src/infra/libsql.ts': [
    [
      'references that the store does not check',
      'PRAGMA foreign_keys = ON',
      'PRAGMA foreign_keys = OFF',
      'comments fall with their post, and no other do',
    ],
  ],

  'prisma/migrations/0003_create_posts_and_create_posts_tags/migration.sql': [
    [
      'an author who need not be there',
      ',\n    CONSTRAINT "posts_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE',
      '',
      'a token of nobody makes nothing',
    ],
    [
      'a post with tags that can not be deleted',
      'REFERENCES "posts" ("id") ON DELETE CASCADE',
      'REFERENCES "posts" ("id") ON DELETE RESTRICT',
      'posts: a deleted record is gone, from its path and from the list',
    ],
    [
      'a tag in use that can not be deleted',
      'REFERENCES "tags" ("id") ON DELETE CASCADE',
      'REFERENCES "tags" ("id") ON DELETE RESTRICT',
      'deleting a tag takes it off its posts, and leaves them',
    ],
  ],
}
