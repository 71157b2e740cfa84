// Re-exported for `strata server upgrade`: it keeps a copy of the stopped daemon's database, and puts it back if the new
// version does not start.
export { putBackSnapshot, schemaVersionOf } from '../store/database-swap.ts'
export { writeSnapshot } from '../store/snapshot.ts'
