import type { CallOptions, Send } from './http.js'

/** JSON types of /api/v1/auth. */
export interface AuthApi {
  register: { name: string; email: string; password: string }
  login: { email: string; password: string }
  password: { current: string; next: string }
  reply: { token: string; user: { id: number; name: string; email: string } }
  me: { id: number; name: string; email: string; role: 'user' | 'admin'; created_at: string }
}

/** `register`, `login` and `changePassword` return a token for `createClient({ baseUrl, token })`. */
export function createAuth(send: Send) {
  const path = '/api/v1/auth'
  return {
    register: (body: AuthApi['register'], options?: CallOptions) =>
      send<AuthApi['reply']>('POST', `${path}/register`, body, options),
    login: (body: AuthApi['login'], options?: CallOptions) =>
      send<AuthApi['reply']>('POST', `${path}/login`, body, options),
    me: (options?: CallOptions) => send<AuthApi['me']>('GET', `${path}/me`, undefined, options),
    /** Ends all tokens of the caller but the one of this call. */
    changePassword: (body: AuthApi['password'], options?: CallOptions) =>
      send<AuthApi['reply']>('POST', `${path}/password`, body, options),
    /** Ends the token of this call. */
    logout: (options?: CallOptions) => send<void>('POST', `${path}/logout`, undefined, options),
    /** Ends all tokens of the caller. */
    logoutAll: (options?: CallOptions) =>
      send<void>('POST', `${path}/logout-all`, undefined, options),
    /** Deletes the caller. */
    deleteMe: (body: { password: string }, options?: CallOptions) =>
      send<void>('DELETE', `${path}/me`, body, options),
  }
}
