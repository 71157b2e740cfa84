import type { AuthApi } from '../src/handlers/auth.schema.js'
import type { Send } from './http.js'

/** Both calls return a token for `createClient({ baseUrl, token })`. */
export function createAuth(send: Send) {
  const path = '/api/v1/auth'
  return {
    register: (body: AuthApi['register']) =>
      send<AuthApi['reply']>('POST', `${path}/register`, body),
    login: (body: AuthApi['login']) => send<AuthApi['reply']>('POST', `${path}/login`, body),
  }
}
