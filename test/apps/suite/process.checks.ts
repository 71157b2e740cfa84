import { logChecks } from './logs.checks.ts'
import type { ProcessCheck } from './process.ts'
import type { Resource } from './resource.ts'
import { serviceChecks } from './service.checks.ts'
import { settingsChecks } from './settings.checks.ts'
import { stoppingChecks } from './stopping.checks.ts'
import { storageChecks } from './storage.checks.ts'

/** The process checks of every application on any store. */
export function processChecks(resource: Resource): readonly ProcessCheck[] {
  return [
    ...stoppingChecks(resource),
    ...settingsChecks(resource),
    ...serviceChecks(resource),
    ...storageChecks(resource),
    ...logChecks(resource),
  ]
}
