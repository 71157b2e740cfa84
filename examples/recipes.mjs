/**
 * Commands that generate each example, after `strata init <name>`. `npm run examples` runs them and merges the
 * emitted files into those of `own`, which people edit by hand.
 */
export const recipes = [
  {
    name: 'user-app',
    commands: [['feature', 'User', 'name:string', 'email:email', 'age:int']],
  },
  {
    name: 'blog-app',
    options: ['--auth'],
    own: [
      'client/post.api.ts',
      'client/tag.api.ts',
      'src/domain/post.ts',
      'src/domain/slug.test.ts',
      'src/domain/slug.ts',
      'src/domain/tag.ts',
      'src/handlers/post.handler.ts',
      'src/handlers/post.publishing-doc.ts',
      'src/handlers/post.schema.ts',
      'src/handlers/tag.schema.ts',
      'src/repositories/post.repository.prisma.ts',
      'src/repositories/post.repository.ts',
      'src/use-cases/post.service.ts',
      'src/use-cases/tag.service.ts',
      'test/post.http.test.ts',
      'test/samples/post.sample.ts',
      'test/samples/tag.sample.ts',
      'test/support/memory-posts.ts',
      'test/support/memory.ts',
      'test/support/tables/post.table.ts',
    ],
    commands: [
      ['feature', 'Tag', 'name:string', 'slug:string:unique', '--protect', 'write'],
      [
        'feature',
        'Post',
        'title:string:index',
        'content:text:default=""',
        'author_id:uint:fk(User)',
        'published:bool:default=false',
        'views:uint:default=0',
        'tags:many(Tag)',
        '--search',
        'title,content',
        '--owner',
        'author_id',
      ],
      [
        'feature',
        'Comment',
        'post_id:uint:fk:cascade',
        'author_id:uint:fk(User)',
        'content:text',
        '--protect',
        'all',
        '--owner',
        'author_id',
      ],
    ],
  },
]
