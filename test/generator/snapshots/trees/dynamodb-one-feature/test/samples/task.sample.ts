import type { TaskApi } from '../../client/task.api.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function taskSample(n: number): TaskApi['create'] {
  return {
    title: `title ${n}`,
    done: n % 2 === 0,
  }
}

/** An invalid value for each field. */
export const badTaskFields = {
  title: 1,
  done: 'neither',
}
