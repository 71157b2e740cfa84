import type { RouteName, RouteOf } from '../api/route-table.ts'

type Endpoint<Name extends RouteName> = `${RouteOf<Name>['method']} ${RouteOf<Name>['path']}`

/**
 * Method and path of each route that the client calls. The compiler checks them against the route table, so that the
 * client need not load that table and zod.
 */
export const endpoints = {
  registerProject: 'POST /projects',
  listProjects: 'GET /projects',
  findProject: 'GET /projects/{id}',
  updateProject: 'PATCH /projects/{id}',
  removeProject: 'DELETE /projects/{id}',
  deploy: 'POST /projects/{id}/deploy',
  rollback: 'POST /projects/{id}/rollback',
  listProjectEnvironments: 'GET /projects/{id}/environments',
  findEnvironment: 'GET /environments/{id}',
  listLiveEnvironments: 'GET /environments',
  destroyEnvironment: 'DELETE /environments/{id}',
  pauseEnvironment: 'POST /environments/{id}/pause',
  wakeEnvironment: 'POST /environments/{id}/wake',
  readLogs: 'GET /environments/{id}/logs',
  followLogs: 'GET /environments/{id}/logs/stream',
  readUsage: 'GET /environments/{id}/usage',
  listUsage: 'GET /usage',
  followEvents: 'GET /events',
  listEnvironmentAudit: 'GET /environments/{id}/audit',
  listGlobalSecrets: 'GET /secrets',
  setGlobalSecret: 'POST /secrets',
  removeGlobalSecret: 'DELETE /secrets/{name}',
  listProjectSecrets: 'GET /projects/{id}/secrets',
  setProjectSecret: 'POST /projects/{id}/secrets',
  removeProjectSecret: 'DELETE /projects/{id}/secrets/{name}',
  createWebhookSecret: 'POST /projects/{id}/webhook-secret',
  removeWebhookSecret: 'DELETE /projects/{id}/webhook-secret',
  listAudit: 'GET /audit',
  listQueue: 'GET /queue',
  removeQueueEntry: 'DELETE /queue/{id}',
  listTrash: 'GET /trash',
  restoreTrash: 'POST /trash/{id}/restore',
  purgeTrash: 'DELETE /trash/{id}',
  readStats: 'GET /stats',
  createToken: 'POST /tokens',
  listTokens: 'GET /tokens',
  revokeToken: 'DELETE /tokens/{id}',
  rotateKey: 'POST /rotate-key',
  createBackup: 'GET /backup',
  stageRestore: 'POST /backup/restore',
  readInfraStatus: 'GET /infra/status',
  bootstrapInfra: 'POST /infra/bootstrap',
  registerNode: 'POST /nodes',
  listNodes: 'GET /nodes',
  updateNode: 'PATCH /nodes/{id}',
  removeNode: 'DELETE /nodes/{id}',
  readSetupStatus: 'GET /setup/status',
  readWebhookSecret: 'GET /setup/webhook-secret',
  readSetupToken: 'GET /setup/token',
  readIdentity: 'GET /whoami',
  readHealth: 'GET /health',
} as const satisfies { readonly [Name in RouteName]?: Endpoint<Name> }

export type EndpointName = keyof typeof endpoints
