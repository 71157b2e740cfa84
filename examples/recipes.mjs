/** The commands that each example is made of, after `strata init <name>`. `npm run examples` runs them. */
export const recipes = [
  {
    name: 'user-app',
    commands: [['feature', 'User', 'name:string', 'email:email', 'age:int']],
  },
]
