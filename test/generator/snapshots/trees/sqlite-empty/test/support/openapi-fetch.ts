interface OpenApi {
  openapi: string
  paths: Record<string, Record<string, { responses?: Record<string, { content?: object }> }>>
}

export async function getOpenApi(baseUrl: string) {
  return (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi
}
