/**
 * The status of each route for each credential. Written by hand and not derived from the route table, so that a mistake in
 * the route table shows. Columns: no token, an unknown token; tokens for all projects in the four roles; tokens scoped
 * to the project of the request; tokens scoped to another project; an expired and a revoked token; the master token.
 */
const table = `
                                          none wrong | vie dev mai adm | in: vie dev mai adm | out: vie dev mai adm | exp rev | mas
POST   /projects                          401  401   | 403 403 403 201 | 403 403 403 403     | 403 403 403 403      | 401 401 | 201
GET    /projects                          401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
GET    /projects/{id}                     401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
PATCH  /projects/{id}                     401  401   | 403 403 200 200 | 403 403 200 200     | 404 404 404 404      | 401 401 | 200
DELETE /projects/{id}                     401  401   | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
POST   /projects/{id}/deploy              401  401   | 403 201 201 201 | 403 201 201 201     | 404 404 404 404      | 401 401 | 201
POST   /projects/{id}/rollback            401  401   | 403 201 201 201 | 403 201 201 201     | 404 404 404 404      | 401 401 | 201
GET    /projects/{id}/environments        401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /environments/{id}                 401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /environments                      401  401   | 200 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
DELETE /environments/{id}                 401  401   | 403 204 204 204 | 403 204 204 204     | 404 404 404 404      | 401 401 | 204
DELETE /environments/{id}?purge_secrets=true 401 401 | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
DELETE /environments/{id}?purge_data=true 401  401   | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
POST   /environments/{id}/pause           401  401   | 403 204 204 204 | 403 204 204 204     | 404 404 404 404      | 401 401 | 204
POST   /environments/{id}/wake            401  401   | 403 204 204 204 | 403 204 204 204     | 404 404 404 404      | 401 401 | 204
POST   /environments/{id}/run             401  401   | 403 422 422 422 | 403 422 422 422     | 404 404 404 404      | 401 401 | 422
GET    /environments/{id}/cron            401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /environments/{id}/logs            401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /environments/{id}/logs/stream     401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /environments/{id}/usage           401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /environments/{id}/usage/week      401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /usage                             401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
GET    /events                            401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
GET    /environments/{id}/audit           401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
GET    /secrets                           401  401   | 200 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
POST   /secrets                           401  401   | 403 403 403 204 | 403 403 403 403     | 403 403 403 403      | 401 401 | 204
DELETE /secrets/{name}                    401  401   | 403 403 403 204 | 403 403 403 403     | 403 403 403 403      | 401 401 | 204
GET    /projects/{id}/secrets             401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
POST   /projects/{id}/secrets             401  401   | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
DELETE /projects/{id}/secrets/{name}      401  401   | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
GET    /variables                         401  401   | 403 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
GET    /projects/{id}/variables           401  401   | 403 200 200 200 | 403 200 200 200     | 404 404 404 404      | 401 401 | 200
POST   /projects/{id}/webhook-secret      401  401   | 403 403 201 201 | 403 403 201 201     | 404 404 404 404      | 401 401 | 201
DELETE /projects/{id}/webhook-secret      401  401   | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
GET    /projects/{id}/domains             401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
POST   /projects/{id}/domains             401  401   | 403 403 201 201 | 403 403 201 201     | 404 404 404 404      | 401 401 | 201
POST   /projects/{id}/domains/retry       401  401   | 403 403 200 200 | 403 403 200 200     | 404 404 404 404      | 401 401 | 200
DELETE /projects/{id}/domains?domain={domain} 401 401 | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
GET    /projects/{id}/notifications 401 401 | 403 403 200 200 | 403 403 200 200 | 404 404 404 404 | 401 401 | 200
POST   /projects/{id}/notifications 401 401 | 403 403 201 201 | 403 403 201 201 | 404 404 404 404 | 401 401 | 201
DELETE /projects/{id}/notifications/{notification} 401 401 | 403 403 204 204 | 403 403 204 204 | 404 404 404 404 | 401 401 | 204
POST   /projects/{id}/notifications/{notification}/test 401 401 | 403 403 422 422 | 403 403 422 422 | 404 404 404 404 | 401 401 | 422
GET    /notifications 401 401 | 403 403 403 200 | 403 403 403 403 | 403 403 403 403 | 401 401 | 200
POST   /notifications 401 401 | 403 403 403 201 | 403 403 403 403 | 403 403 403 403 | 401 401 | 201
DELETE /notifications/{server-notification} 401 401 | 403 403 403 204 | 403 403 403 403 | 403 403 403 403 | 401 401 | 204
POST   /notifications/{server-notification}/test 401 401 | 403 403 403 422 | 403 403 403 403 | 403 403 403 403 | 401 401 | 422
GET    /projects/{id}/statuses 401 401 | 200 200 200 200 | 200 200 200 200 | 404 404 404 404 | 401 401 | 200
POST   /projects/{id}/statuses 401 401 | 403 403 201 201 | 403 403 201 201 | 404 404 404 404 | 401 401 | 201
DELETE /projects/{id}/statuses 401 401 | 403 403 204 204 | 403 403 204 204 | 404 404 404 404 | 401 401 | 204
GET    /audit                             401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
GET    /queue                             401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
DELETE /queue/{queue}                     401  401   | 403 204 204 204 | 403 204 204 204     | 404 404 404 404      | 401 401 | 204
GET    /projects/{id}/databases           401  401   | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
POST   /projects/{id}/databases/url       401  401   | 403 403 403 404 | 403 403 403 404     | 404 404 404 404      | 401 401 | 404
GET    /projects/{id}/databases/dump?branch=main 401 401 | 403 403 404 404 | 403 403 404 404 | 404 404 404 404      | 401 401 | 404
POST   /projects/{id}/databases/restore?branch=main 401 401 | 403 403 404 404 | 403 403 404 404 | 404 404 404 404   | 401 401 | 404
POST   /projects/{id}/databases/copy      401  401   | 403 403 404 404 | 403 403 404 404     | 404 404 404 404      | 401 401 | 404
GET    /trash                             401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
POST   /trash/{trash}/restore             401  401   | 403 403 200 200 | 403 403 200 200     | 404 404 404 404      | 401 401 | 200
DELETE /trash/{trash}                     401  401   | 403 403 204 204 | 403 403 204 204     | 404 404 404 404      | 401 401 | 204
POST   /trash/{orphan}/restore            401  401   | 403 403 403 409 | 404 404 404 404     | 404 404 404 404      | 401 401 | 409
DELETE /trash/{orphan}                    401  401   | 403 403 403 204 | 404 404 404 404     | 404 404 404 404      | 401 401 | 204
GET    /stats                             401  401   | 200 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
POST   /tokens                            401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 201
GET    /tokens                            401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
DELETE /tokens/{token}                    401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 204
POST   /rotate-key                        401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
GET    /backup                            401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
GET    /backup?data=true                  401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
POST   /backup/restore                    401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 202
GET    /infra/status                      401  401   | 200 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
POST   /infra/bootstrap                   401  401   | 403 403 403 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
POST   /nodes                             401  401   | 403 403 403 201 | 403 403 403 403     | 403 403 403 403      | 401 401 | 201
GET    /nodes                             401  401   | 200 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
PATCH  /nodes/{node}                      401  401   | 403 403 403 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
DELETE /nodes/{node}                      401  401   | 403 403 403 204 | 403 403 403 403     | 403 403 403 403      | 401 401 | 204
GET    /proxy/config                      401  401   | 200 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
GET    /setup/status                      200  200   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 200 200 | 200
GET    /setup/webhook-secret              401  401   | 403 403 403 403 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
GET    /setup/token                       404  404   | 404 404 404 404 | 404 404 404 404     | 404 404 404 404      | 404 404 | 404
GET    /whoami                            401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
GET    /health                            200  200   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 200 200 | 200
POST   /webhooks/github                   401  401   | 401 401 401 401 | 401 401 401 401     | 401 401 401 401      | 401 401 | 401
POST   /webhooks/gitlab                   401  401   | 401 401 401 401 | 401 401 401 401     | 401 401 401 401      | 401 401 | 401
POST   /webhooks/gitea                    401  401   | 401 401 401 401 | 401 401 401 401     | 401 401 401 401      | 401 401 | 401
POST   /webhooks/gogs                     401  401   | 401 401 401 401 | 401 401 401 401     | 401 401 401 401      | 401 401 | 401
GET    /wake                              404  404   | 404 404 404 404 | 404 404 404 404     | 404 404 404 404      | 404 404 | 404
POST   /wake                              404  404   | 404 404 404 404 | 404 404 404 404     | 404 404 404 404      | 404 404 | 404
GET    /heartbeat                         200  200   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 200 200 | 200
POST   /heartbeat                         200  200   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 200 200 | 200
GET    /openapi.json                      401  401   | 200 200 200 200 | 200 200 200 200     | 200 200 200 200      | 401 401 | 200
GET    //metrics                          401  401   | 200 200 200 200 | 403 403 403 403     | 403 403 403 403      | 401 401 | 200
GET    //git/{repository}/info/refs?service=git-upload-pack  401 401 | 200 200 200 200 | 200 200 200 200 | 404 404 404 404 | 401 401 | 200
GET    //git/{repository}/info/refs?service=git-receive-pack 401 401 | 403 200 200 200 | 403 200 200 200 | 404 404 404 404 | 401 401 | 200
POST   //git/{repository}/git-upload-pack  401  401  | 200 200 200 200 | 200 200 200 200     | 404 404 404 404      | 401 401 | 200
POST   //git/{repository}/git-receive-pack 401  401  | 403 200 200 200 | 403 200 200 200     | 404 404 404 404      | 401 401 | 200
`

export const columns = [
  'none',
  'wrong',
  'viewer',
  'developer',
  'maintainer',
  'admin',
  'scoped viewer',
  'scoped developer',
  'scoped maintainer',
  'scoped admin',
  'outside viewer',
  'outside developer',
  'outside maintainer',
  'outside admin',
  'expired',
  'revoked',
  'master',
] as const
export type Column = (typeof columns)[number]

export interface AccessRow {
  readonly method: string
  /** Relative to `/api/v1`; `//metrics` stands for `/metrics`. */
  readonly path: string
  readonly expected: Readonly<Record<Column, number>>
}

/** The parsed table. Throws if a row lacks the status of a column. */
export const accessRows: readonly AccessRow[] = table
  .split('\n')
  .slice(2)
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [method = '', path = '', ...cells] = line.replaceAll('|', ' ').trim().split(/\s+/)
    const statuses = cells.map(Number)
    if (statuses.length !== columns.length || statuses.some(Number.isNaN)) {
      throw new Error(
        `${method} ${path}: expected ${columns.length} statuses, got ${statuses.length}`,
      )
    }
    const expected = Object.fromEntries(columns.map((column, at) => [column, statuses[at]]))
    return { method, path, expected: expected as AccessRow['expected'] }
  })

/** Valid bodies, so that only the credential decides the status. */
export const bodies: Readonly<Record<string, unknown>> = {
  'POST /projects': { repo_url: 'https://git.example.com/acme/new' },
  'PATCH /projects/{id}': { pause_after: '1h' },
  'POST /projects/{id}/deploy': { branch: 'main' },
  'POST /projects/{id}/rollback': { branch: 'main' },
  'POST /projects/{id}/domains': { domain: 'shop.example.com' },
  'POST /projects/{id}/domains/retry': { domain: 'shop.example.com' },
  'POST /projects/{id}/notifications': { url: 'https://ops.example.com/strata' },
  'POST /notifications': { url: 'https://ops.example.com/strata' },
  'POST /projects/{id}/statuses': {
    host: 'gitea',
    token: 'secret',
    api_url: 'https://git.example.com/api/v1',
    repository: 'acme/shop',
  },
  'POST /projects/{id}/databases/url': { branch: 'main' },
  'POST /projects/{id}/databases/copy': { from: 'main', to: 'preview' },
  'POST /environments/{id}/run': { command: ['node', '--version'] },
  'POST /secrets': { name: 'KEY', value: 'x' },
  'POST /projects/{id}/secrets': { name: 'KEY', value: 'x', scope: 'project' },
  'POST /tokens': { name: 'ci' },
  'POST /nodes': { name: 'second', endpoint: 'local' },
  'PATCH /nodes/{node}': { state: 'draining' },
}
