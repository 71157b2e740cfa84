import type { JSX } from 'preact'
import { PageHeader } from '../../components/page-header.tsx'
import { BackupSection } from './backup-section.tsx'
import { TrashSection } from './trash-section.tsx'

/** The data of destroyed branches, and backups of the whole daemon. */
export function Room(): JSX.Element {
  return (
    <>
      <PageHeader title="Trash and backups" />
      <TrashSection />
      <BackupSection />
    </>
  )
}
