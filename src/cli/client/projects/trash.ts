import type { TrashEntry } from '../../../../daemon/client/contract.ts'
import type { Session } from '../connection/session.ts'
import { formatBytes } from '../terminal/units.ts'

/** Reads the trash of a project, newest first. */
export async function readTrash(
  { client, signal }: Session,
  projectId: number,
): Promise<TrashEntry[]> {
  const { body } = await client.call('listTrash', {}, { signal })
  return body.filter(({ project_id }) => project_id === projectId)
}

/** Says where data is and until when, for example `1.2 MiB, in the trash until 2026-12-22 as entry 3`. */
export function keptText({ id, size_bytes, expires_at }: TrashEntry): string {
  const size = size_bytes === null ? '' : `${formatBytes(size_bytes)}, `
  return `${size}in the trash until ${expires_at.slice(0, 10)} as entry ${id}`
}
