import type { JSX } from 'preact'
import type { Domain } from '../../../../client/contract.ts'
import { CopyLine } from '../../components/copy-line.tsx'

/** The records that a domain needs at its DNS provider, one line to copy for each. */
export function DnsRecords({
  domain,
  records,
}: {
  domain: string
  records: Domain['dns']
}): JSX.Element {
  if (records.length === 0) {
    return (
      <p>
        Set an A record of <code>{domain}</code> to the public address of this server.
      </p>
    )
  }
  return (
    <>
      <p>Set {records.length === 1 ? 'this record' : 'these records'} at your DNS provider:</p>
      {records.map(({ type, name, value }) => (
        <CopyLine
          key={`${type} ${value}`}
          text={`${name}. ${type} ${value}`}
          label={`${type} record`}
        />
      ))}
    </>
  )
}
