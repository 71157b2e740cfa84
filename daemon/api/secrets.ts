import * as z from 'zod'
import { branch } from './fields.ts'

/** Schema of a valid environment variable name. */
export const secretName = z
  .string()
  .max(128)
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'must hold only letters, digits and _, and not start with a digit',
  )

const value = z.string().max(65_536)
/** True: the variable is no secret, and `GET …/variables` returns its value. */
const readable = z.boolean().default(false)

export const setGlobalSecret = z.strictObject({
  name: secretName,
  value,
  readable,
  scope: z.literal('global').default('global'),
})

export const setProjectSecret = z
  .strictObject({
    name: secretName,
    value,
    readable,
    scope: z.enum(['project', 'branch']).optional(),
    branch: branch.optional(),
  })
  .refine(
    ({ scope, branch }) => scope !== 'project' || branch === undefined,
    'branch is allowed only with scope branch',
  )
  .refine(
    ({ scope, branch }) => scope !== 'branch' || branch !== undefined,
    'scope branch needs a branch',
  )

export const branchQuery = z.strictObject({ branch: branch.optional() })

export const secretList = z.strictObject({
  secrets: z.array(
    z.strictObject({ name: z.string(), scope: z.enum(['global', 'project', 'branch']) }),
  ),
})

export const variableList = z.strictObject({
  variables: z.array(
    z.strictObject({
      name: z.string(),
      scope: z.enum(['global', 'project', 'branch']),
      /** `null` for a secret. */
      value: z.string().nullable(),
    }),
  ),
})
