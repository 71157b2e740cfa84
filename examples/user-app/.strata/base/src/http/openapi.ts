/** A JSON object of the OpenAPI document. */
export type Json = Record<string, unknown>

/** Paths and schemas of one feature. */
export interface ApiDoc {
  paths: Json
  schemas: Json
}

export function createOpenApi(title: string, docs: readonly ApiDoc[]): Json {
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: Object.assign({ '/health': health }, ...docs.map((doc) => doc.paths)),
    components: {
      schemas: Object.assign({ error: errorSchema }, ...docs.map((doc) => doc.schemas)),
    },
  }
}

const errorSchema = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['error'],
}

const health = {
  get: {
    summary: 'Check that the app responds',
    operationId: 'checkHealth',
    responses: {
      200: {
        description: 'The app responds',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                status: { const: 'ok' },
                timestamp: { type: 'string', format: 'date-time' },
              },
              required: ['status', 'timestamp'],
            },
          },
        },
      },
    },
  },
}
