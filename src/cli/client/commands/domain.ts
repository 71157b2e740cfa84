import type { Domain } from '../../../../daemon/client/contract.ts'
import type { CommonOptions } from '../connection/session.ts'
import { lifecycleTimeoutMs as timeoutMs } from '../connection/timeouts.ts'
import { requireProject } from '../projects/projects.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { confirm } from '../terminal/confirm.ts'
import { printable } from '../terminal/printable.ts'
import { formatUntil } from '../terminal/units.ts'

interface DomainOptions extends CommonOptions {
  readonly project?: string
}

/** `strata domain add` */
export function addDomain(
  domain: string,
  options: DomainOptions & { readonly branch?: string },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    const branch = options.branch === undefined ? {} : { branch: options.branch }
    const input = { params: { id: project.id }, body: { domain, ...branch } }
    const { body } = await client.call('addDomain', input, { signal, timeoutMs })
    output.result(body, () => [
      `${body.domain} leads to ${branchText(body)} of ${printable(project.name)}`,
    ])
    if (body.state === 'pending') {
      output.note('  its certificate comes within minutes: strata domain list')
    }
  })
}

/** `strata domain list` */
export function listDomains(options: DomainOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    const { body } = await client.call('listDomains', { params: { id: project.id } }, { signal })
    const now = Date.now()
    output.result(body, () =>
      body.length === 0
        ? [`${printable(project.name)} has no domains: strata domain add shop.example.com`]
        : output.table(
            ['DOMAIN', 'BRANCH', 'STATE', 'CERTIFICATE'],
            body.map((each) => [
              each.domain,
              each.branch === null ? '(default)' : printable(each.branch),
              each.state,
              each.certificate ? `expires ${formatUntil(each.certificate.expires_at, now)}` : '-',
            ]),
          ),
    )
    for (const { domain, fault } of body) {
      if (fault !== null) output.note(`  ${domain}: ${printable(fault)}`)
    }
  })
}

/** `strata domain remove` */
export function removeDomain(
  domain: string,
  options: DomainOptions & { readonly yes?: boolean },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    const name = printable(domain)
    await confirm(
      {
        consequences: [`${name} answers 404 at once, and its certificate is deleted`],
        question: `remove ${name} from ${printable(project.name)}?`,
        unattended: `strata domain remove ${name} --yes`,
        isGiven: options.yes ?? false,
      },
      output,
      signal,
    )
    const input = { params: { id: project.id }, query: { domain } }
    await client.call('removeDomain', input, { signal, timeoutMs })
    output.result({ domain, status: 'removed' }, () => [`removed ${name}`])
  })
}

function branchText({ branch }: Domain): string {
  return branch === null ? 'the default branch' : `branch ${printable(branch)}`
}
