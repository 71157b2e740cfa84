import type { CallOptions, Send } from './http.js'

/** JSON types of /api/v1/auth. */
export interface AuthApi {
  register: { name: string; email: string; password: string }
  login: { email: string; password: string }
  reply: { token: string; user: { id: number; name: string; email: string } }
}

/** Both calls return a token for `createClient({ baseUrl, token })`. */
export function createAuth(send: Send) {
  const path = '/api/v1/auth'
  return {
    register: (body: AuthApi['register'], options?: CallOptions) =>
      send<AuthApi['reply']>('POST', `${path}/register`, body, options),
    login: (body: AuthApi['login'], options?: CallOptions) =>
      send<AuthApi['reply']>('POST', `${path}/login`, body, options),
  }
}
