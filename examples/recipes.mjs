/** The commands that each example is made of, after `strata init <name>`. `npm run examples` runs them. */
export const recipes = [
  {
    name: 'user-app',
    commands: [['feature', 'User', 'name:string', 'email:email', 'age:int']],
  },
  {
    name: 'blog-app',
    options: ['--auth'],
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
