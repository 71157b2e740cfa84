import { strictEqual } from 'node:assert'
import * as z from 'zod'
import { get, withToken } from './get.ts'
import type { LoadRequest } from './load.ts'
import { auditDetail, type Seeded } from './seed.ts'
import type { Stratad } from './stratad.ts'

/**
 * Returns requests for the newest 50 audit rows of each project. Verifies each response once, row by row. `auditRows` is
 * the total number of seeded rows.
 */
export async function audits(
  daemon: Stratad,
  { projects }: Seeded,
  auditRows: number,
): Promise<readonly LoadRequest[]> {
  const requests: LoadRequest[] = []
  for (const [index, { id }] of projects.entries()) {
    const path = `/api/v1/audit?project_id=${id}`
    const { text: body } = await daemon.call(200, { path })
    const rows = auditRowsSchema.parse(JSON.parse(body))
    strictEqual(rows.length, 50)
    for (const [position, row] of rows.entries()) {
      const newest = auditRows - projects.length + index
      strictEqual(row.project_id, id)
      strictEqual(row.detail, auditDetail(newest - position * projects.length))
    }
    requests.push({ text: get(path, withToken), status: 200, body })
  }
  return requests
}

const auditRowsSchema = z.array(z.object({ project_id: z.int(), detail: z.string() }))
