import { type Edits, pause } from './edits.ts'

const others = 'posts: an update or delete by another user answers 403 and changes nothing'
const incomplete = 'publishing a post without content answers 422 "cannot publish incomplete post"'
const draft = 'a post with only a title is an empty draft of its caller'
const included = 'a read counts as a view and shows it'
const published = 'publish answers 200 with the published post, also the second time'
const embedded = 'a post embeds its newest fifty comments without itself, and counts all'
const one = 'one of twenty concurrent updates with the same If-Match succeeds'
const conditional = 'an ETag holds until its post changes: 304 until then, 412 afterwards'
const shown = 'the responses of the blog match their documented schemas'

/** Mutants of posts: ownership, publishing and views. */
export const blogPostEdits: Edits = {
  'src/domain/post.ts': [
    [
      'publishing an incomplete post gets another message',
      "'cannot publish incomplete post'",
      "'incomplete'",
      incomplete,
    ],
    ['a post with a title and no content is complete', " && content !== ''", '', incomplete],
    [
      'a post with content of one character is incomplete',
      "content !== ''",
      'content.length > 1',
      'one update can fill and publish a draft, or empty and withdraw a post',
    ],
  ],

  'src/use-cases/post.service.ts': [
    ['any caller can update a post', 'await assertOwned(id, caller)\n    const', 'const', others],
    ['any caller can delete a post', 'await assertOwned(id, caller)\n      if', 'if', others],
    [
      'authors of comments can update the post',
      'if (owner !== caller.id)',
      'const { comments = [] } = (await repository.find(id)) ?? {}\n    if (owner !== caller.id && !comments.some(({ authorId }) => authorId === caller.id))',
      'the author of a post cannot change its comments, nor the reverse',
    ],
    [
      'updating an absent post answers 403',
      'if (owner === undefined) absent()\n',
      '',
      'posts: an absent record answers 404 to every caller, not 403',
    ],
    [
      'any caller can publish a post',
      'change(id, { published: true }, caller, check),',
      "repository.find(id).then((post) => post ?? absent()).then(({ authorId }) => change(id, { published: true }, { id: authorId, email: '' })),",
      "posts: publishing an absent post answers 404, publishing another user's post 403",
    ],
    [
      'publish checks the content before the author',
      'await assertOwned(id, caller)\n    const',
      'const seen = await repository.find(id)\n    if (seen && changes.published) assertPublishable({ ...seen, ...changes })\n    await assertOwned(id, caller)\n    const',
      "posts: publishing an absent post answers 404, publishing another user's post 403",
    ],
    [
      'every incomplete post can be published',
      'if (next.published) assertPublishable(next)\n',
      '',
      incomplete,
    ],
    [
      'an update publishes an incomplete post',
      'if (next.published) assert',
      'if (next.published && changes.published === undefined) assert',
      'an update that publishes a post without content answers 422 and changes nothing',
    ],
    [
      'an update empties a published post',
      'if (next.published) assert',
      'if (changes.published) assert',
      'emptying a published post answers 422 and changes nothing',
    ],
    [
      'an update validates the post before the change',
      'assertPublishable(next)',
      'assertPublishable(post)',
      'one update can fill and publish a draft, or empty and withdraw a post',
    ],
    [
      'a draft cannot be empty',
      'if (next.published) assert',
      'assert',
      'a draft stays unpublished through other updates and can be emptied',
    ],
    [
      'every update publishes the post',
      'const next = { ...post, ...changes }',
      'changes = { published: true, ...changes }\n    const next = { ...post, ...changes }',
      'a draft stays unpublished through other updates and can be emptied',
    ],
    [
      'creating a published post without content succeeds',
      'if (draft.published) assertPublishable(draft)\n',
      '',
      'creating a published post without content answers 422 and creates nothing',
    ],
    [
      'an update ignores concurrent changes of the post',
      'return (await repository.update(id, { ...changes, updatedAt: now() }, checkNext)) ?? absent()',
      `checkNext((await repository.find(id)) ?? absent())\n    ${pause}\n    return (await repository.update(id, { ...changes, updatedAt: now() })) ?? absent()`,
      'concurrent publishing and emptying never leave an empty published post',
    ],
    [
      'a concurrent removal of a post answers 500',
      'return (await repository.update(id, { ...changes, updatedAt: now() }, checkNext)) ?? absent()',
      `${pause}\n    const changed = await repository.update(id, { ...changes, updatedAt: now() }, checkNext)\n    if (changed) return changed\n    throw new Error('gone')`,
      'reading and publishing a post during its removal answers 2xx or 404',
    ],
    ['an update ignores If-Match', 'check?.(post)\n', '', conditional],
    [
      'an update checks If-Match before the write',
      'return (await repository.update(id, { ...changes, updatedAt: now() }, checkNext)) ?? absent()',
      `checkNext((await repository.find(id)) ?? absent())\n    ${pause}\n    return (await repository.update(id, { ...changes, updatedAt: now() })) ?? absent()`,
      one,
    ],
    [
      'publish answers 200 and stores nothing',
      'change(id, { published: true }, caller, check),',
      'assertOwned(id, caller).then(() => repository.find(id)).then((post) => (assertPublishable(post ?? absent()), { ...(post ?? absent()), published: true })),',
      published,
    ],
    [
      'a second publish fails',
      'change(id, { published: true }, caller, check),',
      "repository.find(id).then((post) => { if (post?.published) throw new AppError('conflict', 'is published'); return change(id, { published: true }, caller) }),",
      published,
    ],
    [
      'reads do not count as views',
      'await repository.read(id)',
      'await repository.find(id)',
      included,
    ],
    [
      'a read shows the number of views before it',
      'return (await repository.read(id)) ?? absent()',
      'const seen = (await repository.find(id)) ?? absent()\n      await repository.read(id)\n      return seen',
      included,
    ],
    [
      'listing posts counts views',
      'list: (query: Page & PostFilter) => repository.list(query),',
      'async list(query) {\n      const found = await repository.list(query)\n      for (const { id } of found.rows) await repository.read(id)\n      return found\n    },',
      'a list shows views and does not count any',
    ],
    [
      'an update counts as a view',
      '{ ...changes, updatedAt: now() }',
      '{ ...changes, views: post.views + 1, updatedAt: now() }',
      'updating, publishing and commenting do not count as views',
    ],
    [
      'an update overwrites concurrent views',
      'return (await repository.update(id, { ...changes,',
      `const { views = 0 } = (await repository.find(id)) ?? {}\n    ${pause}\n    return (await repository.update(id, { ...changes, views,`,
      'concurrent reads and updates lose neither views nor changes',
    ],
    ['a new post has one view', 'views: 0,', 'views: 1,', draft],
  ],

  'src/repositories/post.repository.prisma.ts': [
    [
      'the app increments views without an atomic update',
      'const data = { views: { increment: 1 } }',
      `const { views = 0 } = (await table.findUnique({ where: { id } })) ?? {}\n      ${pause}\n      const data = { views: views + 1 }`,
      'two hundred concurrent reads add two hundred views',
    ],
    [
      'a read changes updated_at',
      '{ views: { increment: 1 } }',
      '{ views: { increment: 1 }, updatedAt: new Date() }',
      'a read changes neither updated_at nor the order',
    ],
    [
      'a read counts a view for every post',
      'const data = { views: { increment: 1 } }',
      'const data = { views: { increment: 1 } }\n      await table.updateMany({ where: { id: { not: id } }, data })',
      'each post has its own views',
    ],
    [
      'reading an absent post answers 500',
      'await runOnExisting(table.update({ where: { id }, data, ...detailsArgs }))',
      'await run(table.update({ where: { id }, data, ...detailsArgs }))',
      'reading and publishing a post during its removal answers 2xx or 404',
    ],
    [
      'the author of a post has all columns of the user',
      'author: { select: { id: true, name: true } }, tags',
      'author: true, tags',
      'no public response contains an e-mail address; an author is an id and a name',
    ],
    [
      'the author of a comment has an e-mail',
      'include: { author: { select: { id: true, name: true } } },\n      orderBy',
      'include: { author: { select: { id: true, name: true, email: true } } },\n      orderBy',
      'no public response contains an e-mail address; an author is an id and a name',
    ],
    [
      'the comments of a post are newest first',
      'row.comments.toReversed()',
      'row.comments',
      'a post is read with its comments, oldest first',
    ],
    [
      'a post shows two comments at most',
      'take: maxParts',
      'take: 2',
      'a post is read with its comments, oldest first',
    ],
    ['a post shows all its comments', '      take: maxParts,\n', '', embedded],
    [
      'a post shows its oldest comments',
      "      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],\n      take: maxParts,",
      "      orderBy: { id: 'asc' },\n      take: maxParts,",
      embedded,
    ],
    [
      'a post counts only its newest comments',
      '? row.comments.length\n          : await',
      '? row.comments.length\n          : maxParts || await',
      embedded,
    ],
    [
      'deleting a post deletes the comments of all posts',
      'const { count } = await run(check',
      'await prisma.comment.deleteMany()\n      const { count } = await run(check',
      'deleting a post deletes its comments and no others',
    ],
  ],

  'src/http/paging.ts': [
    [
      'a repeated filter counts once',
      'parse(toPage, query)',
      'parse(toPage, Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value].flat()[0]])))',
      'an invalid or repeated filter answers 400, which names it',
    ],
    [
      'a list lacks page and page_size',
      'page, page_size: pageSize,',
      '',
      'posts: a list contains its page and page_size',
    ],
    [
      'a list always reports page 1',
      'page, page_size: pageSize,',
      'page: 1, page_size: pageSize,',
      'posts: a list contains its page and page_size',
    ],
  ],

  'src/handlers/post.handler.ts': [
    [
      'the ETag of a post counts its views',
      'sendRecord(res, body, toVersion(post), withoutViews(body))',
      'sendRecord(res, body, toVersion(post), body)',
      conditional,
    ],
    [
      'a delete ignores If-Match',
      'callerOf(res), ifMatch(req, toVersion))\n      res.status(204)',
      'callerOf(res))\n      res.status(204)',
      conditional,
    ],
    [
      'a body sets the author of a new post',
      'readOnly, req), callerOf(res))\n      sendPost(',
      'readOnly, req), { ...callerOf(res), id: Number(req.body.author_id ?? callerOf(res).id) })\n      sendPost(',
      'the author of a post is its caller, even if the body names another',
    ],
    [
      'an update changes the author of a post',
      'await service.update(parseId(req), changes, callerOf(res), check)',
      'await service.update(parseId(req), { ...changes, ...(req.body.author_id && { authorId: req.body.author_id }) }, callerOf(res), check)',
      'posts: the author in a body does not change the owner of a record',
    ],
    [
      'an update sets the views of a post',
      'await service.update(parseId(req), changes, callerOf(res), check)',
      'await service.update(parseId(req), { ...changes, ...(req.body.views && { views: req.body.views }) }, callerOf(res), check)',
      'views and comments in the body of a post are ignored and do not count as a change',
    ],
    [
      'publish answers 201',
      'sendPost(res, await service.publish',
      'sendPost(res.status(201), await service.publish',
      published,
    ],
    [
      'publish accepts an id that is no number',
      'service.publish(parseId(req), callerOf(res), check)',
      'service.publish(Number.parseInt(req.params.id) || 900_000_000, callerOf(res), check)',
      'publish rejects an invalid id',
    ],
    [
      'listing posts needs a credential',
      '.get(async (req, res) => {\n      const query',
      '.get(requireCaller, async (req, res) => {\n      const query',
      'reading posts and tags needs no credential',
    ],
    [
      'an update validates the body before the credential',
      '.put(requireCaller, jsonBody, update)',
      '.put(jsonBody, (req, _res, next) => { parseChanges(updatePostBody, readOnly, req); next() }, requireCaller, update)',
      'every protected route without a credential answers 401 "Authorization header required"',
    ],
    [
      'publish needs no credential',
      ".route('/:id/publish')\n    .post(requireCaller, async",
      ".route('/:id/publish')\n    .post(async",
      'every protected route without a credential answers 401 "Authorization header required"',
    ],
  ],

  'src/handlers/post.schema.ts': [
    [
      'an empty title is accepted',
      'title: text({ min: 1, max: 255 }),',
      'title: text({ max: 255 }),',
      'an empty title is rejected in a create and in an update',
    ],
    ['content is required', "fields.content.default('')", 'fields.content', draft],
    [
      'an empty content reads as null',
      'content: post.content,',
      'content: post.content || null,',
      draft,
    ],
    [
      'posts are published by default',
      'fields.published.default(false)',
      'fields.published.default(true)',
      draft,
    ],
    [
      'content is limited to 65,535 characters',
      'content: text(),',
      'content: text({ max: 65_535 }),',
      'a content of 100 kB reads back complete from the post and the list',
    ],
    [
      'posts show only the first 1,000 characters of their content',
      'content: post.content,',
      'content: post.content.slice(0, 1000),',
      'a content of 100 kB reads back complete from the post and the list',
    ],
    [
      'published false is rejected as missing',
      'published: z.boolean(),',
      "published: z.boolean().refine(Boolean, 'is required'),",
      'posts: false counts as a value in a create and in an update',
    ],
    [
      'a body with views is rejected',
      "  'comments_total',\n  'views',\n",
      "  'comments_total',\n",
      'views and comments in the body of a post are ignored and do not count as a change',
    ],
    [
      'a body with the author as read is rejected',
      "  'author',\n",
      '',
      'a post can be sent back as it was read, also by another user as a copy',
    ],
    [
      'a post shows no comments',
      'comments: post.comments.map(',
      'comments: [].map(',
      'a post is read with its comments, oldest first',
    ],
    [
      'the comments of a post repeat the post',
      '      return reply\n',
      '      return { ...reply, post: _post }\n',
      embedded,
    ],
    [
      'a body with the number of comments as read is rejected',
      "  'comments_total',\n",
      '',
      embedded,
    ],
    [
      'a post shows cached comments',
      'commentToWire({ ...part, post })',
      '((globalThis.seen ??= {})[part.id] ??= commentToWire({ ...part, post }))',
      'a changed or deleted comment is changed or deleted in its post',
    ],
    [
      'a post shows cached tags',
      'post.tags.map(tagToWire)',
      'post.tags.map((each) => ((globalThis.tags ??= {})[each.id] ??= tagToWire(each)))',
      'a renamed tag is renamed on its posts',
    ],
    [
      'posts show no tags',
      'tags: post.tags.map(tagToWire)',
      'tags: []',
      'a post accepts tags by slug or as they were read, and shows whole tags',
    ],
    [
      'posts show tags as slugs',
      'tags: post.tags.map(tagToWire)',
      'tags: post.tags.map(({ slug }) => slug)',
      'a post accepts tags by slug or as they were read, and shows whole tags',
    ],
    [
      'OpenAPI documents comments as numbers',
      'comments: z.array(commentReply.omit({ post: true }))',
      'comments: z.int()',
      shown,
    ],
  ],

  'src/handlers/post.publishing-doc.ts': [
    [
      'OpenAPI lacks the 422 of posts',
      'statuses: [400, 403, 404, 412, 422]',
      'statuses: [400, 403, 404, 412]',
      shown,
    ],
    [
      'OpenAPI documents publish without security',
      'token: true,',
      '',
      'openapi.json requires a bearer token exactly for the protected routes',
    ],
  ],

  'src/http/crud-doc.ts': [
    [
      'OpenAPI documents no route as protected',
      'token: protect !== undefined',
      'token: false',
      'openapi.json requires a bearer token exactly for the protected routes',
    ],
    [
      'OpenAPI lacks the filters of lists',
      'queryOf(parameters)',
      'queryOf(parameters).filter(({ name }) => /^page|sort|cursor/.test(String(name)))',
      'the filters of posts and comments are documented with their ranges',
    ],
    [
      'OpenAPI documents filters as texts',
      "io: 'output'",
      "io: 'input'",
      'the filters of posts and comments are documented with their ranges',
    ],
  ],

  'src/infra/database-file.ts': [
    [
      'SQLite does not enforce foreign keys',
      'PRAGMA foreign_keys = ON',
      'PRAGMA foreign_keys = OFF',
      'deleting a post deletes its comments and no others',
    ],
  ],

  'prisma/migrations/0003_create_posts_and_create_posts_tags/migration.sql': [
    [
      'posts have no foreign key to their author',
      ',\n    CONSTRAINT "posts_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE',
      '',
      'a user to whom posts refer is not deleted: 409',
    ],
    [
      'a post with tags cannot be deleted',
      'REFERENCES "posts" ("id") ON DELETE CASCADE',
      'REFERENCES "posts" ("id") ON DELETE RESTRICT',
      'posts: a deleted record is gone from its path and from the list',
    ],
    [
      'a tag in use cannot be deleted',
      'REFERENCES "tags" ("id") ON DELETE CASCADE',
      'REFERENCES "tags" ("id") ON DELETE RESTRICT',
      'deleting a tag removes it from its posts and keeps the posts',
    ],
  ],
}
