import { AppError } from '../domain/app-error.js'
import { failureOf } from '../infra/dialect.js'

/**
 * Awaits a query. Throws AppError `conflict` if a value in a `unique` column is taken or other records refer to the
 * record, and `unavailable` if the store does not answer. If a referenced record is missing, throws the error of
 * `assertReferences` instead.
 */
export async function guard<T>(
  query: Promise<T>,
  unique: readonly string[] = [],
  assertReferences?: () => Promise<void>,
): Promise<T> {
  try {
    return await query
  } catch (error) {
    const failure = failureOf(error)
    if (failure?.kind === 'reference') await assertReferences?.()
    throw failure ? toAppError(failure, unique, error) : error
  }
}

type Failure = NonNullable<ReturnType<typeof failureOf>>

function toAppError(failure: Failure, unique: readonly string[], cause: unknown): AppError {
  switch (failure.kind) {
    case 'taken': {
      const column = unique.find((name) => failure.names(name)) ?? 'a unique value'
      return new AppError('conflict', `${column} is already taken`, { cause })
    }
    case 'reference':
      return new AppError('conflict', 'other records refer to this record', { cause })
    case 'silent':
      return new AppError('unavailable', 'the store does not answer, try again', { cause })
    case 'read-only':
      return new AppError('unavailable', 'the store can not write, try again', { cause })
  }
}
