import { createTaskBody } from '../src/handlers/task.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { taskSample } from './samples/task.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { taskTable } from './support/tables/task.table.js'

describeRepository({
  title: 'tasks',
  table: taskTable,
  of: (repositories) => repositories.tasks,
  draft: (n) => camelKeys(createTaskBody.parse(taskSample(n))),
})
